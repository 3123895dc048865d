#include "inspect/error_bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "expression/interruption.hpp"
#include "inspect/agreement.hpp"
#include "inspect/divergence.hpp"
#include "inspect/repeats.hpp"
#include "record/usable_cores.hpp"

namespace armature::internal {

namespace {

constexpr double least_time = 0.5;  // s

std::string_view wish() {
  const char* text = std::getenv("ARMATURE_VERIFY");
  return text ? text : "";
}

// A motion may reach the same size with both signs.
RunRecord::Numbers peak_sizes(const Outcome& outcome) {
  RunRecord::Numbers values;
  for (const Peak& peak : outcome.peaks) values.emplace_back(peak.name, std::abs(peak.value));
  return values;
}

RunRecord::Numbers last_values(const Equations& equations, const State& state) {
  RunRecord::Numbers values;
  for (const auto* coordinates : {&equations.positions, &equations.velocities})
    for (const Coordinate& coordinate : *coordinates)
      values.emplace_back(coordinate.name, state.x[static_cast<Eigen::Index>(values.size())]);
  return values;
}

}  // namespace

bool errors_are_wanted() { return wish() != "0"; }

double time_for_errors(double seconds) {
  return wish() == "always" ? std::numeric_limits<double>::infinity() : std::max(seconds, least_time);
}

ErrorBars::ErrorBars(const Model& model, const Prepared& prepared, NumbersOfMotion numbers) : prepared_(&prepared) {
  const Repetition change = error_repetition(prepared.options, prepared.system->layout().nw > 0);
  const long every = kept_every(prepared.options, prepared.start.t);
  how_ = change.how;
  rows_ = std::make_unique<KeptRows>(every);
  begin([this, &model, &prepared, change, every, numbers = std::move(numbers)] {
    const Progress progress = [this](double, long) { return !is_over(); };
    RepeatedRun result = run_again(repeated(model, prepared, change).prepared, every, progress);
    if (numbers && result.outcome.status == RunStatus::finished)
      guarded(result.outcome, [&] { result.numbers = numbers(repeated(model, change), progress); });
    const auto unknown = [](const auto& number) { return std::isnan(number.second); };
    if (is_over() && std::ranges::any_of(result.numbers.values, unknown)) result.outcome.status = RunStatus::stopped;
    return result;
  });
}

ErrorBars::ErrorBars(const Model& again, std::string how, Move move) : how_(std::move(how)) {
  begin([this, &again, move = std::move(move)] { return move(again, [this](double, long) { return !is_over(); }); });
}

// Other work of the thread is given up as steps are.
void ErrorBars::begin(std::function<RepeatedRun()> work) {
  until_ = std::numeric_limits<double>::infinity();
  const auto policy = usable_cores() > 1 ? std::launch::async : std::launch::deferred;
  repeat_ = std::async(policy, [this, work = std::move(work)] {
    const Interruption interruption([this] { return is_over(); });
    const Abandonable abandonable;
    RepeatedRun result;
    guarded(result.outcome, [&] { result = work(); });
    return result;
  });
}

ErrorBars::~ErrorBars() {
  stop_ = true;
  if (repeat_.valid() && repeat_.wait_for(std::chrono::seconds(0)) != std::future_status::deferred) repeat_.wait();
}

bool ErrorBars::is_over() const {
  return stop_ || (going_ && !going_()) || std::chrono::duration<double>(Clock::now() - began_).count() > until_;
}

Recorder& ErrorBars::beside(Recorder& recorder) {
  if (!rows_) return recorder;
  rows_->pass_to(recorder);
  return *rows_;
}

void ErrorBars::wait(double seconds, const std::function<bool()>& going) {
  until_ = std::chrono::duration<double>(Clock::now() - began_).count() + seconds;
  if (repeat_.wait_for(std::chrono::seconds(0)) == std::future_status::deferred) {
    going_ = going;
    return repeat_.wait();
  }
  while (repeat_.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready)
    if (going && !going()) stop_ = true;
}

std::string ErrorBars::missing(const RepeatedRun& repeat, double end) const {
  switch (repeat.outcome.status) {
    case RunStatus::finished: return "";
    case RunStatus::failed:
      if (!is_over()) return fmt::format("a repetition with {} did not finish: {}", how_, repeat.outcome.sentence);
      break;
    case RunStatus::stopped: break;
  }
  if (!prepared_ || repeat.outcome.last.t >= end)
    return fmt::format("a repetition with {} was not finished when its time was up", how_);
  return fmt::format("a repetition with {} had reached t = {:.4g} s of {:g} s when its time was up", how_,
                     repeat.outcome.last.t, end);
}

std::optional<ErrorEstimate> ErrorBars::end(const Outcome& outcome, const RunRecord::Numbers& results,
                                            const std::function<bool()>& going) {
  if (outcome.status != RunStatus::finished) {
    stop_ = true;
    return std::nullopt;
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  wait(time_for_errors(seconds), going);
  const RepeatedRun repeat = repeat_.get();
  ErrorEstimate estimate;
  if (std::string why = missing(repeat, outcome.last.t); why.empty())
    estimate = compared(outcome, results, repeat);
  else
    estimate.missing = std::move(why);
  estimate.how = how_;
  return estimate;
}

ErrorEstimate ErrorBars::compared(const Outcome& outcome, const RunRecord::Numbers& results,
                                  const RepeatedRun& repeat) const {
  ErrorEstimate estimate;
  estimate.results = differences_of(results, repeat.numbers.values);
  estimate.peaks = differences_of(peak_sizes(outcome), peak_sizes(repeat.outcome));
  if (!prepared_) return estimate;
  const Equations& equations = prepared_->system->equations();
  estimate.last = differences_of(last_values(equations, outcome.last), last_values(equations, repeat.outcome.last));
  const MemoryRecorder& rows = rows_->kept();
  const auto apart = lasting(differences(rows, repeat.rows, channel_scales(rows, *prepared_), equations));
  if (const auto divergence = find_divergence(rows.column("t"), apart)) {
    estimate.parts_at = divergence->t;
    estimate.sentence = in_words(*divergence, how_);
  }
  return estimate;
}

}  // namespace armature::internal
