#include "prepare/prepare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "dynamics/assembly.hpp"
#include "dynamics/outcomes_by_roots.hpp"
#include "dynamics/redundancy.hpp"
#include "dynamics/traced_size.hpp"
#include "expression/interruption.hpp"
#include "integrate/integrator.hpp"
#include "model/counted.hpp"
#include "model/findings.hpp"
#include "model/joint_components.hpp"
#include "model/limits.hpp"
#include "model/warnings.hpp"
#include "prepare/beam_elements.hpp"
#include "prepare/beam_errors.hpp"
#include "prepare/current_limits.hpp"
#include "prepare/finite_start.hpp"
#include "prepare/idle_motions.hpp"
#include "prepare/inertia.hpp"
#include "prepare/tolerance.hpp"
#include "system/build_model.hpp"
#include "system/solution_signals.hpp"

namespace armature::internal {

namespace {

int most_shapes(const Beam& beam) {
  std::size_t most = 0;
  for (const Beam::Motion& motion : beam.motions) most = std::max(most, components_of(beam, motion).size());
  return static_cast<int>(most);
}

bool is_modal(const Beam& beam) {
  return std::any_of(beam.motions.begin(), beam.motions.end(), [](const auto& motion) { return motion.modes > 0; });
}

// Rows that vanish or depend on others at every pose, as a sentence for a formulation that cannot leave them out.
std::string redundant_rows(const Equations& equations, const Redundancy& redundancy) {
  std::string list;
  auto add = [&](const std::string& owner, const std::string& direction) {
    list += fmt::format("{}{}: {}", list.empty() ? "" : "; ", owner, direction);
  };
  for (const VanishedRow& row : equations.vanished) add(row.owner, row.direction);
  for (const auto& dependence : redundancy.always)
    add(equations.rows[dependence.row].owner, equations.rows[dependence.row].direction);
  return list;
}

void refuse_redundancy(const Model& model, const Equations& equations, const Redundancy& redundancy) {
  const std::string& formulation = model.simulate.formulation;
  if (formulation != "multipliers" && formulation != "partition") return;
  const std::string rows = redundant_rows(equations, redundancy);
  if (rows.empty()) return;
  throw ModelError(model,
                   {{model.simulate.where, "simulate.formulation",
                     fmt::format("{} needs independent constraints, but these are redundant at every pose: {}. "
                                 "Use auto or null_space{}",
                                 formulation, rows,
                                 model.plane.empty() ? ", or write 'plane: xy' if the mechanism is planar" : "")}});
}

// A partition has as many independent coordinates as the mechanism has freedoms.
void refuse_partition(const Model& model, const Redundancy& redundancy) {
  const auto named = static_cast<int>(model.simulate.independent.size());
  if (model.simulate.formulation != "partition" || named == 0 || named == redundancy.degrees_of_freedom) return;
  throw ModelError(model, {{model.simulate.where, "simulate.independent",
                            fmt::format("names {} coordinates, but the mechanism has {} degrees of freedom", named,
                                        redundancy.degrees_of_freedom)}});
}

// Adjusting positions after a step needs rows that say where they belong.
void refuse_adjusted_rolling(const Model& model, const Equations& equations) {
  if (!model.simulate.post_adjust || !equations.has_velocity_rows()) return;
  throw ModelError(model, {{model.simulate.where, "simulate.stabilization",
                            "post_adjust moves positions, which constraints on velocities alone (rolling, "
                            "knife_edge) do not hold; use projection"}});
}

// All formulations but auto, and post_adjust, factor dense matrices, whose cost grows with the third power of the size.
void refuse_dense(const Model& model, const Layout& layout) {
  const SimulateOptions& simulate = model.simulate;
  if (layout.nv + layout.m <= limits::dense_unknowns || layout.m == 0) return;
  const auto refuse = [&](const std::string& key, const std::string& name, const std::string& advice) {
    throw ModelError(model, {{simulate.where, "simulate." + key,
                              fmt::format("{} takes {} velocities and constraint rows at most, but this machine "
                                          "has {}; use {}",
                                          name, limits::dense_unknowns, layout.nv + layout.m, advice)}});
  };
  if (simulate.formulation != "auto") refuse("formulation", simulate.formulation, "auto");
  if (simulate.post_adjust) refuse("stabilization", "post_adjust", "projection");
}

// Gravity compensation and computed torque solve with all rows at once.
void refuse_redundant_feedback(const Model& model, const Equations& equations, const Redundancy& redundancy) {
  if (equations.feedback.empty() || redundancy.always.empty()) return;
  const Feedback& feedback = equations.feedback.front();
  throw ModelError(model, {{feedback.where, "controllers." + feedback.name,
                            fmt::format("needs independent constraints, but these are redundant at every pose: {}{}",
                                        redundant_rows(equations, redundancy),
                                        model.plane.empty() ? "; write 'plane: xy' if the mechanism is planar" : "")}});
}

// A body that can move without inertia has no acceleration.
void refuse_massless(const Model& model, SystemEvaluator& evaluator, const State& state) {
  SparseTerms terms = evaluator.make_sparse_terms();
  evaluator.set(state.t, state.x.data());
  evaluator.position(terms);
  const Equations& e = evaluator.system().equations();
  const int k = velocity_without_inertia(terms.M, e.elimination_order);
  if (k < 0) return;
  if (model.lagrangian.given)
    throw ModelError(
        model,
        {{model.lagrangian.kinetic.where, "lagrangian.kinetic",
          fmt::format("is not positive definite at the start: there is no inertia along {}", e.velocities[k].name)}});
  const auto drive = std::ranges::find(model.drives, e.velocities[k].joint, &Drive::name);
  if (drive != model.drives.end())
    throw ModelError(model, {{drive->where, "drives." + drive->name + ".rotor_inertia",
                              "is missing: behind an elastic gear the rotor is a body of its own"}});
  const auto joint = std::ranges::find(model.joints, e.velocities[k].joint, &Joint::name);
  throw ModelError(
      model,
      {{joint == model.joints.end() ? Location{} : joint->where, "joints." + e.velocities[k].joint,
        fmt::format(
            "'{}' can move freely, but nothing that it moves has mass or inertia; give it some, or let joints or "
            "constraints determine its motion",
            e.positions.size() == e.velocities.size() ? e.positions[k].name : e.velocities[k].name)}});
}

Redundancy redundancy_of(const Model& model, SystemEvaluator& evaluator, const State& start) {
  try {
    return find_redundancy(evaluator, start, model.simulate.end);
  } catch (const std::domain_error&) {
    throw ModelError(model, {{{},
                              "bodies",
                              "the masses and lengths differ too much in size: the effect of the constraints on "
                              "the motion overflows at the start"}});
  }
}

void refuse_tolerance(const Model& model) {
  const double rtol = model.simulate.rtol.value_or(default_rtol);
  if (rtol < least_rtol || rtol > largest_rtol)
    throw ModelError(model,
                     {{model.simulate.where, "simulate.rtol",
                       fmt::format("must be between {:g} and {:g}, but it is {:g}", least_rtol, largest_rtol, rtol)}});
}

// The number of rows is known before the run: a typing error must not fill the disk.
void refuse_rows(const Model& model) {
  if (!model.simulate.record) return;
  const double rows = model.simulate.end / *model.simulate.record;
  if (rows > limits::rows)
    throw ModelError(model, {{model.simulate.where, "simulate.record",
                              fmt::format("{:g} s gives {:.3g} rows until the end at {:g} s, more than the limit "
                                          "of {:g}; record less often, or end earlier",
                                          *model.simulate.record, rows, model.simulate.end, limits::rows)}});
}

// So is the least number of steps.
void refuse_steps(const Model& model) {
  const SimulateOptions& simulate = model.simulate;
  const auto look = [&](const char* key, const std::optional<double>& step) {
    if (!step || simulate.end / *step <= limits::steps) return;
    throw ModelError(
        model,
        {{simulate.where, fmt::format("simulate.{}", key),
          fmt::format(
              "{:g} s makes {:.3g} steps until the end at {:g} s, more than the limit of {:g}; take longer steps, "
              "or end earlier",
              *step, simulate.end / *step, simulate.end, limits::steps)}});
  };
  if (!method_of(simulate.integrator).controlled) look("step", simulate.step);
  look("max_step", simulate.max_step);
}

// And that of the samples of controllers.
void refuse_samples(const Model& model, const Equations& equations) {
  const double end = model.simulate.end;
  for (const Discrete& value : equations.discrete)
    if (value.period > 0 && end / value.period > limits::steps)
      throw ModelError(
          model, {{{},
                   "controllers",
                   fmt::format("{} is sampled every {:g} s, which makes {:.3g} samples until the end at {:g} s, more "
                               "than the limit of {:g}; sample less often, or end earlier",
                               value.name, value.period, end / value.period, end, limits::steps)}});
}

// Accelerations and reactions in formulas are traced through the factorizations of M and S.
void refuse_large_signals(const Model& model, const System& plain, const SystemEvaluator& evaluator,
                          const Redundancy& redundancy) {
  if (traced_size(plain, evaluator.make_sparse_terms(), redundancy.independent) <= longest_traced) return;
  const auto& loads = plain.equations().loads;
  if (!loads.empty())
    throw ModelError(model,
                     {{loads.front().where, "forces." + loads.front().name,
                       "friction with the load of a joint needs a smaller machine than this one; give the joint a "
                       "constant 'friction'"}});
  throw ModelError(model, {{{},
                            "define",
                            "formulas use accelerations, multipliers or reactions, which needs a smaller "
                            "machine than this one; 'record: {reactions: …}' has no such limit"}});
}

// A redundant row carries any part of the load that it shares with others.
void refuse_undetermined_loads(const Model& model, SystemEvaluator& evaluator, const State& start) {
  constexpr double shared = 1e-18;
  const auto& loads = evaluator.system().equations().undetermined_loads;
  if (loads.empty()) return;
  std::vector<Expression> changes;
  for (const UndeterminedLoad& load : loads) changes.push_back(load.change);
  std::vector<double> values(changes.size());
  evaluator.set(start);
  evaluator.evaluate(changes, values);
  for (std::size_t i = 0; i < loads.size(); ++i)
    if (values[i] > shared)
      throw ModelError(
          model,
          {{loads[i].where, "forces." + loads[i].name,
            fmt::format(
                "the load of {} is not determined: {} is redundant, and how much it carries depends on the elasticity "
                "of "
                "the parts. Let joints of the loop move where they need not hold (spherical, cylindrical), or state "
                "the plane of the mechanism",
                loads[i].joint.empty() ? loads[i].name : loads[i].joint, loads[i].row)}});
}

std::shared_ptr<const Equations> solved_signals(const Model& model, SolutionSignals& signals,
                                                const std::vector<int>& independent_rows) {
  try {
    return signals.solved(independent_rows);
  } catch (const FormulaError& error) {
    throw ModelError(model, {{error.where, "forces", error.what()}});
  }
}

// One note for all joints that are cut: a machine with many loops would fill the screen.
std::vector<std::string> notes_on_cut_joints(const Equations& equations) {
  constexpr std::size_t most_names = 10;
  const std::vector<std::string>& joints = equations.cut_joints;
  if (joints.empty()) return {};
  if (joints.size() == 1) return {fmt::format("joint {} closes a loop (it is cut)", joints.front())};
  const auto end = joints.begin() + static_cast<std::ptrdiff_t>(std::min(joints.size(), most_names));
  return {fmt::format("{} joints close loops (they are cut): {}{}", joints.size(), fmt::join(joints.begin(), end, ", "),
                      joints.size() > most_names ? ", …" : "")};
}

// Comparisons of formulas that use accelerations or reactions have their outcomes only now.
std::shared_ptr<const AssemblyResult> with_outcomes_of(const std::shared_ptr<const System>& system,
                                                       const AssemblyResult& assembled) {
  auto result = std::make_shared<AssemblyResult>(assembled);
  SystemEvaluator evaluator(system);
  evaluator.set(result->state);
  set_outcomes_by_roots(evaluator, result->state);
  return result;
}

}  // namespace

Prepared compile(const Model& model, const std::vector<std::string>& free_parameters) {
  const Abandonable work;
  refuse_tolerance(model);
  refuse_rows(model);
  refuse_steps(model);
  // the equations, compiled without a solve
  const std::shared_ptr<Equations> built = build_model(model, free_parameters);
  refuse_samples(model, *built);
  hold_idle_motions(model, built);
  SolutionSignals signals(built);
  std::shared_ptr<const Equations> equations = signals.at_zero();
  if (equations->v.empty() && model.states.empty())
    throw ModelError(model, {{{}, "joints", "nothing can move: every body is fixed to the ground"}});
  auto plain = std::make_shared<const System>(equations);
  refuse_dense(model, plain->layout());
  refuse_adjusted_rolling(model, plain->equations());
  SystemEvaluator evaluator(plain);
  // the start, with its loops closed
  auto found = std::make_shared<const AssemblyResult>(assemble(evaluator, plain->initial_state()));
  const AssemblyResult assembled = *found;
  refuse_not_finite(model, evaluator, assembled.state);
  refuse_massless(model, evaluator, assembled.state);

  // what there is to say about the model
  Prepared prepared;
  prepared.notes = notes_on_cut_joints(*equations), prepared.remarks = equations->notes;
  prepared.notes.insert(prepared.notes.end(), equations->notes.begin(), equations->notes.end());
  prepared.file = model.file;
  prepared.findings = findings_of(model);
  append(beam_element_findings(model), prepared.findings);
  for (const Body& body : model.bodies)
    if (body.beam)
      prepared.beams.push_back({body.name, is_modal(*body.beam), most_shapes(*body.beam),
                                beam_slopes(*body.beam, body.name, model, *equations),
                                beam_shares(*body.beam, body.name, model, *equations)});
  prepared.current_limits = current_limits(model);
  // constraint rows that are dependent at every pose, and those that are here
  const Redundancy redundancy = redundancy_of(model, evaluator, assembled.state);
  if (assembled.success) refuse_redundancy(model, *equations, redundancy);
  if (assembled.success) refuse_partition(model, redundancy);
  if (assembled.success && redundancy.rank_here < redundancy.generic_rank)
    prepared.findings.push_back(finding<FindingCode::singular_start>(
        "freedoms"_a = counted(redundancy.degrees_of_freedom_here, "degree of freedom"),
        "elsewhere"_a = redundancy.degrees_of_freedom));
  refuse_redundant_feedback(model, *equations, redundancy);
  if (signals.any()) {
    refuse_large_signals(model, *plain, evaluator, redundancy);
    equations = solved_signals(model, signals, redundancy.independent);
    plain = std::make_shared<const System>(equations);
    found = with_outcomes_of(plain, *found);
    SystemEvaluator solved(plain);
    refuse_undetermined_loads(model, solved, found->state);
  }
  // compiled again with the traced solve on the independent rows
  SystemOptions options;
  options.independent_rows = redundancy.independent;
  options.traced_solve = traced_size(*plain, evaluator.make_sparse_terms(), redundancy.independent) <= longest_traced;
  options.jacobian = method_of(model.simulate.integrator).implicit || model.start.equilibrium;
  prepared.system = std::make_shared<const System>(*plain, options);
  prepared.options = options_in_force(model.simulate, *equations, assembled.length);
  prepared.parameters = Eigen::Map<const Eigen::VectorXd>(equations->p_value.data(),
                                                          static_cast<Eigen::Index>(equations->p_value.size()));
  prepared.degrees_of_freedom = redundancy.degrees_of_freedom;
  prepared.from_equilibrium = model.start.equilibrium;
  prepared.start = found->state, prepared.assembled = found;
  return prepared;
}

}  // namespace armature::internal
