// Accelerations, reactions and states in results and studies, through the program.
#include <gmock/gmock.h>

#include <cmath>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

class SignalsInStudies : public Program {
 protected:
  // The number that `name = …` prints.
  static double printed(const Answer& answer, const std::string& name) {
    const std::size_t at = answer.out.find(name + " = ");
    return at == std::string::npos ? NAN : std::stod(answer.out.substr(at + name.size() + 3));
  }
};

// x'' = -x from x = 1: the acceleration is largest at the turning points, 1 in size, and above -0.5 first at pi/3.
const char* const cart = R"yaml(armature: 1
plane: xy
gravity: [0, 0, 0]
parameters: {k: 1 N/m}
bodies: {cart: {mass: 1 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, cart], spring: {stiffness: k}}}
start: {keep: {x: 1}}
simulate: {end: 5 s, record: 0.1 s, rtol: 1e-10}
)yaml";

TEST_F(SignalsInStudies, ResultsHaveAccelerationsAndReactions) {
  write("cart.yaml", cart);
  const Answer answer = armature(R"-(run cart.yaml --result "most=max(x'')" --result "first=first(x'' > -0.5)" )-"
                                 R"-(--result "end=final(x'' + 1*x)" --result "side=max(abs(x.fy))")-");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_NEAR(printed(answer, "most"), 1, 1e-7);
  EXPECT_NEAR(printed(answer, "first"), M_PI / 3, 1e-6);
  EXPECT_NEAR(printed(answer, "end"), 0, 1e-9);
  EXPECT_NEAR(printed(answer, "side"), 0, 1e-12);
}

// In lanes and alone the same bits: max x'' = k.
TEST_F(SignalsInStudies, SweepsHaveAccelerations) {
  write("cart.yaml", cart);
  const std::string sweep = R"-(sweep cart.yaml --over k=1:4:4 --result "most=max(x'')" --no-report -o )-";
  ASSERT_EQ(armature(sweep + "alone --lanes 1").code, 0);
  ASSERT_EQ(armature(sweep + "lanes").code, 0);
  EXPECT_EQ(read("alone/cells.csv"), read("lanes/cells.csv"));
  const auto table = rows("lanes/cells.csv");
  ASSERT_EQ(table.size(), 4u);
  for (const auto& row : table) EXPECT_NEAR(row[1], row[0], 1e-6);
}

TEST_F(SignalsInStudies, EventsMayBeAboutAccelerations) {
  write("cart.yaml", std::string(cart) + "record: {events: {at_rest: \"x''\"}}\n");
  ASSERT_EQ(armature("run cart.yaml -o r").code, 0);
  const auto events = json("r/run.json")["events"];
  ASSERT_FALSE(events.empty());
  EXPECT_NEAR(events[0]["t"].get<double>(), M_PI / 2, 1e-7);
}

TEST_F(SignalsInStudies, ColumnsOfDefinitionsHaveUnits) {
  write("cart.yaml", std::string(cart) + "define: {force: -k*x, a: \"x''\", share: x/(2 m)}\n");
  ASSERT_EQ(armature("run cart.yaml -o r").code, 0);
  const std::string table = read("r/trajectory.csv"), header = table.substr(0, table.find('\n'));
  EXPECT_THAT(header, HasSubstr("force [N]"));
  EXPECT_THAT(header, HasSubstr("a [m/s^2]"));
  EXPECT_THAT(header, testing::ContainsRegex(",share(,|$)"));
}

const char* const tank = R"yaml(armature: 1
plane: xy
gravity: [0, 0, 0]
parameters: {p: 0}
bodies: {b: {mass: 1 kg, inertia: {zz: 1}}}
joints: {h: {type: revolute, between: [ground, b]}}
states: {T: {rate: -T/(2 s), start: 3}}
forces: {e: {type: effort, on: h, is: "clamp(p, -1, 1)"}}
simulate: {end: 2 s, record: 0.1 s}
)yaml";

// T(2) = T(0)/e.
TEST_F(SignalsInStudies, StatesAreVariedByName) {
  write("tank.yaml", tank);
  const Answer answer = armature("sweep tank.yaml --over T=1:3:3 --result 'end=final(T)' --no-report -o s");
  ASSERT_EQ(answer.code, 0) << answer.err;
  for (const auto& row : rows("s/cells.csv")) EXPECT_NEAR(row[1], row[0] / std::exp(1), 1e-6);
}

// h(2) = clamp(p)/2 4, also where the comparison is one of numbers.
TEST_F(SignalsInStudies, ComparisonsOfWhatIsVariedAreNoOtherModel) {
  write("tank.yaml", tank);
  const Answer answer = armature("sweep tank.yaml --over p=-2:2:9 --result 'end=final(h)' --no-report -o s");
  ASSERT_EQ(answer.code, 0) << answer.err;
  for (const auto& row : rows("s/cells.csv")) EXPECT_NEAR(row[1], 2 * std::min(1.0, std::max(-1.0, row[0])), 1e-7);
}

TEST_F(SignalsInStudies, AFileMayHaveStatesAlone) {
  write("only.yaml", "armature: 1\nstates: {T: {rate: -T/(1 s), start: 2}}\nsimulate: {end: 1 s}\n");
  const Answer answer = armature("run only.yaml --result 'end=final(T)'");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_NEAR(printed(answer, "end"), 2 / std::exp(1), 1e-7);
}

TEST_F(SignalsInStudies, ARunGoesOnWithAComparisonInAResult) {
  write("cart.yaml", cart);
  ASSERT_EQ(armature("run cart.yaml --end 1 -o a").code, 0);
  const Answer answer = armature("run cart.yaml --from a -o b --result 'first=first(x < 0)'");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_NEAR(printed(answer, "first"), M_PI / 2, 1e-6);
}

TEST_F(SignalsInStudies, WindowsInWhichNothingHappensGiveTheirStart) {
  write("cart.yaml", cart);
  const Answer answer =
      armature("run cart.yaml --result 'late=last(x > 2, 1 s, 2 s)' --result 'in=last(x > 0, 1 s, 2 s)'");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(printed(answer, "late"), 1);
  EXPECT_NEAR(printed(answer, "in"), M_PI / 2, 1e-5);
}

// A pendulum under computed torque moves as it is told, whatever its gear; the current falls with the ratio while the rotor weighs little.
TEST_F(SignalsInStudies, GearRatiosVaryUnderComputedTorque) {
  write("arm.yaml", R"yaml(armature: 1
plane: xy
gravity: [0, -9.81, 0]
parameters: {ratio: 5}
bodies: {arm: {mass: 1 kg, center: [1, 0, 0], inertia: {zz: 0.1}}}
joints: {theta: {type: revolute, between: [ground, arm]}}
controllers: {ctc: {type: computed_torque, on: [theta], target: ["quintic(t, 0 s, 1 s)"], kp: 100, kd: 20}}
drives:
  motor: {type: dc_motor, on: theta, gear_ratio: ratio, rotor_inertia: 1e-3, torque_constant: 0.1, resistance: 1, torque: ctc.theta}
simulate: {end: 1 s, record: 0.1 s}
)yaml");
  const Answer answer = armature(
      "sweep arm.yaml --over ratio=5:20:4 --result 'end=final(theta)' --result 'i=initial(motor.current)' -o s");
  ASSERT_EQ(answer.code, 0) << answer.err;
  for (const auto& row : rows("s/cells.csv")) {
    EXPECT_NEAR(row[1], 1, 1e-6);
    EXPECT_NEAR(row[2], 9.81 / (0.1 * row[0]), 1e-6);
  }
}

// m g = k x, kept by a run that starts from the equilibrium of modes.
TEST_F(SignalsInStudies, ARunStartsFromTheEquilibriumOfModes) {
  std::string text = cart;
  text.replace(text.find("[0, 0, 0]"), 9, "[9.81, 0, 0]");
  write("cart.yaml", text);
  ASSERT_EQ(armature("modes cart.yaml -o m").code, 0);
  const Answer answer = armature("run cart.yaml --from m --result 'least=min(x)' --result 'most=max(x)'");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_NEAR(printed(answer, "least"), 9.81, 1e-6);
  EXPECT_NEAR(printed(answer, "most"), 9.81, 1e-6);
}

// Beyond thirty deviations a normal distribution falls by a factor of e in a thirtieth of a deviation.
TEST_F(SignalsInStudies, ATailIsSampledAsItIs) {
  write("tank.yaml", tank);
  const Answer answer =
      armature("sweep tank.yaml --latin 200 --over 'p=normal(2, 0.1, 4.9, 6)' --result 'h=final(h)' --no-report -o s");
  ASSERT_EQ(answer.code, 0) << answer.err;
  double mean = 0;
  for (const auto& row : rows("s/cells.csv")) mean += (row[0] - 4.9) / 200;
  EXPECT_NEAR(mean, 0.1 / 29, 0.1 * 0.1 / 29);
}

}  // namespace
}  // namespace armature::internal
