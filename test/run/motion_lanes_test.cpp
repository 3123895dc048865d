// Runs in lanes: they allocate nothing on their way, and end as single runs do.

#include "run/motion_lanes.hpp"

#include <gtest/gtest.h>

#include "support/allocation_counter.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

// Looks at the first coordinate; the sum of what it sees tells motions apart.
class Sum final : public SamplingWatcher {
 public:
  void begin(Dynamics&, const Integrator&, const State& start) override { t_ = start.t; }
  bool step(const Integrator& integrator, double until) override {
    double t[samples], y[samples];
    sample_times(until, t);
    Eigen::VectorXd x;
    for (int j = 0; j < samples; ++j) integrator.interpolate(t[j], x), y[j] = x[0];
    return step_sampled(integrator, until, y);
  }
  void sample_times(double until, double* t) const override {
    for (int j = 0; j < samples; ++j) t[j] = t_ + (until - t_) * j / (samples - 1);
  }
  bool step_sampled(const Integrator&, double until, const double* outputs) override {
    for (int j = 0; j < samples; ++j) sum += outputs[j];
    t_ = until;
    return true;
  }
  bool wants_words() const override { return false; }
  double sum = 0;

 private:
  double t_ = 0;
};

std::shared_ptr<const Program> first_coordinate(const System& system) {
  return system.make_program({system.equations().q[0]});
}

class Lanes : public testing::TestWithParam<const char*> {
 protected:
  // A start a little away from the model's own, so that lanes differ in their steps.
  static std::vector<Prepared> starts(const Model& model) {
    std::vector<Prepared> list(lane_count, prepared(model));
    for (int k = 0; k < lane_count; ++k) {
      Prepared& one = list[static_cast<std::size_t>(k)];
      State from = one.start;
      from.x[0] += 1e-3 * k;
      assemble_start(one, from);
    }
    return list;
  }
};
INSTANTIATE_TEST_SUITE_P(Integrators, Lanes, testing::Values("rk4", "dopri5", "dop853"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Lanes, AllocateNothing) {
  for (const char* name : {"rrr", "stewart"}) {  // planar, and with quaternions
    Model model = shipped(name);
    model.simulate.integrator = GetParam(), model.simulate.end = 1e9, model.simulate.rtol = 1e-6;
    model.simulate.record = 1e9;  // rows are not recorded here
    const std::vector<Prepared> list = starts(model);
    MotionLanes lanes(list[0], first_coordinate(*list[0].system));
    std::vector<Sum> watchers(lane_count);
    for (int k = 0; k < lane_count; ++k)
      lanes.begin(k, list[static_cast<std::size_t>(k)], watchers[static_cast<std::size_t>(k)]);
    const MotionLanes::Done done = [](int, const Outcome&) {};
    for (int round = 0; round < 1500; ++round) lanes.advance({}, done);  // programs are assembled on the way
    const AllocationCounter counter;
    for (int round = 0; round < 200 && lanes.any(); ++round) lanes.advance({}, done);
    EXPECT_EQ(counter.count(), 0) << name;
  }
}

void expect_ends_as_single_runs(const Model& model, const std::vector<Prepared>& list) {
  MotionLanes lanes(list[0], first_coordinate(*list[0].system));
  std::vector<Sum> watchers(lane_count);
  std::vector<Outcome> outcomes(lane_count);
  for (int k = 0; k < lane_count; ++k)
    lanes.begin(k, list[static_cast<std::size_t>(k)], watchers[static_cast<std::size_t>(k)]);
  while (lanes.any())
    lanes.advance({}, [&](int k, const Outcome& outcome) { outcomes[static_cast<std::size_t>(k)] = outcome; });
  for (std::size_t k = 0; k < lane_count; ++k) {
    Sum alone;
    const Outcome outcome = follow(list[k], alone);
    EXPECT_EQ(outcomes[k].sentence, outcome.sentence);
    EXPECT_EQ(outcomes[k].last.x, outcome.last.x) << model.name << ", " << k;
    EXPECT_EQ(outcomes[k].last.d, outcome.last.d) << model.name << ", " << k;
    EXPECT_EQ(outcomes[k].statistics.integrator.steps, outcome.statistics.integrator.steps);
    EXPECT_EQ(watchers[k].sum, alone.sum) << model.name << ", " << k;
  }
}

TEST_P(Lanes, EndAsSingleRunsDo) {
  for (const char* name : {"rrr", "stewart", "four_bar"}) {
    Model model = shipped(name);
    model.simulate.integrator = GetParam(), model.simulate.end = 0.4, model.simulate.rtol = 1e-7;
    expect_ends_as_single_runs(model, starts(model));
  }
}

// Impacts, rest and friction are for the engine of each lane.
TEST_P(Lanes, CollideAsSingleRunsDo) {
  for (const char* name :
       {"contact/ball_at_rest", "contact/four_bar_stop", "contact/block_on_incline", "contact/slider_impacts"}) {
    Model model = shipped(name);
    model.simulate.integrator = GetParam(), model.simulate.rtol = 1e-7;
    if (takes_fixed_steps(GetParam())) model.simulate.step = model.simulate.end / 1000;
    expect_ends_as_single_runs(model, starts(model));
  }
}

// Its steps are longer than turns of the joint that closes it, and have to be shorter: before they are tried, or once more.
TEST_P(Lanes, ShortenStepsAsSingleRunsDo) {
  Model model = read_model_text(R"(
armature: 1
plane: xy
gravity: [0, -8.18, 0]
bodies:
  crank: {mass: 1, center: [0.05, 0, 0], inertia: {zz: 0.1}}
  rocker: {mass: 1, inertia: {zz: 0.1}}
  rod: {mass: 1e-3, center: [0.5, 0, 0], inertia: {zz: 1e-4}}
joints:
  a: {type: revolute, between: [ground, crank]}
  b: {type: revolute, between: ["ground [1, 0, 0]", rocker]}
  c: {type: revolute, between: ["crank [0.3, 0, 0]", rod]}
  d: {type: revolute, between: ["rod [1, 0, 0]", "rocker [0.3, 0, 0]"]}
start: {keep: {a: 0.5}, near: {b: 0.5}, speed: {a: 2.73}}
simulate: {end: 20 s, record: 10 ms, rtol: 1e-3}
)");
  model.simulate.integrator = GetParam();
  if (takes_fixed_steps(GetParam())) model.simulate.step = 0.01;
  expect_ends_as_single_runs(model, starts(model));
}

}  // namespace
}  // namespace armature::internal
