// Friction of joints that constraints hold at rest: a warning, and none where friction itself holds them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "model/findings.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A bar on two pins cannot turn: the vertical force on the far pin is 4.905 N less what the friction of the other takes, up to 5 N m.
std::string bar_on_two_pins(const std::string& friction) {
  return fmt::format(R"(
gravity: [0, -9.81, 0]
plane: xy
bodies: {{bar: {{mass: 1, center: [0.5, 0, 0], inertia: {{rod: 1}}}}}}
joints:
  a: {{type: revolute, between: [ground, bar], friction: {}}}
  b: {{type: revolute, between: ["ground [1, 0, 0]", "bar [1, 0, 0]"]}}
simulate: {{end: 0.2 s, record: 50 ms}}
)",
                     friction);
}

TEST(HeldFriction, IsNamedWhereALoopLocksTheJoint) {
  const Simulation run = simulated_text(bar_on_two_pins("5"));
  ASSERT_THAT(run.outcome.findings, Not(IsEmpty()));
  EXPECT_EQ(run.outcome.findings[0].code, FindingCode::friction);
  EXPECT_THAT(run.outcome.warnings(),
              Contains(HasSubstr("joint a: other constraints or frictions already prevent sliding from t = 0 s on")));
  EXPECT_THAT(run.outcome.warnings(), Contains(HasSubstr("assume sliding in the + direction")));
}

TEST(HeldFriction, OfNoSizeIsNotNamed) {
  EXPECT_THAT(simulated_text(bar_on_two_pins("0")).outcome.warnings(), IsEmpty());
}

// A prescribed motion that comes to rest at t = 0.5 s; before it friction is what it is.
TEST(HeldFriction, IsNamedWhereAPrescribedMotionRests) {
  const Simulation run = simulated_text(R"yaml(
gravity: [0, 0, 0]
bodies: {block: {mass: 1}}
joints: {x: {type: prismatic, axis: x, between: [ground, block], friction: 5}}
constraints: {drive: {type: prescribed, zero: "x - if(t < 0.5, 0.1*(1 - cos(2*pi*t)), 0.2)"}}
simulate: {end: 1 s, record: 50 ms}
)yaml");
  EXPECT_THAT(run.outcome.warnings(),
              Contains(HasSubstr("joint x: other constraints or frictions already prevent sliding from t = 0.5 s on")));
}

// A four-bar that comes to rest. The friction of one joint is what holds the machine; of two, how they share the load is not determined.
TEST(HeldFriction, IsSilentWhereItHoldsTheMachineAlone) {
  const auto four_bar = [](const std::string& second) {
    return R"(plane: xy
gravity: [0, -9.81, 0]
bodies:
  A: {mass: 1, center: [0.15, 0, 0], inertia: {rod: 0.3}}
  B: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}
  C: {mass: 1, center: [0.4, 0, 0], inertia: {rod: 0.8}}
joints:
  jA: {type: revolute, between: [ground, A], friction: 5}
  jB: {type: revolute, between: ["A [0.3, 0, 0]", B]}
  jC: {type: revolute, between: ["ground [1, 0, 0]", C])" +
           second + R"(}
  jD: {type: revolute, between: ["B [1, 0, 0]", "C [0.8, 0, 0]"]}
start: {keep: {jA: 80 deg}, near: {jB: -30 deg, jC: 100 deg}, speed: {jA: 2}}
simulate: {end: 4, record: 0.1}
)";
  };
  EXPECT_THAT(simulated_text(four_bar("")).outcome.warnings(), IsEmpty());
  EXPECT_THAT(simulated_text(four_bar(", friction: 3")).outcome.warnings(),
              Contains(HasSubstr("joint jC: other constraints or frictions already prevent sliding")));
}

}  // namespace
}  // namespace armature::internal
