#include "inspect/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <future>

#include "inspect/agreement.hpp"
#include "inspect/divergence.hpp"
#include "inspect/repeats.hpp"
#include "model/findings.hpp"
#include "observe/observer.hpp"
#include "run/describe.hpp"

namespace armature::internal {

namespace {

constexpr double most_rows = 10000;      // that are compared, evenly over the run
constexpr double lost_by_adding_up = 3;  // digits: errors of machines in docs/choosing.md are 6 to 1000 rtol
constexpr double of_fixed_steps = 2;     // digits

// Keeps every so many rows, and may pass all of them on.
class KeptRows final : public Recorder {
 public:
  explicit KeptRows(long every, Recorder* to = nullptr) : every_(every), to_(to) {}
  void begin(const std::vector<Channel>& channels) override {
    kept_.begin(channels);
    if (to_) to_->begin(channels);
  }
  void row(std::span<const double> values) override {
    if (count_++ % every_ == 0) kept_.row(values);
    if (to_) to_->row(values);
  }
  const MemoryRecorder& kept() const { return kept_; }

 private:
  long every_, count_ = 0;
  Recorder* to_;
  MemoryRecorder kept_;
};

long kept_every(const Prepared& prepared) {
  const double rows = (prepared.options.end - prepared.start.t) / prepared.options.record;
  return std::max(1L, std::lround(std::ceil(rows / most_rows)));
}

struct Repeated {
  Outcome outcome;
  MemoryRecorder rows;
};

// An exception is a failed outcome.
Repeated run_again(const Prepared& prepared, long every, const std::atomic<bool>& stop) {
  KeptRows rows(every);
  Repeated result;
  try {
    Observer observer(prepared, rows, Observer::Thread::run, Observation::Lists::none);
    result.outcome = follow(prepared, observer, [&](double, long) { return !stop; });
  } catch (const std::exception& error) {
    result.outcome.status = RunStatus::failed;
    result.outcome.sentence = error.what();
  }
  result.rows = rows.kept();
  return result;
}

double promised_digits(const RunOptions& options) {
  return takes_fixed_steps(options.integrator) ? of_fixed_steps : -std::log10(options.rtol) - lost_by_adding_up;
}

void compare(const Prepared& prepared, const MemoryRecorder& rows, const std::vector<Repeated>& repeated,
             Verification& result) {
  const ChannelScales scales = channel_scales(rows, prepared);
  for (const Channel& channel : rows.channels()) {
    const auto scale = scales.find(channel.name);
    if (scale == scales.end()) continue;
    result.channels.push_back({channel.name, {}});
    for (const Repeated& repeat : repeated)
      result.channels.back().agree.push_back(agreeing_digits(rows, repeat.rows, channel.name, scale->second));
  }
  const std::vector<double> t = rows.column("t");
  for (std::size_t k = 0; k < repeated.size(); ++k) {
    const auto divergence =
        find_divergence(t, differences(rows, repeated[k].rows, scales, prepared.system->equations()));
    if (divergence && (!result.divergence || divergence->t < result.divergence->t))
      result.divergence = Verification::Divergence{divergence->t, divergence->rate, result.repeats[k].how};
  }
}

const Verification::Digits* worst_channel(const Verification& verification) {
  const Verification::Digits* worst = nullptr;
  for (const auto& channel : verification.channels)
    if (!std::isnan(channel.least()) && (!worst || channel.least() < worst->least())) worst = &channel;
  return worst;
}

void judge(Verification& result) {
  const Verification::Digits* worst = worst_channel(result);
  const bool finished = std::all_of(result.repeats.begin(), result.repeats.end(),
                                    [](const auto& repeat) { return repeat.status == "finished"; });
  result.doubtful = result.divergence || !finished || (worst && worst->least() < result.promised);
  if (result.divergence && result.divergence->rate > 0)
    result.sentence = fmt::format(
        "the motion is chaotic from t = {:.4g} s on: errors grow by a factor of e every {:.2g} s, when {} differs by 1 "
        "%; the motion after that depends on rounding",
        result.divergence->t, 1 / result.divergence->rate, result.divergence->how);
  else if (result.divergence)
    result.sentence = fmt::format(
        "from t = {:.4g} s on the run and {} are different motions: they separate at once, as happens where a "
        "comparison or a singular pose decides",
        result.divergence->t, result.divergence->how);
  else if (worst)
    result.sentence = fmt::format(
        "all channels agree to {:.1f} digits or more ({}), {} {:.0f} that the run promises", worst->least(),
        worst->channel, worst->least() < result.promised ? "fewer than the" : "at least the", result.promised);
  if (!finished)
    result.sentence += result.sentence.empty() ? "not all repetitions finished" : "; not all repetitions finished";
}

using Running = std::vector<std::future<Repeated>>;

Running begin_repeats(const Repeats& repeats, long every, const std::atomic<bool>& stop) {
  Running running;
  for (const Repeat& repeat : repeats.list)
    running.push_back(std::async(std::launch::async, [&, every] { return run_again(repeat.prepared, every, stop); }));
  return running;
}

// Waits for them, but not longer than somebody else does.
std::vector<Repeated> gather(Running& running, const Progress& progress, const Outcome& outcome,
                             std::atomic<bool>& stop) {
  std::vector<Repeated> repeated;
  for (std::future<Repeated>& repeat : running) {
    while (repeat.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready)
      if (progress && !progress(outcome.last.t, outcome.statistics.integrator.steps)) stop = true;
    repeated.push_back(repeat.get());
  }
  return repeated;
}

Verification verification(const Prepared& prepared, const Repeats& repeats, const MemoryRecorder& rows,
                          const std::vector<Repeated>& repeated) {
  Verification result;
  result.left_out = repeats.left_out;
  result.promised = promised_digits(prepared.options);
  for (std::size_t k = 0; k < repeated.size(); ++k)
    result.repeats.push_back(
        {repeats.list[k].how, to_string(repeated[k].outcome.status), repeated[k].outcome.sentence});
  compare(prepared, rows, repeated, result);
  judge(result);
  return result;
}

}  // namespace

std::pair<Outcome, Verification> verify(const Model& model, const Prepared& prepared, Recorder& recorder,
                                        const Progress& progress, const Warn& warn) {
  const Repeats repeats = repeats_of(model, prepared);
  const long every = kept_every(prepared);
  std::atomic<bool> stop = false;
  Running running = begin_repeats(repeats, every, stop);
  KeptRows rows(every, &recorder);
  Outcome outcome;
  try {
    outcome = simulate(prepared, rows, progress, warn);
  } catch (...) {
    stop = true;  // futures wait for their threads
    throw;
  }
  if (outcome.status != RunStatus::finished) stop = true;
  const std::vector<Repeated> repeated = gather(running, progress, outcome, stop);
  Verification result = verification(prepared, repeats, rows.kept(), repeated);
  if (outcome.status == RunStatus::finished && stop) {
    outcome.status = RunStatus::stopped;
    outcome.sentence = "the verification was stopped before all repetitions finished; the run itself finished";
  }
  if (result.doubtful) outcome.findings.push_back(finding<FindingCode::verification>("what"_a = result.sentence));
  return {std::move(outcome), std::move(result)};
}

}  // namespace armature::internal
