#include "plan/planning.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "expression/interruption.hpp"
#include "model/counted.hpp"
#include "plan/first_guess.hpp"
#include "plan/interior_point.hpp"
#include "plan/mesh_refinement.hpp"
#include "plan/question_check.hpp"

namespace armature::internal {

namespace {

constexpr int most_rounds = 12;
constexpr double equations_hold = 1e-6;  // largest residual of a search that ended early and still has a motion
constexpr double cost_settled = 1e-4;    // relative change from mesh to mesh
constexpr double same_cost =
    1e-3;  // relative difference of two motions on the first mesh, found from two guesses: they are the same
constexpr double any_duration[] = {1e-4, 1e4};  // s

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
  throw RequestError(
      "minimize time",
      fmt::format("nothing limits the motion, so that it takes no time: give the motors 'limits', or bound an input, "
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
    result_.collocation =
        std::make_unique<Collocation>(*result_.machine, !options_.moving && !names_a_speed(*result_.machine));
    tell("first guess");
    PlannedMotion guess = first_guess(*result_.collocation, options_.intervals);
    check_target(*result_.collocation, guess.node(guess.intervals()), *result_.machine);
    for (round_ = 0; round_ < most_rounds; ++round_) {
      if (round_ == 0 ? !search_from_all(guess) : !search(guess)) return std::move(result_);
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

  struct Search {
    PlannedMotion guess;
    Transcription transcription;
    InteriorPointResult found;
    bool solved() const { return found.status == SolveStatus::solved || found.status == SolveStatus::acceptable; }
    bool stopped() const { return found.status == SolveStatus::stopped; }
  };

  // Solves the program on the mesh of the guess.
  Search search_from(PlannedMotion guess, const std::string& which) const {
    Search search{std::move(guess), {}, {}};
    search.transcription = result_.collocation->transcribe(search.guess);
    const NonlinearProgram& program = search.transcription.program;
    InteriorPointOptions options;
    options.iterations = options_.iterations;
    options.warm = round_ > 0;
    options.progress = [&](int iteration, double cost, double infeasibility) {
      return !options_.progress ||
             options_.progress(fmt::format("{}{} intervals, iteration {}: cost {:.6g}, equations off by {:.1g}", which,
                                           search.guess.intervals(), iteration, cost, infeasibility));
    };
    search.found = solve(program, program.guess(), options);
    return search;
  }

  // From the first guess and the others that are wanted: the best. False: there is no result, and the sentence says why.
  bool search_from_all(const PlannedMotion& guess) {
    std::optional<Search> first, best;
    std::vector<double> costs;
    for (int k = 0; k < options_.starts; ++k) {
      const std::string which = options_.starts > 1 ? fmt::format("start {} of {}: ", k + 1, options_.starts) : "";
      Search search = search_from(
          k == 0 ? guess : first_guess(*result_.collocation, options_.intervals, static_cast<unsigned>(k)), which);
      if (search.stopped()) return end(PlanStatus::stopped, "stopped");
      if (search.solved()) costs.push_back(search.found.cost);
      if (search.solved() && (!best || search.found.cost < best->found.cost)) best = search;
      if (k == 0) first = std::move(search);
    }
    if (!best && has_time_range()) best = search_with_any_duration(guess);
    if (!best) return first->stopped() ? end(PlanStatus::stopped, "stopped") : fail(*first);
    const double cost = best->found.cost;
    const auto agrees = [&](double other) { return std::abs(other - cost) <= same_cost * std::abs(cost); };
    result_.starts = {options_.starts, static_cast<int>(costs.size()),
                      static_cast<int>(std::ranges::count_if(costs, agrees))};
    take(*best);
    return true;
  }

  // A range of durations that is near to the first guess can stand in the way of a search that would end inside of it: found without it, the motion
  // is searched once more within it.
  bool has_time_range() const {
    return options_.shortest && options_.longest && *options_.shortest < *options_.longest;
  }
  std::optional<Search> search_with_any_duration(const PlannedMotion& guess) {
    PlannedMachine& machine = *result_.machine;
    const double shortest = machine.shortest, longest = machine.longest;
    machine.shortest = any_duration[0], machine.longest = any_duration[1];
    const Search free = search_from(guess, "any duration: ");
    machine.shortest = shortest, machine.longest = longest;
    if (!free.solved()) return std::nullopt;
    PlannedMotion within = result_.collocation->motion(guess.mesh, free.found.x);
    if (within.duration > longest || within.duration < shortest) found_outside_ = within.duration;
    within.duration = std::clamp(within.duration, shortest, longest);
    Search search = search_from(within, "");
    return search.solved() ? std::optional(std::move(search)) : std::nullopt;
  }

  // On a finer mesh. False: the plan of the last mesh stands, or the search was stopped.
  bool search(const PlannedMotion& guess) {
    const Search search = search_from(guess, "");
    if (search.stopped()) return end(PlanStatus::stopped, "stopped");
    if (!search.solved()) {
      result_.warnings.push_back(fmt::format("the search on {} intervals did not converge; this is the plan on {}",
                                             guess.intervals(), result_.motion.intervals()));
      finish(result_.end_error <= options_.accuracy ? PlanStatus::found : PlanStatus::inaccurate);
      return false;
    }
    take(search);
    return true;
  }

  void take(const Search& search) {
    const Collocation& c = *result_.collocation;
    const InteriorPointResult& found = search.found;
    result_.motion = c.motion(search.guess.mesh, found.x);
    result_.has_motion = true;
    result_.cost = found.cost;
    result_.active = c.active_limits(result_.motion, search.transcription, found.rows, found.multipliers);
    result_.rounds.push_back({search.guess.intervals(), found.iterations, found.cost, 0});
  }

  bool fail(const Search& search) {
    const InteriorPointResult& found = search.found;
    if (found.infeasibility >= equations_hold)
      return end(PlanStatus::infeasible, infeasible_words(found, search.transcription, search.guess));
    result_.motion = result_.collocation->motion(search.guess.mesh, found.x), result_.has_motion = true,
    result_.cost = found.cost;
    return end(PlanStatus::not_converged,
               fmt::format("the search did not converge within {}; allow more (--iterations), try other first guesses "
                           "(--starts 8), or state the "
                           "duration more narrowly (--time)",
                           counted(found.iterations, "iteration")));
  }

  // Which limits are in the way: those that stand at their end where the equations are violated least.
  std::string infeasible_words(const InteriorPointResult& found, const Transcription& transcription,
                               const PlannedMotion& guess) const {
    const Collocation& c = *result_.collocation;
    const PlannedMotion motion = c.motion(guess.mesh, found.x);
    std::vector<std::string> names = c.active_limits(motion, transcription, found.rows, found.multipliers);
    const PlannedMachine& machine = *result_.machine;
    constexpr double at_bound = 0.999;
    if (motion.duration > at_bound * machine.longest)
      names.push_back(fmt::format("the longest duration, {:.4g} s", machine.longest));
    std::string words =
        "there is no such motion near the first guess: the equations of motion, the limits and the target do not go "
        "together";
    if (!names.empty())
      words += fmt::format("; {} {} in the way", fmt::join(names, ", "), names.size() == 1 ? "stands" : "stand");
    words += names.empty() ? "; the target may be out of reach" : "; relax a limit, or allow more time (--time)";
    if (found_outside_) words += fmt::format("; one that takes {:.4g} s was found", *found_outside_);
    if (options_.starts == 1) words += "; other first guesses (--starts 8) may find one";
    return words;
  }

  SimulatedPlan judge() {
    tell(fmt::format("{} intervals: simulating", result_.motion.intervals()));
    const SimulatedPlan simulated =
        simulate_plan(model_, *result_.collocation, result_.motion, true,
                      [&](double, long) { return !options_.progress || options_.progress(""); });
    if (simulated.outcome.status == RunStatus::stopped) end(PlanStatus::stopped, "stopped");
    result_.end_error = simulated.end_error;
    result_.target_error = simulated.target_error;
    result_.constraint_error = simulated.outcome.statistics.position_error;
    result_.rounds.back().end_error = simulated.end_error;
    failure_ = simulated.outcome.status == RunStatus::failed ? simulated.outcome.sentence : "";
    findings_ = simulated.outcome.findings;
    return simulated;
  }

  bool end(PlanStatus status, std::string sentence) {
    result_.status = status, result_.sentence = std::move(sentence);
    return false;
  }
  void finish(PlanStatus status) {
    const std::string what = options_.minimize == "time" ? "shortest time" : "least cost";
    result_.status = status;
    for (const std::string& warning : warnings_among(findings_))
      result_.warnings.push_back(fmt::format("a run of this plan warns: {}", warning));
    result_.sentence = fmt::format("{}: {:.6g} {}, on {}", what, result_.cost, result_.machine->cost_unit,
                                   counted(static_cast<long>(result_.motion.intervals()), "interval"));
    if (result_.starts.tried > 1)
      result_.sentence += fmt::format("; {} of {} starts found a motion, {} of them this one", result_.starts.found,
                                      result_.starts.tried, result_.starts.agreed);
    if (status == PlanStatus::inaccurate) {
      result_.sentence +=
          failure_.empty()
              ? fmt::format(
                    ", but the simulated end state misses it by {:.2g}; feedback (--gains) keeps a real machine on it, "
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
  std::optional<double> found_outside_;  // the duration of a motion beyond the wanted ones
  std::string failure_;                  // of the run with the inputs of the plan
  Findings findings_;                    // of that run
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
