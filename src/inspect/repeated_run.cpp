#include "inspect/repeated_run.hpp"

#include <algorithm>
#include <cmath>

#include "observe/observer.hpp"

namespace armature::internal {

namespace {

constexpr double most_rows = 10000;  // that are compared, evenly over the run

}  // namespace

void KeptRows::begin(const std::vector<Channel>& channels) {
  kept_.begin(channels);
  if (to_) to_->begin(channels);
}

void KeptRows::row(std::span<const double> values) {
  if (count_++ % every_ == 0) kept_.row(values);
  if (to_) to_->row(values);
}

long kept_every(const RunOptions& options, double start) {
  return std::max(1L, std::lround(std::ceil((options.end - start) / options.record / most_rows)));
}

void guarded(Outcome& outcome, const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    outcome.status = RunStatus::failed;
    outcome.sentence = error.what();
  }
}

RepeatedRun run_again(const Prepared& prepared, long every, const Progress& progress) {
  KeptRows rows(every);
  RepeatedRun result;
  result.outcome.last = prepared.start;
  guarded(result.outcome, [&] {
    Observer observer(prepared, rows, Observer::Thread::run, Observation::Lists::peaks);
    result.outcome = follow(prepared, observer, progress);
  });
  result.rows = rows.kept();
  return result;
}

}  // namespace armature::internal
