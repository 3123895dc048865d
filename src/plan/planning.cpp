#include "plan/planning.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "expression/interruption.hpp"
#include "model/counted.hpp"
#include "plan/first_guess.hpp"
#include "plan/interior_point.hpp"
#include "plan/mesh_refinement.hpp"

namespace armature::internal {

namespace {

constexpr int most_rounds = 12;
constexpr double equations_hold = 1e-6;  // largest residual of a search that ended early and still has a motion
constexpr double cost_settled = 1e-4;  // relative change from mesh to mesh

bool names_a_speed(const PlannedMachine& machine) {
  const Equations& e = machine.equations();
  for (const Expression& target : machine.targets)
    for (const Expression& v : e.v)
      if (depends_on(target, v)) return true;
  return false;
}

// Without a limit that grows with the inputs, the shortest time is zero.
void refuse_unlimited(const PlannedMachine& machine) {
  if (!machine.minimizes_time || !machine.limits.empty()) return;
  for (std::size_t k = 0; k < machine.inputs.size(); ++k)
    if (std::isfinite(machine.input_low[k]) || std::isfinite(machine.input_high[k])) return;
  throw RequestError("minimize time", fmt::format("nothing limits the motion, so that it takes no time: give the motors 'limits', or bound an input, "
                                                  "such as --input {}=-1:1",
                                                  machine.inputs.front()));
}

class Planning {
 public:
  Planning(const Model& model, const PlanOptions& options) : model_(model), options_(options) {}

  PlanResult run() {
    tell("compiling");
    result_.machine = plan_machine(model_, options_);
    refuse_unlimited(*result_.machine);
    result_.collocation = std::make_unique<Collocation>(*result_.machine, !options_.moving && !names_a_speed(*result_.machine));
    tell("first guess");
    PlannedMotion guess = first_guess(*result_.collocation, options_.intervals);
    for (round_ = 0; round_ < most_rounds; ++round_) {
      if (!search(guess)) return std::move(result_);
      const SimulatedPlan simulated = judge();
      if (result_.status == PlanStatus::stopped) return std::move(result_);
      const bool accurate = result_.end_error <= options_.accuracy;
      const bool settled = round_ > 0 && std::abs(result_.cost - last_cost_) <= cost_settled * std::abs(result_.cost);
      last_cost_ = result_.cost;
      if (accurate && settled) return finished(PlanStatus::found);
      const std::vector<int> parts = cuts(*result_.collocation, result_.motion, simulated.interval_error,
                                          std::min(1.0, 0.5 * options_.accuracy / result_.end_error), !settled);
      PlannedMotion finer = on_finer_mesh(result_.motion, parts);
      if (finer.intervals() == result_.motion.intervals()) {
        if (accurate && settled) return finished(PlanStatus::found);
        finer = on_finer_mesh(result_.motion, std::vector<int>(parts.size(), 2));
      }
      if (finer.intervals() > options_.most_intervals) break;
      guess = std::move(finer);
    }
    return finished(result_.end_error <= options_.accuracy ? PlanStatus::found : PlanStatus::inaccurate);
  }

 private:
  bool tell(const std::string& what) {
    if (options_.progress && !options_.progress(what)) throw Interrupted();
    return true;
  }

  // Solves the program on the mesh of the guess. False: there is no result, and the sentence says why.
  bool search(const PlannedMotion& guess) {
    const Collocation& c = *result_.collocation;
    const Transcription transcription = c.transcribe(guess);
    const NonlinearProgram& program = transcription.program;
    InteriorPointOptions options;
    options.iterations = options_.iterations;
    options.warm = round_ > 0;
    options.progress = [&](int iteration, double cost, double infeasibility) {
      return !options_.progress || options_.progress(fmt::format("{} intervals, iteration {}: cost {:.6g}, equations off by {:.1g}",
                                                                 guess.intervals(), iteration, cost, infeasibility));
    };
    const InteriorPointResult found = solve(program, program.guess(), options);
    if (found.status == SolveStatus::stopped) return end(PlanStatus::stopped, "stopped");
    const bool closed = found.infeasibility < equations_hold;
    if (found.status != SolveStatus::solved && found.status != SolveStatus::acceptable) {
      if (round_ > 0) {  // the plan of the last mesh stands
        result_.warnings.push_back(fmt::format("the search on {} intervals did not converge; this is the plan on {}", guess.intervals(), result_.motion.intervals()));
        finish(result_.end_error <= options_.accuracy ? PlanStatus::found : PlanStatus::inaccurate);
        return false;
      }
      if (!closed) return end(PlanStatus::infeasible, infeasible_words(found, transcription, guess));
      result_.motion = c.motion(guess.mesh, found.x), result_.has_motion = true, result_.cost = found.cost;
      return end(PlanStatus::not_converged,
                 fmt::format("the search did not converge within {}; allow more (--iterations), or state the duration more narrowly (--time)",
                             counted(found.iterations, "iteration")));
    }
    result_.motion = c.motion(guess.mesh, found.x);
    result_.has_motion = true;
    result_.cost = found.cost;
    result_.active = c.active_limits(result_.motion, transcription, found.rows, found.multipliers);
    result_.rounds.push_back({guess.intervals(), found.iterations, found.cost, 0});
    return true;
  }

  // Which limits are in the way: those that stand at their end where the equations are violated least.
  std::string infeasible_words(const InteriorPointResult& found, const Transcription& transcription, const PlannedMotion& guess) const {
    const Collocation& c = *result_.collocation;
    const PlannedMotion motion = c.motion(guess.mesh, found.x);
    std::vector<std::string> names = c.active_limits(motion, transcription, found.rows, found.multipliers);
    const PlannedMachine& machine = *result_.machine;
    if (motion.duration > 0.999 * machine.longest) names.push_back(fmt::format("the longest duration, {:.4g} s", machine.longest));
    std::string words = "there is no such motion near the first guess: the equations of motion, the limits and the target do not go together";
    if (!names.empty())
      words += fmt::format("; {} {} in the way", fmt::join(names, ", "), names.size() == 1 ? "stands" : "stand");
    return words + (names.empty() ? "; the target may be out of reach" : "; relax a limit, or allow more time (--time)");
  }

  SimulatedPlan judge() {
    tell(fmt::format("{} intervals: simulating", result_.motion.intervals()));
    const SimulatedPlan simulated = simulate_plan(model_, *result_.collocation, result_.motion, true,
                                                  [&](double, long) { return !options_.progress || options_.progress(""); });
    if (simulated.outcome.status == RunStatus::stopped) end(PlanStatus::stopped, "stopped");
    result_.end_error = simulated.end_error;
    result_.target_error = simulated.target_error;
    result_.constraint_error = simulated.outcome.statistics.position_error;
    result_.rounds.back().end_error = simulated.end_error;
    failure_ = simulated.outcome.status == RunStatus::failed ? simulated.outcome.sentence : "";
    return simulated;
  }

  bool end(PlanStatus status, std::string sentence) {
    result_.status = status, result_.sentence = std::move(sentence);
    return false;
  }
  void finish(PlanStatus status) {
    const std::string what = options_.minimize == "time" ? "shortest time" : "least cost";
    result_.status = status;
    result_.sentence = fmt::format("{}: {:.6g} {}, on {}", what, result_.cost, result_.machine->cost_unit,
                                   counted(static_cast<long>(result_.motion.intervals()), "interval"));
    if (status == PlanStatus::inaccurate) {
      result_.sentence += failure_.empty() ? fmt::format(", but the simulated end state misses it by {:.2g}; feedback (--gains) keeps a real machine on it, "
                                                         "and more intervals (--most-intervals) make it more accurate",
                                                         result_.end_error)
                                           : ", but the run with its inputs fails: " + failure_;
    }
    if (options_.gains) result_.gains = feedback_gains(*result_.collocation, result_.motion);
  }
  PlanResult finished(PlanStatus status) {
    finish(status);
    return std::move(result_);
  }

  const Model& model_;
  const PlanOptions& options_;
  PlanResult result_;
  int round_ = 0;
  double last_cost_ = 0;
  std::string failure_;
};

}  // namespace

PlanResult plan(const Model& model, const PlanOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  const Interruption interruption([&] { return options.progress && !options.progress(""); });
  const Abandonable work;
  PlanResult result;
  try {
    result = Planning(model, options).run();
  } catch (const Interrupted&) {
    result.status = PlanStatus::stopped, result.sentence = "stopped";
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return result;
}

}  // namespace armature::internal
