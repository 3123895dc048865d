#include "inspect/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "dynamics/machine_size.hpp"
#include "dynamics/redundancy.hpp"
#include "linear/kinetic_rows.hpp"
#include "model/counted.hpp"
#include "model/joint_kinds.hpp"
#include "model/warnings.hpp"
#include "prepare/beam_elements.hpp"
#include "prepare/start_touches.hpp"

namespace armature::internal {

namespace {

std::vector<std::string> names_of(const std::vector<Body>& bodies) {
  std::vector<std::string> names;
  for (const Body& body : bodies) names.push_back(body.name);
  return names;
}

std::vector<CheckReport::JointLine> joint_lines(const Model& model, const Equations& equations) {
  std::vector<CheckReport::JointLine> lines;
  for (const Joint& joint : model.joints) {
    const auto& cut = equations.cut_joints;
    lines.push_back({joint.name, std::string(words_of(joint.clearance.value_or(joint.type)).name), joint.a.body,
                     joint.b.body, std::find(cut.begin(), cut.end(), joint.name) != cut.end()});
  }
  return lines;
}

std::vector<RedundantRow> redundant_rows(const Equations& equations, const Redundancy& redundancy) {
  std::vector<RedundantRow> rows;
  for (const VanishedRow& row : equations.vanished) rows.push_back({row.owner, row.direction, true});
  auto add = [&](const std::vector<Redundancy::Dependence>& dependences, bool always) {
    for (const auto& dependence : dependences) {
      const ConstraintRow& row = equations.rows[dependence.row];
      rows.push_back({row.owner, row.direction, always});
    }
  };
  add(redundancy.always, true);
  add(redundancy.only_here, false);
  return rows;
}

// At the start, without the rows that hold velocities alone.
int position_freedoms(SystemEvaluator& evaluator, const State& start) {
  const Equations& equations = evaluator.system().equations();
  SparseTerms terms = evaluator.make_sparse_terms();
  evaluator.set(start);
  evaluator.position(terms);
  for (int row = 0; row < terms.Phi.rows(); ++row)
    for (SparseMatrix::InnerIterator entry(terms.Phi, row); entry; ++entry)
      if (equations.rows[static_cast<std::size_t>(row)].rate) entry.valueRef() = 0;
  KineticRows rows;
  rows.resize(evaluator.system().layout().nv, evaluator.system().layout().m);
  rows.set_groups(row_groups(equations));
  rows.factor(terms);
  return evaluator.system().layout().nv - rows.rank();
}

// A body without mass is carried by others; that is allowed, and worth knowing.
void warn_of_massless(const Model& model, CheckReport& report) {
  for (const Body& body : model.bodies)
    if (body.mass.root && body.mass.root->kind == Syntax::Kind::number && body.mass.root->value == 0)
      report.warnings.push_back(fmt::format("body {} has no mass", body.name));
}

void note_touches(SystemEvaluator& evaluator, const State& start, double duration, CheckReport& report) {
  constexpr std::size_t most_in_words = 10;
  const std::vector<StartTouch> touches = start_touches(evaluator, start, duration);
  for (std::size_t k = 0; k < std::min(touches.size(), most_in_words); ++k)
    report.notes.push_back(touches[k].sentence());
  if (touches.size() > most_in_words)
    report.notes.push_back(fmt::format("{} more contacts start with a penetration", touches.size() - most_in_words));
  if (const std::optional<Finding> sudden = sudden_start(touches)) report.warnings.push_back(sudden->sentence);
}

// Damping that gives energy instead of taking it: a Rayleigh function that is not positive at all speeds. Speeds up to those that
// move a coordinate by its size in the run.
void warn_of_negative_dissipation(const Equations& equations, SystemEvaluator& evaluator, const State& start,
                                  double end, CheckReport& report) {
  constexpr int trials = 50;
  constexpr double no_power = 1e-12;  // of the largest power of all trials
  if (equations.dissipation.is_constant()) return;
  SparseTerms terms = evaluator.make_sparse_terms();
  evaluator.set(start);
  evaluator.position(terms);
  const MachineSize machine(equations, terms, start.x.data());
  const double once = end > 0 ? 1 / end : 1;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> share(-1, 1);
  State state = start;
  std::vector<double> lost(1);
  double least = 0, largest = 0;
  for (int trial = 0; trial < trials; ++trial) {
    for (std::size_t k = 0; k < equations.v.size(); ++k)
      state.x[equations.q.size() + k] = share(random) * once / machine.per_velocity()[static_cast<Eigen::Index>(k)];
    evaluator.set(state.t, state.x.data());
    evaluator.evaluate({equations.dissipation}, lost);
    least = std::min(least, lost[0]), largest = std::max(largest, std::abs(lost[0]));
  }
  if (least < -no_power * largest)
    report.warnings.push_back(fmt::format(
        "damping adds energy instead of dissipating it: at some speeds up to {:.3g} rad/s or {:.3g} m/s the "
        "dissipated power is {:.3g} W",
        once, once * machine.length(), least));
}

}  // namespace

CheckReport check(const Model& model, const System& system, const State& start) {
  const Equations& equations = system.equations();
  SystemEvaluator evaluator(std::make_shared<const System>(system));
  const Redundancy redundancy = find_redundancy(evaluator, start, model.simulate.end);
  CheckReport report;
  for (const Parameter& parameter : model.parameters)
    report.parameters.push_back(
        {parameter.name, parameter.value, parameter.dimension ? to_string(*parameter.dimension) : ""});
  report.bodies = names_of(model.bodies);
  report.joints = joint_lines(model, equations);
  report.coordinates = system.layout().nv;
  report.constraints = system.layout().m;
  report.rank = redundancy.rank_here;
  report.degrees_of_freedom = redundancy.degrees_of_freedom;
  report.position_degrees_of_freedom =
      equations.has_velocity_rows() ? position_freedoms(evaluator, start) : redundancy.degrees_of_freedom;
  report.redundant = redundant_rows(equations, redundancy);
  if (redundancy.rank_here < redundancy.generic_rank)
    report.warnings.push_back(fmt::format("the start is a singular pose: {} here, {} elsewhere",
                                          counted(redundancy.degrees_of_freedom_here, "degree of freedom"),
                                          redundancy.degrees_of_freedom));
  else if (redundancy.smallest_here < Regularity::singular)
    report.warnings.push_back(
        fmt::format("the start is nearly singular: the smallest pivot is {:.1e}", redundancy.smallest_here));
  note_touches(evaluator, start, model.simulate.end, report);
  warn_of_massless(model, report);
  Findings findings = findings_of(model);
  append(beam_element_findings(model), findings);
  for (Finding& finding : findings) report.warnings.push_back(std::move(finding.sentence));
  if (model.lagrangian.given) warn_of_negative_dissipation(equations, evaluator, start, model.simulate.end, report);
  report.warnings.insert(report.warnings.end(), equations.warnings.begin(), equations.warnings.end());
  return report;
}

}  // namespace armature::internal
