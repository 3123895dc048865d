// What is known about a model and its motion besides the motion itself: check, compare, verify, equations, reference of the file, and
// whether this build works.
#include <limits>

#include "call.hpp"
#include "gpu/card.hpp"
#include "inspect/check.hpp"
#include "inspect/compare.hpp"
#include "inspect/equations.hpp"
#include "inspect/error_bars.hpp"
#include "inspect/repeats.hpp"
#include "inspect/self_test.hpp"
#include "inspect/verify.hpp"
#include "inverse/inverse_study.hpp"
#include "library/access.hpp"
#include "library/chosen_start.hpp"
#include "library/recording.hpp"
#include "library/translate.hpp"
#include "read/format_answer.hpp"
#include "record/usable_cores.hpp"
#include "report/page.hpp"
#include "study/motion_results.hpp"
#include "study/repeated_inverse.hpp"
#include "study/row_results.hpp"

namespace armature::python {

namespace {

using internal::CheckReport;
using internal::ComparedSide;
using internal::CompareResult;
using internal::RedundantRow;
using internal::Verification;

CheckReport check_of(const Model& model, int branch) {
  return translated([&] {
    const internal::Model& known = internal::Access::of(model);
    internal::Prepared prepared = internal::compile(known);
    internal::require_chosen_start(prepared, start_choice(model, branch, nullptr));
    CheckReport report = internal::check(known, *prepared.system, prepared.start);
    report.notes.insert(report.notes.begin(), prepared.notes.begin(), prepared.notes.end());
    return report;
  });
}

// The fields of armature.Check, by name.
py::dict check_fields(const Model& model, int branch) {
  const CheckReport report = computed([&] { return check_of(model, branch); });
  py::list joints, cut, redundant;
  for (const CheckReport::JointLine& joint : report.joints) {
    joints.append(joint.name);
    if (joint.cut) cut.append(joint.name);
  }
  for (const RedundantRow& row : report.redundant)
    redundant.append(py::make_tuple(row.owner, row.direction, row.always));
  py::dict fields;
  fields["bodies"] = report.bodies, fields["joints"] = joints, fields["cut"] = cut;
  fields["coordinates"] = report.coordinates, fields["constraints"] = report.constraints, fields["rank"] = report.rank;
  fields["degrees_of_freedom"] = report.degrees_of_freedom, fields["redundant"] = redundant;
  fields["notes"] = report.notes, fields["warnings"] = report.warnings;
  return fields;
}

py::dict side_fields(const ComparedSide& side) {
  py::dict fields;
  fields["file"] = side.file;
  fields["coordinates"] = side.coordinates, fields["constraints"] = side.constraints,
  fields["operations"] = side.operations;
  fields["outcome"] = to_public(side.outcome);
  return fields;
}

// The fields of armature.Comparison.
py::dict comparison_fields(const Model& a, const Model& b, const Settings& match, int states, unsigned seed, bool run) {
  internal::CompareOptions options;
  options.match = match, options.states = states, options.seed = seed, options.run = run;
  const CompareResult found = computed(
      [&] { return translated([&] { return internal::compare(without_fmus(a), without_fmus(b), options); }); });
  py::list moments;
  for (const CompareResult::Moment& moment : found.moments)
    moments.append(py::make_tuple(moment.t, moment.difference, moment.of));
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const bool ran = !found.moments.empty();
  py::dict fields;
  fields["a"] = side_fields(found.a), fields["b"] = side_fields(found.b);
  fields["names"] = found.names, fields["states"] = found.states;
  fields["acceleration_difference"] = found.acceleration, fields["rate_difference"] = found.rate;
  fields["trajectory_difference"] = ran ? found.largest.difference : unknown;
  fields["explained_difference"] = ran ? found.explained : unknown;
  fields["moments"] = moments, fields["same_equations"] = found.same_equations();
  fields["verdict"] = without_options(found.verdict());
  return fields;
}

// The machine with its start there.
internal::Prepared started(const Machine& machine, const State* from) {
  without_fmus(machine.model());
  internal::Prepared prepared = internal::Access::of(machine);
  if (from) internal::require_chosen_start(prepared, start_choice(machine.model(), 0, from));
  if (!prepared.failure.empty()) machine.start();                                    // throws
  if (from && !(prepared.start.t < prepared.options.end)) simulate(machine, *from);  // throws as well
  return prepared;
}

// The fields of armature.Verification.
py::dict verification_fields(const Verification& found) {
  py::list repeats;
  for (const Verification::Repeat& repeat : found.repeats) repeats.append(repeat.how);
  py::dict digits;
  for (const Verification::Digits& channel : found.channels) digits[py::str(channel.channel)] = channel.agree;
  py::dict fields;
  fields["repeats"] = repeats, fields["digits"] = digits, fields["promised"] = found.promised,
  fields["left_out"] = found.left_out;
  fields["diverges"] = found.divergence ? py::object(py::float_(found.divergence->t)) : py::object(py::none());
  fields["doubtful"] = found.doubtful, fields["sentence"] = found.sentence;
  return fields;
}

// The motion, what Python raised meanwhile, and how far the repetitions agree.
py::tuple verified(const Machine& machine, const State* from, py::object progress) {
  Verification verification;
  const py::tuple motion = watched_motion(std::move(progress), [&](const Progress& watched) {
    return translated(watched, [&](const Progress& guarded) {
      const internal::Prepared prepared = started(machine, from);
      Recording rows;
      auto [outcome, found] = internal::verify(internal::Access::of(machine.model()), prepared, rows, guarded);
      verification = std::move(found);
      return Motion{rows.trajectory(), to_public(outcome), to_public(outcome.last, prepared.system->layout())};
    });
  });
  return py::make_tuple(motion[0], motion[1], verification_fields(verification));
}

// The fields of armature.Errors; None: the motion did not finish.
py::object error_fields(const std::optional<internal::ErrorEstimate>& found) {
  if (!found) return py::none();
  const auto named = [](const internal::ErrorEstimate::Numbers& list) {
    py::dict numbers;
    for (const auto& [name, value] : list) numbers[py::str(name)] = value;
    return numbers;
  };
  py::dict fields;
  fields["results"] = named(found->results), fields["last"] = named(found->last), fields["peaks"] = named(found->peaks);
  fields["repetition"] = found->how, fields["missing"] = found->missing, fields["sentence"] = found->sentence;
  fields["parts_at"] = found->parts_at ? py::object(py::float_(*found->parts_at)) : py::object(py::none());
  return fields;
}

// The motion, what Python raised meanwhile, its results and the errors of its numbers.
py::tuple estimated(const Machine& machine, const Model& model, const State* from, const Settings& results,
                    py::object progress) {
  std::optional<internal::ErrorEstimate> errors;
  internal::RunRecord::Numbers values;
  const py::tuple motion = watched_motion(std::move(progress), [&](const Progress& watched) {
    return translated(watched, [&](const Progress& guarded) {
      const internal::Prepared prepared = started(machine, from);
      const internal::Model& known = internal::Access::of(model);
      internal::NumbersOfMotion numbers;
      if (!results.empty())
        numbers = [&](const internal::Model& moved, const Progress& going) -> internal::ResultNumbers {
          const internal::MotionResults formulas(moved, results);
          const double integral_share = &moved == &known ? 1 : internal::repeated_integrals;
          return {formulas.compute(start_choice(model, 0, from), going, integral_share).numbers, {}};
        };
      internal::ErrorBars bars(known, prepared, numbers);
      Recording rows;
      const internal::Outcome outcome = internal::simulate(prepared, bars.beside(rows), guarded);
      if (numbers) values = numbers(known, guarded).values;
      const long steps = outcome.statistics.integrator.steps;
      errors = bars.end(outcome, values, [&] { return guarded(outcome.last.t, steps); });
      return Motion{rows.trajectory(), to_public(outcome), to_public(outcome.last, prepared.system->layout())};
    });
  });
  return py::make_tuple(motion[0], motion[1], values, error_fields(errors));
}

// What prepares a prescribed motion, follows it, and repeats it with finer rows.
struct Prescribed {
  internal::Repetition finer;
  std::function<internal::Prepared(const internal::RowResults&, const internal::Model&)> prepare;
  std::function<internal::Outcome(const internal::Model&, const internal::Prepared&, internal::Recorder&,
                                  const Progress&)>
      follow;
  internal::ErrorBars::Move again;
};

// The same of motions that are known by their rows.
py::tuple rows_estimated(const internal::Model& known, const Settings& results, const Prescribed& motion,
                         py::object progress) {
  std::optional<internal::ErrorEstimate> errors;
  internal::RunRecord::Numbers values;
  const py::tuple found = watched_motion(std::move(progress), [&](const Progress& watched) {
    return translated(watched, [&](const Progress& guarded) {
      const internal::RowResults formulas(known, results);
      const internal::Model observed = formulas.model();
      const internal::Prepared prepared = motion.prepare(formulas, observed);
      const internal::Model again = internal::repeated(known, motion.finer);
      internal::ErrorBars bars(again, motion.finer.how, motion.again);
      Recording rows;
      internal::RowGatherer gatherer = formulas.gatherer(rows);
      const internal::Outcome outcome = motion.follow(observed, prepared, gatherer, guarded);
      if (formulas.any()) values = formulas.numbers(gatherer).numbers;
      errors = bars.end(outcome, values, [&] { return guarded(outcome.last.t, 0); });
      return Motion{rows.trajectory(), to_public(outcome), to_public(outcome.last, prepared.system->layout())};
    });
  });
  return py::make_tuple(found[0], found[1], values, error_fields(errors));
}

py::tuple inverse_estimated(const Model& model, const Settings& results, int branch, py::object progress) {
  const internal::Model& known = internal::Access::of(model);
  const internal::StartChoice start = start_choice(model, branch, nullptr);
  const Prescribed motion{
      internal::finer_rows(known),
      [&](const internal::RowResults&, const internal::Model& observed) {
        return internal::prepare_inverse(observed, start);
      },
      [](const internal::Model& observed, const internal::Prepared& prepared, internal::Recorder& rows,
         const Progress& guarded) { return internal::inverse(observed, prepared, rows, guarded); },
      [&](const internal::Model& moved, const Progress& going) {
        return internal::inverse_again(moved, results, start, going);
      }};
  return rows_estimated(known, results, motion, std::move(progress));
}

py::tuple kinematics_estimated(const Model& model, const Settings& moves, const Settings& results, int branch,
                               py::object progress) {
  const internal::Model known = translated([&] {
    internal::Model moved = internal::Access::of(model);
    for (const auto& [name, formula] : moves) moved = internal::driven(std::move(moved), name, formula);
    return moved;
  });
  const internal::StartChoice start = start_choice(model, branch, nullptr);
  const Prescribed motion{
      internal::finer_rows_alone(known),
      [&](const internal::RowResults& formulas, const internal::Model& observed) {
        internal::Prepared prepared = internal::prepare_kinematics(observed, start);
        formulas.require_columns(internal::quantities_left_out(observed, prepared), internal::no_forces);
        return prepared;
      },
      [](const internal::Model& observed, const internal::Prepared& prepared, internal::Recorder& rows,
         const Progress& guarded) { return internal::record_kinematics(observed, prepared, rows, guarded); },
      [&](const internal::Model& moved, const Progress& going) {
        return internal::kinematics_again(moved, results, start, going);
      }};
  return rows_estimated(known, results, motion, std::move(progress));
}

std::string equations_of(const Model& model, const std::string& format) {
  return translated([&] {
    const internal::PrintedEquations equations = internal::printed_equations(internal::Access::of(model));
    if (format == "latex") return internal::equations_latex(equations);
    if (format == "c") return internal::equations_code(equations, internal::PrintingStyle::c);
    if (format == "python") return internal::equations_code(equations, internal::PrintingStyle::python);
    return internal::equations_text(equations);
  });
}

py::dict diagnosis() {
  const internal::SelfTest test = computed([] { return internal::run_self_test(); });
  py::dict found;
  found["version"] = version();
  found["cores"] = internal::usable_cores();
  found["machine_code"] = test.machine_code;
  found["gpu"] = internal::cards_in_words();
  found["reports"] = !internal::embedded_page(internal::Page::report).empty();
  found["energy_error"] = test.energy_error;
  found["failure"] = test.failure;
  return found;
}

}  // namespace

void add_inspect(py::module_& module) {
  module.def("check", &check_fields, py::arg("model"), py::arg("branch"));
  module.def("compare", &comparison_fields, py::arg("a"), py::arg("b"), py::arg("match"), py::arg("states"),
             py::arg("seed"), py::arg("run"));
  module.def("verify", &verified, py::arg("machine"), py::arg("state"), py::arg("progress"));
  module.def("errors_are_wanted", &internal::errors_are_wanted);
  module.def("estimate", &estimated, py::arg("machine"), py::arg("model"), py::arg("state"), py::arg("results"),
             py::arg("progress"));
  module.def("estimate_inverse", &inverse_estimated, py::arg("model"), py::arg("results"), py::arg("branch"),
             py::arg("progress"));
  module.def("estimate_kinematics", &kinematics_estimated, py::arg("model"), py::arg("moves"), py::arg("results"),
             py::arg("branch"), py::arg("progress"));
  module.def(
      "equations",
      [](const Model& model, const std::string& format) {
        return computed([&] { return equations_of(model, format); });
      },
      py::arg("model"), py::arg("format"));
  module.def(
      "reference", [](const std::string& name) { return translated([&] { return internal::format_answer(name); }); },
      py::arg("name"));
  module.def("diagnosis", &diagnosis);
}

}  // namespace armature::python
