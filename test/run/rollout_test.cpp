// Many motions in equal steps: the states of runs with these steps, and what those would say of themselves.
#include "run/rollout.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "model/findings.hpp"
#include "support/rollout_start.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

struct Rolled {
  std::vector<double> last;  // motions x width
  std::vector<long> failed;
  std::vector<Findings> findings;
};

Rolled roll(const Prepared& prepared, long motions, long steps, std::vector<double> inputs = {}) {
  const std::vector<double> start = rollout_start(prepared);
  std::vector<double> states;
  for (long k = 0; k < motions; ++k) states.insert(states.end(), start.begin(), start.end());
  const auto count = static_cast<std::size_t>(motions);
  Rolled rolled{std::vector<double>(states.size()), std::vector<long>(count), std::vector<std::vector<Finding>>(count)};
  RolloutArrays arrays{.motions = motions, .steps = steps, .states = states.data()};
  if (!inputs.empty()) arrays.inputs = inputs.data(), arrays.inputs_change = true;
  arrays.kept = rolled.last.data(), arrays.failed = rolled.failed.data(), arrays.findings = rolled.findings.data();
  Rollout engine(prepared);
  for (long first = 0; first < motions; first += lane_count) engine.run(first, arrays);
  return rolled;
}

Prepared to_roll(const Model& model, double step, const std::vector<std::string>& free = {}) {
  Prepared result = compile(model, free);
  assemble_start(result);
  EXPECT_EQ(result.failure, "");
  prepare_for_rollout(result, "rk4", step);
  return result;
}

Simulation run_with(Model model, double step, double end) {
  model.simulate.integrator = "rk4", model.simulate.step = step, model.simulate.end = end, model.simulate.record = step;
  return simulated(model);
}

// A ball falls 1 m onto a rigid floor, which it reaches at 0.45 s.
constexpr const char* falling_ball = R"(
armature: 1
plane: xy
gravity: [0, -9.81, 0]
bodies: {b: {mass: 1, inertia: none}}
joints: {y: {type: prismatic, axis: y, between: [ground, b]}}
forces: {c: {type: contact, gap: y, restitution: 0.5}}
start: {keep: {y: 1}}
simulate: {end: 1, record: 0.1}
)";

TEST(Rollout, PassesAnImpactAsARunDoes) {
  const Model model = read_model_text(falling_ball);
  const Rolled rolled = roll(to_roll(model, 1e-3), 3, 600);
  const Simulation run = run_with(model, 1e-3, 0.6);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(rolled.last[2 * k], run.last("y"), 1e-12);
    EXPECT_NEAR(rolled.last[2 * k + 1], run.last("y'"), 1e-12);
  }
  EXPECT_GT(rolled.last[1], 0);
  EXPECT_THAT(rolled.failed, Each(-1));
  EXPECT_THAT(rolled.findings, Each(IsEmpty()));
}

// With sanitizers: nothing is written beside the states, of which rollouts leave some out.
TEST(Rollout, TakesEveryShippedModel) {
  const std::filesystem::path models = std::string(source_directory) + "/models";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(models)) {
    const std::string name = std::filesystem::relative(entry.path(), models).replace_extension().string();
    if (entry.path().extension() != ".yaml" || name.starts_with("robots/")) continue;
    SCOPED_TRACE(name);
    const Model model = shipped(name);
    const bool collides = name.starts_with("contact/");
    const Prepared prepared = to_roll(model, model.simulate.end / (collides ? 500 : 5000));
    const Rolled rolled = roll(prepared, collides ? 2 : 9, collides ? 500 : 5);
    for (const double x : rolled.failed[0] < 0 ? rolled.last : std::vector<double>()) EXPECT_TRUE(std::isfinite(x));
    EXPECT_THAT(rolled.failed, Each(rolled.failed[0]));
  }
}

// Steps of 1 ms are too long for the stiffness of the floor: x is 68 m after 0.6 s, in place of 0.08 m.
TEST(Rollout, SaysWhatARunWithItsStepsSays) {
  const Model model = shipped("contact/bouncing_ball");
  const Rolled rolled = roll(to_roll(model, 1e-3), 9, 600);
  const Simulation run = run_with(model, 1e-3, 0.6);
  const auto energy = std::ranges::find(run.outcome.findings, FindingCode::energy, &Finding::code);
  ASSERT_NE(energy, run.outcome.findings.end());
  EXPECT_THAT(rolled.failed, Each(600));  // after the last
  EXPECT_THAT(rolled.findings,
              Each(ElementsAre(AllOf(Field(&Finding::code, FindingCode::energy),
                                     Field(&Finding::sentence, HasSubstr("do not trust the motion"))))));
  EXPECT_EQ(rolled.findings[0][0].sentence.substr(0, 36), energy->sentence.substr(0, 36));  // "… off by 1.3e+03 J"
}

TEST(Rollout, IsSilentAboutShippedModelsWithTheirSteps) {
  for (const std::string& name : shipped_models()) {
    const Model model = shipped(name);
    const Prepared prepared = to_roll(model, 1e-5);
    if (prepared.system->layout().nv > 30) continue;
    const Rolled rolled = roll(prepared, 1, 40);
    if (rolled.failed[0] < 0 || rolled.failed[0] == 40)
      for (const Finding& finding : rolled.findings[0]) ADD_FAILURE() << name << ": " << finding.sentence;
  }
}

TEST(Rollout, NamesWhyAMotionFailed) {
  const Rolled rolled = roll(to_roll(read_model_text(R"(
armature: 1
plane: xy
gravity: [0, 0, 0]
bodies: {b: {mass: 1, inertia: none}}
joints: {x: {type: prismatic, axis: x, between: [ground, b]}}
forces: {pull: {type: effort, on: x, is: 1 N/sqrt(0.105 - t/(1 s))}}
)"),
                                     1e-2),
                             2, 20);
  EXPECT_THAT(rolled.failed, Each(10));
  EXPECT_THAT(
      rolled.findings,
      Each(ElementsAre(AllOf(Field(&Finding::code, FindingCode::failed),
                             Field(&Finding::sentence, HasSubstr("at t = 0.1 s failed: a number of the state"))))));
}

// Without projection or gains a four-bar opens as its steps get longer.
TEST(Rollout, SaysWhereConstraintsOpen) {
  Model model = shipped("four_bar");
  model.simulate.projection = false;
  const Rolled rolled = roll(to_roll(model, 0.05), 2, 60);
  EXPECT_THAT(rolled.failed, Each(60));
  EXPECT_THAT(rolled.findings, Each(testing::Contains(Field(&Finding::code, FindingCode::constraint))));
}

// The stiffness of a spring that is stretched by 1 m jumps from step to step: its host does the work.
TEST(Rollout, CountsWhatInputsBringAsWorkOfTheHost) {
  const Model model = read_model_text(R"(
armature: 1
plane: xy
gravity: [0, 0, 0]
parameters: {k: 1 N/m}
bodies: {b: {mass: 1, inertia: none}}
joints: {x: {type: prismatic, axis: x, between: [ground, b]}}
forces: {s: {type: torsion_spring, on: x, stiffness: k}}
start: {keep: {x: 1}}
)");
  std::vector<double> inputs;
  for (int step = 0; step < 100; ++step) inputs.insert(inputs.end(), {1.0 + step % 3, 5.0 - step % 2});
  EXPECT_THAT(roll(to_roll(model, 1e-2, {"k"}), 2, 100, inputs).findings, Each(IsEmpty()));
}

// Two boxes on four feet each, that slide and spin: as runs say.
TEST(Rollout, SaysWhereRigidBodiesLeaveTheMotionOpen) {
  const Model model = read_model_text(R"(
armature: 1
gravity: [0, 0, -9.81]
bodies: {box: {mass: 1, center: [0.03, 0.01, 0.03], inertia: {xx: 0.004, yy: 0.015, zz: 0.018}, points: {a: [0.2, 0.1, 0], b: [-0.2, 0.1, 0], c: [-0.2, -0.1, 0], d: [0.2, -0.1, 0]}}}
joints: {pose: {type: free, between: [ground, box]}}
forces:
  a: {type: contact, between: [box.a, {plane: ground, normal: z}], restitution: 0, friction: 0.3}
  b: {type: contact, between: [box.b, {plane: ground, normal: z}], restitution: 0, friction: 0.3}
  c: {type: contact, between: [box.c, {plane: ground, normal: z}], restitution: 0, friction: 0.3}
  d: {type: contact, between: [box.d, {plane: ground, normal: z}], restitution: 0, friction: 0.3}
start: {keep: {pose.x: 0, pose.y: 0, pose.z: 0}, speed: {box: {velocity: [0.8, 0, 0], spin: [0, 0, 6]}}}
)");
  EXPECT_THAT(roll(to_roll(model, 1e-3), 2, 20).findings,
              Each(ElementsAre(AllOf(Field(&Finding::code, FindingCode::open_motion),
                                     Field(&Finding::sentence, HasSubstr("one of many"))))));
}

}  // namespace
}  // namespace armature::internal
