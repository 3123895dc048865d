// Studies as calls, on models with known answers.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "armature/armature.hpp"
#include "support/paths.hpp"

namespace {

using armature::Error;
using armature::Model;
using testing::HasSubstr;

Model shipped(const std::string& name, const armature::Settings& settings = {}) {
  return armature::read_model(std::string(armature::internal::source_directory) + "/models/" + name + ".yaml",
                              settings);
}

// Swings about y; small vibrations of 9.81/l.
Model pendulum() {
  return armature::parse_model(R"(
armature: 1
gravity: [0, 0, -9.81]
parameters: {l: 2 m}
inputs: {push: {unit: N*m}}
bodies: {bob: {mass: 1 kg, center: [0, 0, -l], inertia: none}}
joints: {hinge: {type: revolute, axis: y, between: [ground, bob]}}
forces: {torque: {type: effort, on: hinge, is: push}}
start: {keep: {hinge: 0.1}}
simulate: {end: 2 s, rtol: 1e-9}
)");
}

TEST(Studies, SweepNumbersOfTheMotion) {
  const armature::Sweep sweep = armature::sweep(
      shipped("crane"), {.over = {{"rope", 0.5, 1, 3}}, .results = {{"peak", "max(abs(motor.current))"}}});
  ASSERT_EQ(sweep.points.size(), 3u);
  EXPECT_EQ(sweep.points[1][0], 0.75);
  ASSERT_EQ(sweep.values.size(), 1u);
  for (const double peak : sweep.values[0]) EXPECT_NEAR(peak, 8.437, 1e-2);
}

TEST(Studies, VaryInputs) {
  const armature::Sweep sweep =
      armature::sweep(pendulum(), {.over = {{"push", -1, 1, 3}}, .results = {{"last", "final(hinge)"}}});
  const double w = std::sqrt(9.81 / 2);  // 1 N m turns the equilibrium by about 1/(m g l)
  EXPECT_NEAR(sweep.values[0][1], 0.1 * std::cos(2 * w), 1e-3);
  EXPECT_NE(sweep.values[0][0], sweep.values[0][2]);
}

TEST(Studies, MapClasses) {
  const armature::Map map =
      armature::map(pendulum(), {.over = {{"hinge.v", 0, 10, 5}}, .classify = "round: max(abs(hinge)) > 3.2; swings"});
  EXPECT_EQ(map.classes, (std::vector<std::string>{"round", "swings"}));
  // over the top with more than 2 sqrt(g/l) = 4.43 rad/s
  EXPECT_EQ(map.motion_class, (std::vector<int>{1, 1, 0, 0, 0}));
}

// The length whose half period is 2 s/1.5: the pendulum is back at its start.
TEST(Studies, FindAnOptimum) {
  const armature::Optimum found = armature::optimize(
      pendulum(), {.over = {{"l", 0.5, 1.5}}, .objective = "(final(hinge) - 0.1)^2", .tolerance = 1e-8});
  ASSERT_TRUE(found.found);
  const double period = 2 * std::numbers::pi * std::sqrt(found.point[0] / 9.81);
  EXPECT_NEAR(period, 2, 5e-3);
  EXPECT_LT(found.objective, 1e-9);
}

TEST(Studies, FindModes) {
  const armature::Modes found = armature::modes(pendulum());
  ASSERT_EQ(found.modes.size(), 1u);
  EXPECT_NEAR(found.modes[0].frequency, std::sqrt(9.81 / 2), 1e-9);
  EXPECT_THAT(found.inputs, testing::Contains("push"));
  const auto push = static_cast<std::size_t>(std::ranges::find(found.inputs, "push") - found.inputs.begin());
  EXPECT_NEAR(found.B[found.inputs.size() + push], 1.0 / 4, 1e-12);  // 1/(m l^2)
}

TEST(Studies, FindSingularPoses) {
  const armature::Singularities found = armature::singularities(shipped("rrr", {{"simulate.end", "1"}}));
  EXPECT_FALSE(found.poses.empty());
  for (const armature::SingularPose& pose : found.poses) EXPECT_FALSE(pose.sentence.empty());
}

// Rows of a rollout are states of a run with the same method; the number of motions and threads does not matter.
TEST(Studies, RollOutManyMotions) {
  const armature::Machine machine = armature::compile(shipped("rrr"), {.step = 1e-3, .integrator = "rk4"});
  const armature::Rollout rollout(machine, {.step = 1e-3});
  const std::size_t size = rollout.channels().size(), count = 11;
  const std::vector<double> start = rollout.row(machine.start());
  ASSERT_EQ(start.size(), size);
  std::vector<double> states;
  for (std::size_t k = 0; k < count; ++k) states.insert(states.end(), start.begin(), start.end());
  std::vector<double> kept(2 * count * size), again(kept.size());
  std::vector<long> failed(count);
  rollout.run({.steps = 20, .states = states, .every = 10}, kept, failed, {.threads = 1});
  rollout.run({.steps = 20, .states = states, .every = 10}, again, failed, {.threads = 3});
  EXPECT_EQ(kept, again);
  EXPECT_EQ(failed, std::vector<long>(count, -1));
  armature::Run run(machine);
  run.advance(0.02);
  const std::vector<double> last = rollout.row(run.state());
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(kept[(count + k) * size + i], last[i], 1e-12) << k << " " << i;
  EXPECT_THROW(rollout.run({.states = states, .every = 2}, kept, failed), Error);
  EXPECT_THROW(armature::Rollout(machine, {.integrator = "cvode_bdf"}), Error);
}

TEST(Studies, RollOutWithInputs) {
  const armature::Machine machine = armature::compile(pendulum());
  const armature::Rollout rollout(machine, {.step = 1e-2});
  const std::size_t size = rollout.channels().size();
  std::vector<double> states, inputs;
  for (int k = 0; k < 3; ++k) {
    const std::vector<double> row = rollout.row(machine.start());
    states.insert(states.end(), row.begin(), row.end());
  }
  for (int step = 0; step < 30; ++step)
    for (int k = 0; k < 3; ++k) inputs.push_back(k * std::sin(0.1 * step));
  std::vector<double> kept(3 * size);
  std::vector<long> failed(3);
  rollout.run({.steps = 30, .states = states, .inputs = inputs}, kept, failed);
  for (std::size_t k = 0; k < 3; ++k) {
    armature::Run run(armature::compile(pendulum(), {.step = 1e-2, .integrator = "rk4"}));
    for (int step = 0; step < 30; ++step) {
      run.set_input("push", inputs[static_cast<std::size_t>(3 * step) + k]);
      run.advance(1e-2 * (step + 1));
    }
    EXPECT_NEAR(kept[k * size], run.state().q[0], 1e-12) << k;
    EXPECT_NEAR(kept[k * size + 1], run.state().v[0], 1e-12) << k;
  }
}

// Steps of 1 ms are too long for the floor of the bouncing ball: its motions do not fail, but their energy is off.
TEST(Studies, RollOutAndSayWhatIsWrong) {
  const armature::Machine machine = armature::compile(shipped("contact/bouncing_ball"));
  const std::size_t count = 11;
  const auto said = [&](double step, long steps) {
    const armature::Rollout rollout(machine, {.step = step});
    const std::vector<double> row = rollout.row(machine.start());
    std::vector<double> states, kept(count * row.size());
    for (std::size_t k = 0; k < count; ++k) states.insert(states.end(), row.begin(), row.end());
    std::vector<long> failed(count);
    const std::vector<std::string> sentences = rollout.run({.steps = steps, .states = states}, kept, failed);
    EXPECT_EQ(failed, std::vector<long>(count, sentences.empty() ? -1 : steps));
    return sentences;
  };
  const std::vector<std::string> sentences = said(1e-3, 600);
  ASSERT_EQ(sentences.size(), 1u);
  EXPECT_TRUE(sentences[0].starts_with(
      "energy: 11 of 11 motions, the first is motion 0: the energy balance is off by 1.3e+03 J"))
      << sentences[0];
  EXPECT_TRUE(said(1e-5, 1000).empty());
}

// A sampled controller has a clock: such motions run one by one.
TEST(Studies, RollOutSampledControllers) {
  const Model model = armature::parse_model(R"(
armature: 1
gravity: [0, 0, 0]
plane: xy
bodies: {disk: {mass: 1 kg, inertia: {zz: 1 kg*m^2}}}
joints: {turn: {type: revolute, axis: z, between: [ground, disk]}}
controllers: {held: {type: formula, is: 1 N*m - turn*1 N*m, sampled: {period: 0.5 s}}}
forces: {drive: {type: effort, on: turn, is: held}}
simulate: {end: 1 s}
)");
  const armature::Machine machine = armature::compile(model);
  const armature::Rollout rollout(machine, {.step = 0.25});
  const std::vector<double> start = rollout.row(machine.start());
  std::vector<double> kept(start.size());
  std::vector<long> failed(1);
  rollout.run({.steps = 4, .states = start}, kept, failed);
  // 1 until 0.5 s, which leads to 0.125 and 0.5; then 0.875
  EXPECT_NEAR(kept[0], 0.125 + 0.25 + 0.875 * 0.125, 1e-12);
}

TEST(Studies, MoveAMachineByFormulas) {
  const armature::Motion motion =
      armature::kinematics(shipped("four_bar", {{"simulate.end", "1"}}), {{"crank_angle", "60 deg + 2*t"}});
  const std::vector<double> a = motion.trajectory.column("crank_angle");
  EXPECT_NEAR(a.back(), std::numbers::pi / 3 + 2, 1e-9);
}

TEST(Studies, StopWhenAskedTo) {
  try {
    armature::sweep(shipped("crane"), {.over = {{"rope", 0.5, 1, 2000}}, .results = {{"x", "final(travel)"}}},
                    {.progress = [](long, long) { return false; }});
    FAIL() << "it was not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::stopped);
  }
}

TEST(Studies, PassOnWhatTheProgressThrows) {
  struct Mine {};
  EXPECT_THROW(armature::sweep(pendulum(), {.over = {{"l", 1, 2, 30}}, .results = {{"x", "final(hinge)"}}},
                               {.threads = 2, .progress = [](long, long) -> bool { throw Mine(); }}),
               Mine);
}

TEST(Studies, ReportTheEvaluationsOfAnOptimization) {
  long most = 0, of = 0;
  const armature::Optimum found = armature::optimize(
      pendulum(), {.over = {{"l", 0.5, 1.5}}, .objective = "(final(hinge) - 0.1)^2", .evaluations = 30},
      {.progress = [&](long done, long count) {
        EXPECT_GE(done, most);
        most = done, of = count;
        return true;
      }});
  EXPECT_TRUE(found.found);
  EXPECT_EQ(of, 30);
  EXPECT_EQ(most, 30);  // a search that is done counts in full
}

TEST(Studies, SpeakOfArgumentsNotOfOptions) {
  const auto words = [](const auto& call) {
    try {
      call();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  const std::string none = words([] { armature::sweep(pendulum(), {.results = {{"x", "final(hinge)"}}}); });
  EXPECT_THAT(none, HasSubstr("over"));
  EXPECT_THAT(none, testing::Not(HasSubstr("--")));
  const std::string subject = words([] {
    armature::optimize(pendulum(),
                       {.over = {{"l", 0.5, 1.5}}, .objective = "final(hinge)", .subject = {"final(hinge)"}});
  });
  EXPECT_THAT(subject, HasSubstr("subject final(hinge): expected a comparison"));
  EXPECT_THAT(subject, testing::Not(HasSubstr("--")));
}

TEST(Studies, RefuseNumbersThatMeanNothing) {
  EXPECT_THROW(armature::optimize(pendulum(), {.over = {{"l", 0.5, 1.5}}, .objective = "final(hinge)", .starts = 0}),
               Error);
  EXPECT_THROW(
      armature::map(pendulum(), {.over = {{"l", 1, 2, 3}}, .classify = "a: final(hinge) > 0; b", .refine = -1}), Error);
  EXPECT_THROW(armature::tune(pendulum(), {.alpha = {1}, .beta = {-20}}), Error);
}

TEST(Studies, NameWhatThereIsNot) {
  try {
    armature::sweep(pendulum(), {.over = {{"len", 0.5, 1, 2}}, .results = {{"x", "final(hinge)"}}});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    EXPECT_THAT(error.what(), HasSubstr("'len' is not a parameter, an input, a coordinate or its rate"));
  }
}

}  // namespace
