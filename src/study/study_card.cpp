#include "study/study_card.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

#include <algorithm>
#include <span>

#include "dynamics/configuration.hpp"
#include "dynamics/machine_size.hpp"
#include "dynamics/motion_parts.hpp"
#include "events/contacts.hpp"
#include "expression/c_code.hpp"
#include "expression/program_inputs.hpp"
#include "gpu/device_code.hpp"
#include "integrate/integrator.hpp"
#include "mechanics/changing_rows.hpp"
#include "model/request_error.hpp"
#include "observe/constraint_gaps.hpp"
#include "observe/energy_balance.hpp"
#include "observe/held_friction.hpp"
#include "observe/law_limits.hpp"
#include "observe/slope_check.hpp"
#include "run/hidden_forces.hpp"
#include "step/dense_output.hpp"
#include "step/embedded.hpp"
#include "step/fixed_step.hpp"
#include "step/methods.hpp"
#include "step/motion_limits.hpp"
#include "step/sample_clock.hpp"
#include "study/motion_watcher.hpp"
#include "study/range_code.hpp"
#include "system/outcomes_read.hpp"
#include "system/table_stops.hpp"

namespace armature::internal {

extern const std::string_view study_motion_text;  // study/study_motion.hpp and all that it includes

namespace {

// ---- the unit

constexpr std::size_t most_contacts = 8;  // rigid ones of a motion on a card

bool pulled(const RunOptions& options) { return options.alpha != 0 || options.beta != 0; }
int rows_of(const System& system) { return static_cast<int>(system.options().independent_rows.size()); }
bool projects(const Prepared& prepared) { return prepared.options.projection && rows_of(*prepared.system) > 0; }
bool follows_steps(const System& system) {
  return std::ranges::any_of(system.equations().discrete, &Discrete::follows_steps);
}
bool is_sampled(const System& system) {
  return std::ranges::any_of(system.equations().discrete, [](const Discrete& value) { return value.period > 0; });
}
bool has_stops(const Prepared& prepared) {
  return method_of(prepared.options.integrator).controlled && has_table_stops(prepared.system->equations());
}
bool has_comparisons(const System& system) { return system.layout().nw > 0; }
bool has_contacts(const System& system) { return !system.equations().contacts.empty(); }
bool has_friction(const System& system) {
  return std::ranges::any_of(system.equations().contacts, &RigidContact::has_friction);
}

std::vector<Kernel> kernels_of(const Prepared& prepared) {
  const System& system = *prepared.system;
  const bool is_pulled = pulled(prepared.options);
  std::vector<Kernel> list = {is_pulled ? Kernel::acceleration_baumgarte : Kernel::acceleration};
  if (projects(prepared)) {
    list.insert(list.end(), {Kernel::correct_motion, Kernel::correct_position, Kernel::correct_velocity});
    if (method_of(prepared.options.integrator).controlled) list.push_back(Kernel::correct_velocity_and_errors);
    if (method_of(prepared.options.integrator).controlled && !is_pulled) list.push_back(Kernel::step_end);
  }
  if (system.equations().stabilization_work >= 0) list.push_back(Kernel::energy);
  if (follows_steps(system) || is_sampled(system)) list.push_back(Kernel::discrete);
  if (has_stops(prepared)) list.push_back(Kernel::next_stop);
  if (has_comparisons(system)) list.insert(list.end(), {Kernel::roots, Kernel::root_rates});
  if (!has_contacts(system)) return list;
  if (std::ranges::count(list, Kernel::energy) == 0) list.push_back(Kernel::energy);
  list.push_back(Kernel::acceleration_open);
  if (has_friction(system)) list.push_back(Kernel::acceleration_sliding);
  list.insert(list.end(),
              {Kernel::contact_gaps, Kernel::contact_motion, Kernel::contact_rows, Kernel::contact_response});
  return list;
}

// What warnings are measured by.
std::shared_ptr<const Program> look_program(const System& system) {
  const Equations& e = system.equations();
  std::vector<Expression> outputs = {e.kinetic, e.potential, e.magnetic};
  for (const ConstraintRow& row : e.rows) outputs.push_back(row.phi);
  for (const WatchedFormula* law : limited_laws(e)) outputs.push_back(law->value);
  return system.make_program(outputs);
}

// Rows of the constraints, and laws that have no value beyond their limits: gaps that are small, or not a number.
std::size_t watched_gaps(const Equations& e) { return e.rows.size() + limited_laws(e).size(); }

// Never empty.
template <class List, class Text>
std::string list_text(const List& list, const std::string& nothing, const Text& text_of) {
  std::vector<std::string> entries;
  for (const auto& entry : list) entries.push_back(text_of(entry));
  if (entries.empty()) entries.push_back(nothing);
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}
std::string list_text(const std::vector<int>& list) {
  return list_text(list, "0", [](int n) { return std::to_string(n); });
}

// A formula over the motion that is searched by its ranges, as written; empty: there is none.
std::string name_of_range(const Study& study) {
  for (const Functional& f : study.formulas().functionals())
    if (MotionWatcher::follows_ranges(f, *study.observed()))
      return study.formulas().observed()[static_cast<std::size_t>(f.observed)].text;
  return "";
}

constexpr std::string_view own_functions = R"(  struct Functions {
    static void sin_cos(const double* x, double* sine, double* cosine, int n) {
      for (int i = 0; i < n; ++i) armature_sin_cos(x[i], sine + i, cosine + i);
    }
    static double exp(double x) { return armature_exp(x); }
    static double atan2(double y, double x) { return armature_atan2(y, x); }
  };
)";

class StudyUnit {
 public:
  StudyUnit(const Study& study, const Classes* classes, Arithmetic arithmetic)
      : study_(study),
        classes_(classes),
        arithmetic_(arithmetic),
        prepared_(study.prepared()),
        system_(*prepared_.system),
        n_(system_.layout()) {}

  std::string text() const {
    MotionCode code;
    code.headers = study_motion_text;
    code.motion = "StudyMotion";
    std::string programs = "using namespace armature::step;\n\n";
    for (const Kernel kernel : kernels_of(prepared_))
      programs += device_function(*system_.program(kernel), fmt::format("model_{}", entry_of(kernel).name));
    programs += device_function(*study_.observed(), "model_observe");
    programs += device_function(*look_program(system_), "model_look");
    return device_unit(code, programs, "NoKernels", members(), false, arithmetic_);
  }

 private:
  std::string members() const {
    const Kernels& kernels = system_.kernels();
    const RunOptions& options = prepared_.options;
    const step::Method& method = method_of(options.integrator);
    int outputs = 1;
    for (const Kernel kernel : kernels_of(prepared_)) outputs = std::max(outputs, kernels.output_count(kernel));
    const long steps = method.controlled ? step::Embedded<1>::memory(method.tableau(), n_.nx())
                                         : step::FixedStep<1>::memory(method.tableau(), n_.nx());
    const long dense = step::DenseOutput<1>::memory(method.tableau(), n_.nx());
    const Equations& e = system_.equations();
    const auto constant = [](const char* name, long value) {
      return fmt::format("  static constexpr int {} = {};\n", name, value);
    };
    const auto flag = [](const char* name, bool value) {
      return fmt::format("  static constexpr bool {} = {};\n", name, value);
    };
    std::string text = "  using Interval = bounds::Interval;\n  using Truth = bounds::Truth;\n";
    text += constant("nq", n_.nq) + constant("nv", n_.nv) + constant("nz", n_.nz) + constant("nx", n_.nx());
    text += constant("nd", n_.nd) + constant("nw", n_.nw) + constant("np", n_.np) + constant("rows", rows_of(system_));
    text += constant("constraints", static_cast<long>(watched_gaps(e)));
    text += constant("point", static_cast<long>(study_.formulas().varied().size()));
    text += constant("formulas", study_.observed()->output_count());
    text += constant("functional_count", static_cast<long>(study_.formulas().functionals().size()));
    text += constant("inputs", kernels.input_count()) + constant("outputs", outputs);
    text += constant("looks", 3 + static_cast<long>(watched_gaps(e)));
    text += constant("d", n_.d()) + constant("w", n_.w()) + constant("p", n_.p());
    text += constant("input_alpha", kernels.input(Input::alpha));
    text += constant("input_position_error", kernels.input(Input::position_error));
    text += constant("input_velocity_error", kernels.input(Input::velocity_error));
    text += constant("input_weight", kernels.input(Input::weight)) + constant("input_vdot", kernels.input(Input::vdot));
    text += constant("work", e.stabilization_work);
    text += constant("steps_memory", steps) + constant("dense_memory", std::max(1L, dense));
    text +=
        flag("controlled", method.controlled) + flag("projects", projects(prepared_)) + flag("pulled", pulled(options));
    text += flag("follows", follows_steps(system_)) + flag("affine", e.loads.empty());
    text += samples() + configuration() + balance() + functionals();
    text += formulas();
    if (has_comparisons(system_)) text += comparisons();
    text += contacts();
    text += forces();
    text += fmt::format("  static const Tableau& method() {{ return {}(); }}\n", method.tableau_name);
    for (const Kernel kernel : kernels_of(prepared_)) text += view(kernel);
    text += "  static void observe(const double* in, double* out) { model_observe(in, out); }\n";
    text += "  static void look(const double* in, double* out) { model_look(in, out); }\n";
    text += flag("decides", classes_ != nullptr);
    const std::vector<int> seen = outcomes_read(*study_.observed(), n_);
    text += fmt::format("  static constexpr int seen[] = {}, seen_count = {};\n", list_text(seen), seen.size());
    text += classes_ ? classes_->code() : "  static int decided(const Interval*, const double*) { return -1; }\n";
    return text;
  }

  // Clocks in the order of events/samples.cpp.
  std::string samples() const {
    std::vector<std::pair<double, double>> clocks;
    std::vector<int> clock_of;
    for (const Discrete& value : system_.equations().discrete) {
      const std::pair<double, double> clock{value.period, value.offset};
      if (value.period > 0 && std::ranges::count(clocks, clock) == 0) clocks.push_back(clock);
      clock_of.push_back(value.period > 0        ? static_cast<int>(std::ranges::find(clocks, clock) - clocks.begin())
                         : value.follows_steps() ? step::follows_steps
                                                 : step::never_changes);
    }
    const auto text = [](const auto& clock) {
      return fmt::format("{}, {}", c_number(clock.first), c_number(clock.second));
    };
    return fmt::format(
        "  static constexpr bool has_stops = {};\n  static constexpr int lookups = {}, clock_count = {}, clock_of[] = "
        "{};\n"
        "  static constexpr double clocks[] = {};\n",
        has_stops(prepared_), has_stops(prepared_) ? system_.equations().lookups.size() : 0, clocks.size(),
        list_text(clock_of), list_text(clocks, "0", text));
  }

  std::string comparisons() const {
    const Program& roots = *system_.program(Kernel::roots);
    const std::vector<int> entries = entries_read(roots, n_);
    const auto& list = system_.equations().graph->comparisons();
    const auto kind = [](const Graph::Comparison& c) { return std::to_string(static_cast<int>(c.kind)); };
    const auto breakaway = [](const Graph::Comparison& c) { return c_number(c.breakaway); };
    return fmt::format(
               "  static constexpr int kinds[] = {}, root_entries[] = {}, root_entry_count = {};\n"
               "  static constexpr double breakaway[] = {};\n",
               list_text(list, "0", kind), list_text(entries), entries.size(), list_text(list, "0", breakaway)) +
           range_code(roots, n_, "RootRanges");
  }

  std::string contacts() const {
    const Equations& e = system_.equations();
    if (e.contacts.empty()) return "  static constexpr int contacts = 0;\n";
    const Configuration configuration(e);
    const std::vector<step::ContactPlaces> places = contact_places(e);
    const step::ContactSizes sizes = contact_sizes(e, configuration, places);
    const auto place = [](const step::ContactPlaces& at) {
      return fmt::format("{{{}, {}, {}, {}, {}, {}}}", at.closed, at.sticks, at.direction, at.across, at.slow,
                         at.is_length);
    };
    return fmt::format(
               "  static constexpr int contacts = {}, contact_numbers = {}, contact_indices = {}, contact_modes = {};\n"
               "  static constexpr int contact_softness = {}, impact_work = {};\n"
               "  static constexpr bool sequential_impacts = {}, has_friction = {};\n"
               "  static constexpr ContactPlaces contact_places[] = {};\n",
               sizes.contacts, step::ContactMemory::all_numbers(sizes), step::ContactMemory::all_indices(sizes),
               step::ContactMemory::all_modes(sizes.contacts), sizes.softness, sizes.impact_work,
               prepared_.options.sequential_impacts, has_friction(system_), list_text(places, "", place)) +
           range_code(*system_.program(Kernel::contact_gaps), n_, "GapRanges");
  }

  // That may act for less than a step.
  std::string forces() const {
    const WatchedTerms watched(system_);
    const bool watches = prepared_.options.finds_short_forces && watched.program;
    const std::string flag = fmt::format("  static constexpr bool watches = {};\n", watches);
    if (!watches) return flag;
    const NarrowTerms& list = watched.terms;
    const auto gate = [](const step::NarrowGate& g) {
      return fmt::format("{{static_cast<NarrowFunction>({}), {}, {}}}", static_cast<int>(g.function), g.argument,
                         c_number(g.most_ratio));
    };
    const auto term = [](const step::NarrowTerm& t) {
      return fmt::format("{{{}, {}, {}, {}}}", t.output, t.output_count, t.gate, t.gate_count);
    };
    const std::vector<int> entries = entries_with_slopes(system_);
    return flag +
           fmt::format(
               "  static constexpr NarrowGate gates[] = {};\n  static constexpr NarrowTerm terms[] = {};\n"
               "  static constexpr int term_count = {}, term_outputs[] = {}, term_gates[] = {};\n"
               "  static constexpr double term_signs[] = {};\n"
               "  static constexpr int slope_entries[] = {}, slope_count = {};\n",
               list_text(list.gates, "", gate), list_text(list.terms, "", term), list.terms.size(),
               list_text(list.term_outputs), list_text(list.term_gates), list_text(list.term_signs, "0", c_number),
               list_text(entries), entries.size()) +
           range_code(*watched.program, n_, "WatchedRanges");
  }

  // Those that are searched by their ranges.
  std::string formulas() const {
    const Program& observed = *study_.observed();
    const bool follows = !name_of_range(study_).empty();
    const auto is_formula = [&](int slot) { return fmt::format("{}", slot >= observed.input_count()); };
    std::string text = fmt::format("  static constexpr bool follows_ranges = {}, is_formula[] = {};\n", follows,
                                   list_text(observed.output_slots(), "false", is_formula));
    text += own_functions;
    return follows ? text + range_code(observed, n_, "FormulaRanges") : text;
  }

  std::string configuration() const {
    const MotionParts parts(system_);
    const auto sizes = parts.sizes();
    const step::Configuration& c = sizes.configuration;
    const auto pair = [](const step::Configuration::Pair& at) { return fmt::format("{{{}, {}}}", at.q, at.v); };
    return fmt::format(
        "  static constexpr int plain_count = {}, quaternion_count = {};\n  static constexpr Configuration::Pair "
        "plain[] "
        "= {}, quaternions[] = {};\n",
        c.plain_count, c.quaternion_count, list_text(std::span(c.plain, c.plain_count), "{0, 0}", pair),
        list_text(std::span(c.quaternions, c.quaternion_count), "{0, 0}", pair));
  }

  std::string balance() const {
    const Equations& e = system_.equations();
    std::vector<int> received, lost;
    int friction = -1;
    for (int i = 0; i < n_.nz; ++i) {
      if (e.others[i].name == "heat.friction") friction = n_.nq + n_.nv + i;
      if (e.others[i].kind == Coordinate::Kind::work) received.push_back(n_.nq + n_.nv + i);
      if (e.others[i].kind == Coordinate::Kind::heat) lost.push_back(n_.nq + n_.nv + i);
    }
    return fmt::format(
        "  static constexpr bool balances = {};\n  static constexpr int received_count = {}, lost_count = {}, "
        "stabilization = {}, friction = {};\n  static constexpr int received[] = {}, lost[] = {};\n",
        EnergyBalance(system_, true).possible(), received.size(), lost.size(),
        e.stabilization_work >= 0 ? n_.nq + n_.nv + e.stabilization_work : -1, friction, list_text(received),
        list_text(lost));
  }

  std::string functionals() const {
    const auto text = [](const Functional& f) {
      return fmt::format("{{static_cast<FunctionalKind>({}), {}, {}, {}, {}}}", static_cast<int>(f.kind), f.observed,
                         c_number(f.time), c_number(f.from), c_number(f.to));
    };
    return fmt::format("  static constexpr Measured functionals[] = {};\n",
                       list_text(study_.formulas().functionals(), "{}", text));
  }

  std::string view(Kernel kernel) const {
    const Kernels& kernels = system_.kernels();
    const char* name = entry_of(kernel).name;
    const auto& given = entry_of(kernel).outputs;
    std::vector<Output> outputs(given.begin(), given.end());
    std::ranges::sort(outputs);  // as KernelOutputs declares them
    const auto output = [&](Output o) { return fmt::format(".{} = out + {}", name_of(o), kernels.output(kernel, o)); };
    return fmt::format(
        "  static KernelOutputs<1> {0}(const double* in, Row<1>* out) {{\n    model_{0}(in, out->lane);\n    "
        "return {1};\n  }}\n",
        name, list_text(outputs, "", output));
  }

  const Study& study_;
  const Classes* classes_;
  Arithmetic arithmetic_;
  const Prepared& prepared_;
  const System& system_;
  const Layout& n_;
};

// ---- what a motion is given

// One thread's. What takes long to make is made once.
class StudyStarts {
 public:
  // wider: of the tolerances of the model
  StudyStarts(const Study& study, const Classes* classes, const Points& points, double wider)
      : points_(points),
        wider_(wider),
        run_(study, classes, stop_),
        evaluator_(study.prepared().system),
        configuration_(study.prepared().system->equations()),
        terms_(evaluator_.make_sparse_terms()),
        gaps_(study.prepared().system->equations()) {}

  // False: there is no start.
  bool fill(long index, double* inputs) {
    const std::span<const double> point(points_[index], static_cast<std::size_t>(points_.dimensions));
    if (!run_.prepare(point)) return false;
    const Prepared& prepared = run_.prepared();
    evaluator_.set_parameters(prepared.parameters);
    evaluator_.set(prepared.start);
    const auto append = [&](const auto& numbers) { inputs = std::copy(numbers.begin(), numbers.end(), inputs); };
    *inputs++ = prepared.start.t;
    append(prepared.start.x), append(prepared.start.d), append(prepared.start.w);
    for (const ComparisonStatus status : prepared.start.comparisons) *inputs++ = static_cast<int>(status);
    append(prepared.parameters), append((wider_ * prepared.options.atol).eval());
    append_sizes(prepared, inputs);
    append(point);
    append_gaps(prepared, inputs);
    return true;
  }

 private:
  // As FullEngine::machine_size() takes them: for the projection, and for the round-off of roots.
  void append_sizes(const Prepared& prepared, double*& inputs) {
    const System& system = *prepared.system;
    const Layout& n = system.layout();
    const std::vector<int>& rows = system.options().independent_rows;
    if (!projects(prepared) && !has_comparisons(system) && !has_contacts(system)) {
      inputs = std::fill_n(inputs, static_cast<long>(rows.size()) + n.nq + n.nv, 1.0);
      return;
    }
    Eigen::VectorXd x = prepared.start.x;
    if (n.m > 0) configuration_.normalize(x.data());
    evaluator_.set(prepared.start.t, x.data());
    evaluator_.position(terms_);
    const MachineSize size(system.equations(), terms_, x.data());
    for (const int row : rows) *inputs++ = size.per_row()[row];
    inputs = std::copy_n(size.per_position().data(), n.nq, inputs);
    inputs = std::copy_n(size.per_velocity().data(), n.nv, inputs);
    if (has_contacts(system)) *inputs++ = size.length();
  }

  // Sizes by which the gaps of constraints are measured, or less: as ConstraintGaps has them at the start, from where they grow. A row
  // that has no lever arm there is measured by what is natural, or later by any that it gets.
  void append_gaps(const Prepared& prepared, double*& inputs) {
    const Equations& e = prepared.system->equations();
    if (!e.rows.empty()) append_rows(prepared, inputs);
    for (std::size_t law = e.rows.size(); law < watched_gaps(e); ++law)
      *inputs++ = std::numeric_limits<double>::infinity();
  }

  void append_rows(const Prepared& prepared, double*& inputs) {
    constexpr double least_arm = 1e-6;  // as in ConstraintGaps
    const Equations& e = prepared.system->equations();
    ConstraintGaps gaps = gaps_;
    evaluator_.set(prepared.start);
    evaluator_.motion(terms_);
    gaps.look(prepared.start.t, prepared.start.x.data(), terms_);
    for (std::size_t row = 0; row < e.rows.size(); ++row) {
      const std::string& unit = e.rows[row].unit;
      const double natural = unit == "m"     ? gaps.length()
                             : unit == "rad" ? 1
                                             : 0,
                   size = gaps.size(static_cast<int>(row));
      *inputs++ = size == natural ? least_arm * natural : size;
    }
  }

  const Points& points_;
  double wider_;
  StopFlag stop_ = false;
  StudyRun run_;
  SystemEvaluator evaluator_;
  Configuration configuration_;
  SparseTerms terms_;
  ConstraintGaps gaps_;  // that have seen nothing
};

int input_count(const Study& study) {
  const System& system = *study.prepared().system;
  const Layout& n = system.layout();
  return 1 + 2 * n.nx() + n.nd + 2 * n.nw + n.np + rows_of(system) + n.nq + n.nv +
         static_cast<int>(study.formulas().varied().size() + watched_gaps(system.equations()) + has_contacts(system));
}

// Whether a constraint jumps with a sampled value.
bool samples_move_constraints(const System& system) {
  std::vector<Expression> phi;
  for (const ConstraintRow& row : system.equations().rows) phi.push_back(row.phi);
  const std::vector<bool> read = inputs_read(*system.make_program(phi));
  const auto& discrete = system.equations().discrete;
  for (std::size_t i = 0; i < discrete.size(); ++i)
    if (discrete[i].period > 0 && read[static_cast<std::size_t>(system.layout().d()) + i]) return true;
  return false;
}

// What a card does not measure of a motion that a run may warn of.
std::string check_refusal(const Prepared& prepared) {
  const auto may_err = [](const Prepared::Beam& beam) { return !beam.slopes.empty() || !beam.shares.empty(); };
  if (std::ranges::any_of(prepared.beams, may_err))
    return "the model has beams, whose errors the processor alone measures";
  if (!frictions_that_may_be_held(prepared.system->equations()).empty())
    return "constraints may hold a joint with dry friction at rest, which the processor alone notices";
  return "";
}

std::string contact_refusal(const Prepared& prepared) {
  const System& system = *prepared.system;
  if (!has_contacts(system)) return "";
  if (system.equations().contacts.size() > most_contacts || !system.program(Kernel::contact_response))
    return fmt::format("the model has more than {} rigid contacts, which the processor alone computes", most_contacts);
  if (!method_of(prepared.options.integrator).controlled || pulled(prepared.options))
    return "rigid contacts with steps of one length or Baumgarte's method run on the processor alone";
  if (const std::string of = range_code_refusal(*system.program(Kernel::contact_gaps)); !of.empty())
    return fmt::format("a gap is of {}", of);
  return "";
}

std::string event_refusal(const Prepared& prepared) {
  const System& system = *prepared.system;
  if (std::string refusal = contact_refusal(prepared); !refusal.empty()) return refusal;
  if (samples_move_constraints(system)) return "a constraint depends on a sampled value";
  if (!has_comparisons(system)) return "";
  if (!method_of(prepared.options.integrator).controlled)
    return fmt::format(
        "the model or the formulas over the motion have comparisons, whose changes {} does not locate; dopri5 does",
        prepared.options.integrator);
  if (!changing_rows(system.equations()).empty())
    return "the law of a constraint has comparisons, whose jumps the processor alone follows";
  if (const std::string of = range_code_refusal(*system.program(Kernel::roots)); !of.empty())
    return fmt::format("a comparison is of {}", of);
  return "";
}

// In a sentence; empty: a card can compute the motions.
std::string study_card_refusal(const Study& study, Arithmetic arithmetic) {
  const Prepared& prepared = study.prepared();
  if (study.rows()) return "inverse dynamics runs on the processor alone";
  if (const std::string refusal = motion_refusal(prepared); !refusal.empty()) return refusal;
  if (const std::string refusal = event_refusal(prepared); !refusal.empty()) return refusal;
  if (const std::string refusal = check_refusal(prepared); !refusal.empty()) return refusal;
  if (const std::string formula = name_of_range(study); !formula.empty())
    if (const std::string of = range_code_refusal(*study.observed()); !of.empty())
      return fmt::format("'{}', or a formula beside it, is of {}", formula, of);
  std::vector<std::shared_ptr<const Program>> programs = {study.observed(), look_program(*prepared.system)};
  for (const Kernel kernel : kernels_of(prepared)) programs.push_back(prepared.system->program(kernel));
  for (const auto& program : programs)
    if (const std::string foreign = foreign_function(*program); !foreign.empty() && arithmetic == Arithmetic::exact)
      return foreign_refusal("the equations or formulas", foreign);
  return "";
}

// The tolerance of a step; single precision carries no smaller one than this.
double carried_rtol(const RunOptions& options, Arithmetic arithmetic) {
  constexpr double of_single_precision = 1e-5;
  return arithmetic == Arithmetic::single ? std::max(options.rtol, of_single_precision) : options.rtol;
}

CardJob study_card_job(const Study& study, const Classes* classes, const Points& points, const MotionNumbers& numbers,
                       Arithmetic arithmetic) {
  const RunOptions& options = study.prepared().options;
  using Limits = step::MotionLimits;
  const bool controlled = method_of(options.integrator).controlled;
  CardJob job;
  job.unit = StudyUnit(study, classes, arithmetic).text();
  job.inputs = input_count(study), job.count = points.count();
  job.results = 2 + static_cast<int>(study.formulas().functionals().size());
  const double rtol = carried_rtol(options, arithmetic), promised = Limits::of_promise(rtol);
  job.common = {rtol,
                options.max_step,
                options.step,
                options.end,
                options.rate,
                options.alpha,
                options.beta,
                controlled ? std::min(promised, Limits::loop_is_open) : Limits::loop_is_open,
                controlled ? std::min(promised, Limits::unbalanced) : Limits::unbalanced};
  job.start = [&study, classes, &points, wider = rtol / options.rtol]() -> CardStart {
    auto starts = std::make_shared<StudyStarts>(study, classes, points, wider);
    return [starts](long index, double* inputs) { return starts->fill(index, inputs); };
  };
  job.slow_starts = true;
  job.take = [&study, classes, &points, numbers]() -> CardTake {
    struct Taken {
      StopFlag stop = false;
      std::unique_ptr<StudyRun> run;
    };
    auto taken = std::make_shared<Taken>();
    taken->run = std::make_unique<StudyRun>(study, classes, taken->stop);
    return [taken, &points, numbers](long index, std::span<const double> results, std::span<double> row) {
      const MotionStatus status = taken->run->take({points[index], static_cast<std::size_t>(points.dimensions)},
                                                   static_cast<int>(results[0]), results[1], results.subspan(2));
      numbers(*taken->run, status, row);
    };
  };
  return job;
}

}  // namespace

std::string require_card_for(Study& study, Arithmetic arithmetic) {
  if (const std::string refusal = study_card_refusal(study, arithmetic); !refusal.empty())
    throw RequestError("gpu", refusal + "; without this option the processor computes it");
  // of these a card has no ranges
  const WatchedTerms watched(*study.prepared().system);
  if (!watched.program || range_code_refusal(*watched.program).empty()) return "";
  study.pass_over_short_forces();
  return "; with --gpu, forces that act for less than a step may be passed over";
}

std::shared_ptr<CardCells> put_on_cards(CellJob& job, const Cards& cards, const Study& study, const Classes* classes,
                                        const Points& points, const MotionNumbers& numbers) {
  if (cards.empty()) return nullptr;
  CardJob there = study_card_job(study, classes, points, numbers, cards.arithmetic);
  there.lanes = job.lanes;
  auto cells = std::make_shared<CardCells>(cards, std::move(there));
  job.lanes = [cells, alone = job.worker](CellFeed& feed, const StopFlag& stop) { cells->work(feed, stop, alone); };
  return cells;
}

std::string study_card_unit(const Study& study, const Classes* classes, Arithmetic arithmetic) {
  return StudyUnit(study, classes, arithmetic).text();
}

}  // namespace armature::internal
