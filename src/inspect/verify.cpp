#include "inspect/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <future>
#include <limits>

#include "expression/interruption.hpp"
#include "inspect/agreement.hpp"
#include "inspect/divergence.hpp"
#include "inspect/repeats.hpp"
#include "model/findings.hpp"
#include "run/describe.hpp"

namespace armature::internal {

namespace {

constexpr double lost_by_adding_up = 3;  // digits: errors of machines in docs/choosing.md are 6 to 1000 rtol
constexpr double of_fixed_steps = 2;     // digits

double promised_digits(const RunOptions& options) {
  return takes_fixed_steps(options.integrator) ? of_fixed_steps : -std::log10(options.rtol) - lost_by_adding_up;
}

void compare(const Prepared& prepared, const MemoryRecorder& rows, const std::vector<RepeatedRun>& repeated,
             Verification& result) {
  const ChannelScales scales = channel_scales(rows, prepared);
  for (const Channel& channel : rows.channels()) {
    const auto scale = scales.find(channel.name);
    if (scale == scales.end()) continue;
    result.channels.push_back({channel.name, {}});
    for (const RepeatedRun& repeat : repeated)
      result.channels.back().agree.push_back(agreeing_digits(rows, repeat.rows, channel.name, scale->second));
  }
  const std::vector<double> t = rows.column("t");
  for (std::size_t k = 0; k < repeated.size(); ++k) {
    const auto divergence =
        find_divergence(t, lasting(differences(rows, repeated[k].rows, scales, prepared.system->equations())));
    if (divergence && (!result.divergence || divergence->t < result.divergence->t))
      result.divergence = Verification::Divergence{divergence->t, divergence->rate, result.repeats[k].how};
  }
}

// The size that a number is compared with: its own, or a thousandth of the largest among the channels of its unit, so that what is
// zero but for rounding does not count.
double scale_of(double value, const std::string& unit, const MemoryRecorder& rows) {
  double largest = unit.empty() ? 1 : 0;
  for (const Channel& channel : rows.channels())
    if (channel.unit == unit && !unit.empty())
      for (const double x : rows.column(channel.name))
        if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  return std::max(std::abs(value), of_its_unit * largest);
}

// The numbers of the motion and its peaks.
void compare_numbers(const MemoryRecorder& rows, const RepeatedRun& own, const std::vector<RepeatedRun>& repeated,
                     Verification& result) {
  const auto add = [&](const std::string& name, double value, const std::string& unit, const auto& of) {
    const double scale = scale_of(value, unit, rows);
    result.results.push_back({name, {}});
    for (const RepeatedRun& repeat : repeated)
      result.results.back().agree.push_back(agreeing_digits(value, of(repeat), scale));
  };
  for (const auto& [name, value] : own.numbers.values) {
    const auto unit = std::ranges::find(own.numbers.units, name, &std::pair<std::string, std::string>::first);
    add(name, value, unit == own.numbers.units.end() ? "" : unit->second,
        [&](const RepeatedRun& repeat) { return error_of(repeat.numbers.values, name); });
  }
  for (const Peak& peak : own.outcome.peaks)
    add("largest " + peak.name, std::abs(peak.value), peak.unit, [&](const RepeatedRun& repeat) {
      const auto same = std::ranges::find(repeat.outcome.peaks, peak.name, &Peak::name);
      return same == repeat.outcome.peaks.end() ? std::numeric_limits<double>::quiet_NaN() : std::abs(same->value);
    });
}

const Verification::Digits* worst_of(const Verification& verification) {
  const Verification::Digits* worst = nullptr;
  for (const auto* list : {&verification.channels, &verification.results})
    for (const auto& each : *list)
      if (!std::isnan(each.least()) && (!worst || each.least() < worst->least())) worst = &each;
  return worst;
}

void judge(Verification& result) {
  const Verification::Digits* worst = worst_of(result);
  const bool finished = std::all_of(result.repeats.begin(), result.repeats.end(),
                                    [](const auto& repeat) { return repeat.status == "finished"; });
  result.doubtful = result.divergence || !finished || (worst && worst->least() < result.promised);
  if (const auto& divergence = result.divergence)
    result.sentence = in_words({divergence->t, divergence->rate}, divergence->how);
  else if (worst)
    result.sentence =
        fmt::format("all channels{} agree to {:.1f} digits or more ({}), {} {:.0f} that the run promises",
                    result.results.empty() ? "" : " and results", worst->least(), worst->channel,
                    worst->least() < result.promised ? "fewer than the" : "at least the", result.promised);
  if (!finished)
    result.sentence += result.sentence.empty() ? "not all repetitions finished" : "; not all repetitions finished";
}

using Running = std::vector<std::future<RepeatedRun>>;

RepeatedRun repeat_all(const Model& model, const Repeat& repeat, long every, const NumbersOfMotion& numbers,
                       const std::atomic<bool>& stop) {
  const Interruption interruption([&] { return stop.load(); });
  const Progress going = [&](double, long) { return !stop; };
  RepeatedRun result = run_again(repeat.prepared, every, going);
  if (numbers && result.outcome.status == RunStatus::finished)
    guarded(result.outcome, [&] { result.numbers = numbers(repeated(model, repeat.change), going); });
  return result;
}

Running begin_repeats(const Model& model, const Repeats& repeats, long every, const NumbersOfMotion& numbers,
                      const std::atomic<bool>& stop) {
  Running running;
  for (const Repeat& repeat : repeats.list)
    running.push_back(
        std::async(std::launch::async, [&, every] { return repeat_all(model, repeat, every, numbers, stop); }));
  return running;
}

// Waits for them, but not longer than somebody else does.
std::vector<RepeatedRun> gather(Running& running, const Progress& progress, const Outcome& outcome,
                                std::atomic<bool>& stop) {
  std::vector<RepeatedRun> repeated;
  for (std::future<RepeatedRun>& repeat : running) {
    while (repeat.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready)
      if (progress && !progress(outcome.last.t, outcome.statistics.integrator.steps)) stop = true;
    repeated.push_back(repeat.get());
  }
  return repeated;
}

Verification verification(const Prepared& prepared, const Repeats& repeats, const MemoryRecorder& rows,
                          const RepeatedRun& own, const std::vector<RepeatedRun>& repeated) {
  Verification result;
  result.left_out = repeats.left_out;
  result.promised = promised_digits(prepared.options);
  for (std::size_t k = 0; k < repeated.size(); ++k)
    result.repeats.push_back(
        {repeats.list[k].change.how, to_string(repeated[k].outcome.status), repeated[k].outcome.sentence});
  compare(prepared, rows, repeated, result);
  compare_numbers(rows, own, repeated, result);
  judge(result);
  return result;
}

}  // namespace

std::pair<Outcome, Verification> verify(const Model& model, const Prepared& prepared, Recorder& recorder,
                                        const Progress& progress, const Warn& warn, const NumbersOfMotion& numbers) {
  const Repeats repeats = repeats_of(model, prepared);
  const long every = kept_every(prepared.options, prepared.start.t);
  std::atomic<bool> stop = false;
  Running running = begin_repeats(model, repeats, every, numbers, stop);
  KeptRows rows(every, &recorder);
  RepeatedRun own;
  Outcome& outcome = own.outcome;
  try {
    outcome = simulate(prepared, rows, progress, warn);
    if (numbers && outcome.status == RunStatus::finished) own.numbers = numbers(model, progress);
  } catch (...) {
    stop = true;  // futures wait for their threads
    throw;
  }
  if (outcome.status != RunStatus::finished) stop = true;
  const std::vector<RepeatedRun> repeated = gather(running, progress, outcome, stop);
  Verification result = verification(prepared, repeats, rows.kept(), own, repeated);
  if (outcome.status == RunStatus::finished && stop) {
    outcome.status = RunStatus::stopped;
    outcome.sentence = "the verification was stopped before all repetitions finished; the run itself finished";
  }
  if (result.doubtful) outcome.findings.push_back(finding<FindingCode::verification>("what"_a = result.sentence));
  return {std::move(outcome), std::move(result)};
}

}  // namespace armature::internal
