// What is observed beside the run is what its own thread would have seen, bit for bit, and nothing of it is lost.

#include "observe/observation_thread.hpp"

#include <gmock/gmock.h>

#include <cstring>

#include "observe/observer.hpp"
#include "support/allocation_counter.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

// A mass that friction holds, pushed by a controller that takes samples: rows at samples, before and after events.
constexpr const char* sampled = R"(
gravity: [0, 0, 0]
bodies: {block: {mass: 1}}
joints: {x: {type: prismatic, axis: x, between: [ground, block], friction: 2}}
controllers: {push: {type: formula, is: "5*sin(4*t) - x", sampled: {period: 20 ms}}}
forces: {drive: {type: effort, on: x, is: push}}
start: {speed: {x: 1}}
simulate: {end: 2, record: 5 ms}
)";

struct Recorded {
  MemoryRecorder record;
  Outcome outcome;
};

Recorded recorded(const Prepared& prepared, Observer::Thread thread) {
  Recorded result;
  Observer observer(prepared, result.record, thread);
  result.outcome = follow(prepared, observer);
  return result;
}

void expect_same_lists(const Outcome& a, const Outcome& b) {
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t k = 0; k < a.events.size(); ++k) {
    EXPECT_EQ(a.events[k].t, b.events[k].t);
    EXPECT_EQ(a.events[k].what, b.events[k].what);
    EXPECT_EQ(a.events[k].x, b.events[k].x);
    if (k > 0) {
      EXPECT_LE(a.events[k - 1].t, a.events[k].t);
    }
  }
  ASSERT_EQ(a.peaks.size(), b.peaks.size());
  for (std::size_t k = 0; k < a.peaks.size(); ++k) {
    EXPECT_EQ(a.peaks[k].value, b.peaks[k].value);
    EXPECT_EQ(a.peaks[k].t, b.peaks[k].t);
  }
}

void expect_same(const Recorded& a, const Recorded& b) {
  EXPECT_EQ(a.outcome.sentence, b.outcome.sentence);
  ASSERT_GT(a.record.rows(), 1);
  ASSERT_EQ(a.record.rows(), b.record.rows());
  ASSERT_EQ(a.record.channels().size(), b.record.channels().size());
  for (int row = 0; row < a.record.rows(); ++row) {
    const auto x = a.record.row_at(row), y = b.record.row_at(row);
    ASSERT_EQ(std::memcmp(x.data(), y.data(), x.size_bytes()), 0) << "row " << row;  // NaN equals NaN
  }
  const RunStatistics &s = a.outcome.statistics, &r = b.outcome.statistics;
  EXPECT_EQ(s.rows, r.rows);
  EXPECT_EQ(s.position_error, r.position_error);
  EXPECT_EQ(s.velocity_error, r.velocity_error);
  EXPECT_EQ(s.energy_error, r.energy_error);
  EXPECT_EQ(s.energy_size, r.energy_size);
  EXPECT_EQ(s.near_singular, r.near_singular);
  EXPECT_EQ(s.smallest_rank, r.smallest_rank);
  EXPECT_EQ(s.integrator.evaluations, r.integrator.evaluations);
  expect_same_lists(a.outcome, b.outcome);
}

class Beside : public testing::TestWithParam<std::pair<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Runs, Beside,
                         testing::Values(std::pair{"press", "dopri5"}, std::pair{"rrr", "dop853"},
                                         std::pair{"slider_crank", "cvode_bdf"}, std::pair{"four_bar", "ida"},
                                         std::pair{"stewart", "dopri5"}, std::pair{"n_four_bar", "dopri5"},
                                         std::pair{"press", "rk4"}, std::pair{"rrr_motors", "dopri5"},
                                         std::pair{"rrr_motors", "dop853"}, std::pair{"slider_crank", "dop853"},
                                         std::pair{"slider_crank", "cvode_adams"}, std::pair{"slider_crank", "radau5"},
                                         std::pair{"rrr_motors", "rk4"}, std::pair{"rrr", "rk4"},
                                         std::pair{"rrr", "euler"}),
                         [](const auto& info) { return std::string(info.param.first) + "_" + info.param.second; });

TEST_P(Beside, GivesTheSameRows) {
  Model model = shipped(GetParam().first);
  model.simulate.integrator = GetParam().second;
  model.simulate.end = 0.5;
  const Prepared start = prepared(model);
  expect_same(recorded(start, Observer::Thread::beside), recorded(start, Observer::Thread::run));
}

TEST(ObservationThread, GivesTheSameRowsBeforeAndAfterEventsAndSamples) {
  const Prepared start = prepared_text(sampled);
  const Recorded beside = recorded(start, Observer::Thread::beside);
  EXPECT_FALSE(beside.outcome.events.empty());
  expect_same(beside, recorded(start, Observer::Thread::run));
}

// Steps that begin anew at every sample, without comparisons.
TEST(ObservationThread, GivesTheSameRowsOfFixedStepsBetweenSamples) {
  std::string smooth = sampled;
  smooth.replace(smooth.find(", friction: 2"), 13, "");
  smooth.replace(smooth.find("record: 5 ms"), 12, "record: 7 ms, integrator: rk4, step: 3 ms");
  const Prepared start = prepared_text(smooth);
  expect_same(recorded(start, Observer::Thread::beside), recorded(start, Observer::Thread::run));
}

TEST(ObservationThread, KeepsWhatWasRecordedWhenTheRunStops) {
  const Prepared start = prepared(shipped("rrr"));
  MemoryRecorder record;
  const Outcome outcome = simulate(start, record, [](double t, long) { return t < 1; });
  EXPECT_EQ(outcome.status, RunStatus::stopped);
  EXPECT_EQ(record.rows(), 1 + static_cast<int>(outcome.last.t / start.options.record));
}

TEST(ObservationThread, KeepsWhatWasRecordedWhenTheRunThrows) {
  const Prepared start = prepared(shipped("rrr"));
  MemoryRecorder record;
  double last = 0;
  const auto stop_at_1 = [&](double t, long) {
    last = t;
    if (t >= 1) throw std::runtime_error("enough");
    return true;
  };
  EXPECT_THROW(simulate(start, record, stop_at_1), std::runtime_error);
  EXPECT_EQ(record.rows(), 1 + static_cast<int>(last / start.options.record));
}

TEST(ObservationThread, ThrowsWhatTheRecorderThrows) {
  struct Full : MemoryRecorder {
    void row(std::span<const double> values) override {
      if (rows() == 300) throw std::runtime_error("no room for more rows");
      MemoryRecorder::row(values);
    }
  } full;
  const Prepared start = prepared(shipped("rrr"));
  EXPECT_THAT([&] { simulate(start, full); }, testing::ThrowsMessage<std::runtime_error>("no room for more rows"));
  EXPECT_EQ(full.rows(), 300);
}

struct Counting : Recorder {
  void begin(const std::vector<Channel>&) override {}
  void row(std::span<const double>) override {
    if (++rows == 1000) before = allocations;
    if (rows == 2000) after = allocations;
  }
  int rows = 0;
  long before = 0, after = -1;
};

// Neither thread, once all is sized: 1000 rows with the steps between them, their peaks and comparisons.
TEST(ObservationThread, AllocatesNothing) {
  for (const char* name : {"rrr", "slider_crank", "crane"}) {
    Prepared start = prepared(shipped(name));
    start.options.end *= 10;  // the run, which is ahead of its rows, does not end before they are counted
    start.options.record = start.options.end / 10000;
    Counting counting;
    simulate(start, counting);
    EXPECT_EQ(counting.after, counting.before) << name;
  }
}

}  // namespace
}  // namespace armature::internal
