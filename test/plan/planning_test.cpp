// Plans whose best motion is known in closed form.
#include "plan/planning.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "model/request_error.hpp"
#include "read/reader.hpp"

namespace armature::internal {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr double mesh_error =
    2e-4;  // relative: what inputs without jumps cost where the best ones jump (cost_settled, twice)

const char* const cart = R"(armature: 1
name: cart
gravity: [0, 0, 0]
inputs: {push: {unit: N}}
bodies: {cart: {mass: 2 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, cart]}}
forces: {force: {type: effort, on: x, is: push}}
simulate: {end: 1 s}
)";

const char* const motor = R"(armature: 1
name: motor
gravity: [0, 0, 0]
inputs: {V: {unit: V}}
bodies: {disk: {mass: 1 kg, inertia: {zz: 0.02 kg*m^2}}}
joints: {turn: {type: revolute, axis: z, between: [ground, disk]}}
drives:
  motor: {type: dc_motor, on: turn, gear_ratio: 5, rotor_inertia: 0.001, torque_constant: 0.1, resistance: 2, voltage: V}
simulate: {end: 1 s}
)";

PlanResult planned(const std::string& text, const PlanOptions& options) {
  return plan(read_model_text(text, "model.yaml"), options);
}

void expect_arrived(const PlanResult& result) {
  EXPECT_EQ(result.status, PlanStatus::found) << result.sentence;
  EXPECT_LT(result.end_error, 1e-5);
  EXPECT_LT(result.target_error, 1e-4);
  EXPECT_LT(result.constraint_error, 1e-8);
}

// Full force until the middle, then back: T = 2 sqrt(m d/F).
TEST(Plan, OfTheShortestTimeOfADoubleIntegratorIsBangBang) {
  PlanOptions options;
  options.to = {{"x", "1 m"}};
  options.inputs = {{"push", -2, 2}};
  const PlanResult result = planned(cart, options);
  expect_arrived(result);
  EXPECT_GE(result.cost, 2 - 1e-8);
  EXPECT_LE(result.cost, 2 * (1 + mesh_error));
  EXPECT_THAT(result.active, Contains("the range of push"));
}

// With a largest speed: T = d/v + v m/F.
TEST(Plan, KeepsASpeedLimit) {
  PlanOptions options;
  options.to = {{"x", "1 m"}};
  options.inputs = {{"push", -2, 2}};
  options.keep = {"x' <= 0.8 m/s"};
  const PlanResult result = planned(cart, options);
  expect_arrived(result);
  EXPECT_NEAR(result.cost, 1 / 0.8 + 0.8, 2.05 * mesh_error);
  EXPECT_THAT(result.active, Contains("--keep x' <= 0.8 m/s"));
}

// u is a straight line: integral of u^2 = 12 m^2 d^2/T^3.
TEST(Plan, OfLeastEffortOfADoubleIntegratorIsACubic) {
  PlanOptions options;
  options.to = {{"x", "1 m"}};
  options.minimize = "push^2";
  options.shortest = options.longest = 2;
  const PlanResult result = planned(cart, options);
  expect_arrived(result);
  EXPECT_NEAR(result.cost, 12 * 4 / 8.0, 1e-8);
}

// From rest at 0 to rest at 1 the oscillator x'' = u - w^2 x needs e' W^-1 e with its Gramian W; the largest difference is that of straight lines.
TEST(Plan, OfLeastEffortOfAnOscillatorIsThatOfItsGramian) {
  const std::string text = R"(armature: 1
name: oscillator
gravity: [0, 0, 0]
inputs: {push: {unit: N}}
bodies: {mass: {mass: 1 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass], spring: {stiffness: 9 N/m}}}
forces: {force: {type: effort, on: x, is: push}}
simulate: {end: 1 s}
)";
  PlanOptions options;
  options.to = {{"x", "1 m"}};
  options.minimize = "push^2";
  options.shortest = options.longest = 2;
  const PlanResult result = planned(text, options);
  expect_arrived(result);
  const double w = 3, T = 2, s2 = std::sin(2 * w * T), c2 = std::cos(2 * w * T);
  const double a = (T / 2 - s2 / (4 * w)) / (w * w), b = (1 - c2) / (4 * w * w), c = T / 2 + s2 / (4 * w);
  const double least = c / (a * c - b * b);
  EXPECT_GE(result.cost, least - 1e-7);
  EXPECT_LE(result.cost, least * (1 + 1e-4));  // cost_settled
}

// The current is a straight line: heat = 12 R J^2 a^2/(K^2 r^2 T^3), J with the rotor behind its gear.
TEST(Plan, OfLeastLossOfAMotorHasALinearCurrent) {
  PlanOptions options;
  options.to = {{"turn", "1"}};
  options.minimize = "loss";
  options.shortest = options.longest = 0.5;
  const PlanResult result = planned(motor, options);
  expect_arrived(result);
  const double J = 0.02 + 25 * 0.001, best = 12 * 2 * J * J / (0.01 * 25 * 0.125);
  EXPECT_GE(result.cost, best * (1 - 1e-9));
  EXPECT_LE(result.cost, best * (1 + 1e-4));
}

// The smallest largest current is that of the bang-bang motion: 4 J a/(K r T^2).
TEST(Plan, OfTheSmallestPeakCurrentIsBangBang) {
  PlanOptions options;
  options.to = {{"turn", "1"}};
  options.minimize = "current";
  options.shortest = options.longest = 0.5;
  const PlanResult result = planned(motor, options);
  expect_arrived(result);
  const double best = 4 * 0.045 / (0.1 * 5 * 0.25);
  EXPECT_GE(result.cost, best * (1 - 1e-6));
  EXPECT_LE(result.cost, best * (1 + 5 * mesh_error));  // a switch that takes one interval of ten costs that much
}

// The equations of the energy: what the motor takes is what it heats and moves; at rest at both ends, the heat alone.
TEST(Plan, OfLeastEnergyBetweenRestsIsThatOfLeastLoss) {
  PlanOptions options;
  options.to = {{"turn", "1"}};
  options.minimize = "energy";
  options.shortest = options.longest = 0.5;
  const double energy = planned(motor, options).cost;
  options.minimize = "loss";
  EXPECT_NEAR(energy, planned(motor, options).cost, 1e-6 * energy);
}

TEST(Plan, KeepsTheLimitsOfAMotorWithInductance) {
  std::string text = motor;
  text.replace(text.find("resistance: 2,"), 14,
               "resistance: 2, inductance: 5 mH, limits: {voltage: 24 V, current: 4 A},");
  PlanOptions options;
  options.to = {{"turn", "2"}};
  const PlanResult result = planned(text, options);
  expect_arrived(result);
  EXPECT_THAT(result.active, Contains("the current limit of motor"));
  for (Eigen::Index k = 0; k < result.motion.inputs.cols(); ++k)
    EXPECT_LE(std::abs(result.motion.inputs(0, k)), 24 + 1e-6);
  // without inductance it is the bang-bang motion with 4 A: T = 2 sqrt(J a/(K r i)); with it a little slower
  const double bang_bang = 2 * std::sqrt(0.045 * 2 / (0.1 * 5 * 4));
  EXPECT_GT(result.cost, bang_bang);
  EXPECT_LT(result.cost, 1.05 * bang_bang);
}

TEST(Plan, KeepsATemperature) {
  std::string text = motor;
  text.replace(text.find("resistance: 2,"), 14,
               "resistance: 2, winding: {heat_capacity: 5 J/K, thermal_resistance: 1 K/W, temperature_coefficient: "
               "0.004 K^-1}, limits: {current: 6 A},");
  PlanOptions options;
  options.to = {{"turn", "4"}};
  const double quick = planned(text, options).cost;
  options.keep = {"motor.temperature <= 298 K"};
  const PlanResult cool = planned(text, options);
  expect_arrived(cool);
  EXPECT_GT(cool.cost, 1.03 * quick);
  EXPECT_THAT(cool.active, Contains("--keep motor.temperature <= 298 K"));
}

TEST(Plan, SaysWhichLimitIsInTheWay) {
  PlanOptions options;
  options.to = {{"x", "1 m"}};
  options.inputs = {{"push", -2, 2}};
  options.shortest = options.longest = 1;  // the shortest time is 2 s
  const PlanResult result = planned(cart, options);
  EXPECT_EQ(result.status, PlanStatus::infeasible);
  EXPECT_THAT(result.sentence, HasSubstr("the range of push"));
  EXPECT_FALSE(result.has_motion);
}

std::string refusal(const std::string& text, const PlanOptions& options) {
  try {
    planned(text, options);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(Plan, RefusesWhatItCannotPlan) {
  PlanOptions options;
  options.to = {{"x", "1 m"}};
  EXPECT_THAT(refusal(cart, options), HasSubstr("minimize time: nothing limits the motion"));
  options.inputs = {{"pusch", -2, 2}};
  EXPECT_THAT(refusal(cart, options), HasSubstr("unknown input 'pusch' (did you mean 'push'?)"));
  options.inputs = {{"push", -2, 2}};
  options.to = {{"y", "1 m"}};
  EXPECT_THAT(refusal(cart, options), HasSubstr("to y=1 m: "));
  options.to = {{"x", "1 s"}};
  EXPECT_THAT(refusal(cart, options), HasSubstr("to x=1 s: "));
  options.to = {{"turn", "0.5 m"}};
  EXPECT_THAT(refusal(motor, options), HasSubstr("to turn=0.5 m: turn is in rad, and 0.5 m in m"));
  options.to = {{"turn", "30 deg"}};
  options.keep = {"turn' <= 2 m/s"};
  EXPECT_THAT(refusal(motor, options), HasSubstr("keep turn' <= 2 m/s: "));
  options.keep = {};
  options.to = {{"x", "30 deg"}};
  EXPECT_THAT(refusal(cart, options), HasSubstr("to x=30 deg: "));
  options.to = {};
  EXPECT_THAT(refusal(cart, options), HasSubstr("to: is missing"));
  options.to = {{"x", "1 m"}};
  options.keep = {"x"};
  EXPECT_THAT(refusal(cart, options), HasSubstr("keep x: expected a comparison"));
  options.keep = {};
  options.minimize = "loss";
  EXPECT_THAT(refusal(cart, options), HasSubstr("minimize loss: the model has no motor with a resistance"));
  options.minimize = "current";
  EXPECT_THAT(refusal(cart, options), HasSubstr("minimize current: the model has no motor"));
  options.minimize = "time";
  std::string rough = cart;
  rough.replace(rough.find("between: [ground, cart]"), 23, "between: [ground, cart], friction: 0.5 N");
  EXPECT_THAT(refusal(rough, options), HasSubstr("the motion switches, and a plan needs smooth equations"));
  std::string fixed = cart;
  fixed.replace(fixed.find("inputs: {push: {unit: N}}"), 25, "parameters: {push: 2 N}");
  EXPECT_THAT(refusal(fixed, options), HasSubstr("inputs: is missing: a plan finds the inputs of the model"));
}

// No search is needed to know it.
TEST(Plan, RefusesLimitsThatTheStartOrTheTargetViolates) {
  PlanOptions options;
  options.to = {{"x", "1 m"}};
  options.inputs = {{"push", -2, 2}};
  options.keep = {"x >= 0.2 m"};
  EXPECT_THAT(refusal(cart, options),
              HasSubstr("keep x >= 0.2 m: does not hold at the start, by 0.2 m; start elsewhere"));
  options.keep = {"x^2 <= 0.25 m^2"};
  EXPECT_THAT(refusal(cart, options),
              HasSubstr("keep x^2 <= 0.25 m^2: does not hold at the target, by 0.75 m^2; choose another one"));
  options.keep = {"x' >= 0.1 m/s"};  // it starts at rest
  EXPECT_THAT(refusal(cart, options), HasSubstr("does not hold at the start, by 0.1 m/s"));
  options.keep = {};
  std::string stopped = cart;
  stopped.replace(stopped.find("between: [ground, cart]"), 23,
                  "between: [ground, cart], limits: {lower: -0.1 m, upper: 0.8 m, stiffness: 1e5 N/m}");
  EXPECT_THAT(refusal(stopped, options), HasSubstr("the target is beyond the end stops of x, by 0.2"));
}

// A plan stays away from end stops, but for a start and a target there.
TEST(Plan, StartsAndEndsAtEndStops) {
  std::string text = cart;
  text.replace(text.find("between: [ground, cart]"), 23,
               "between: [ground, cart], limits: {lower: 0 m, upper: 1 m, stiffness: 1e5 N/m}");
  PlanOptions options;
  options.to = {{"x", "1 m"}};
  options.inputs = {{"push", -2, 2}};
  const PlanResult result = planned(text, options);
  expect_arrived(result);
  EXPECT_NEAR(result.cost, 2, 2 * mesh_error);
}

// cos(turn) does not change to first order where the motor stands; -1/2 is reached at 120 degrees on either side.
TEST(Plan, FindsATargetThatDoesNotChangeAtTheStart) {
  PlanOptions options;
  options.to = {{"cos(turn)", "-0.5"}};
  options.minimize = "loss";
  options.shortest = options.longest = 0.5;
  const PlanResult result = planned(motor, options);
  expect_arrived(result);
  const double J = 0.02 + 25 * 0.001, angle = 2 * std::acos(-1.0) / 3,
               best = 12 * 2 * J * J * angle * angle / (0.01 * 25 * 0.125);
  EXPECT_NEAR(result.cost, best, 2e-4 * best);
}

// Slides go as far as they are asked to: T = 2 sqrt(m d/F).
TEST(Plan, GoesFar) {
  PlanOptions options;
  options.to = {{"x", "5 km"}};
  options.inputs = {{"push", -2, 2}};
  const PlanResult result = planned(cart, options);
  EXPECT_EQ(result.status, PlanStatus::found) << result.sentence;
  EXPECT_NEAR(result.cost, 2 * std::sqrt(5000.0), 2 * mesh_error * std::sqrt(5000.0));
}

TEST(Plan, FindsWithinARangeOfDurationsWhatItFindsWithout) {
  PlanOptions options;
  options.to = {{"x", "1 m"}};
  options.inputs = {{"push", -2, 2}};
  for (const auto& [shortest, longest] : {std::pair{0.01, 2.01}, {1.9, 100.0}, {0.5, 3.0}}) {
    options.shortest = shortest, options.longest = longest;
    const PlanResult result = planned(cart, options);
    expect_arrived(result);
    EXPECT_NEAR(result.cost, 2, 2 * mesh_error);
  }
  options.shortest = 0.5, options.longest = 1.5;
  const PlanResult none = planned(cart, options);
  EXPECT_EQ(none.status, PlanStatus::infeasible);
  EXPECT_THAT(none.sentence, HasSubstr("one that takes 2.0"));
}

// Around a disk in the way, above or below it: the straight line is at a saddle between both.
TEST(Plan, SearchesFromSeveralStarts) {
  const std::string text = R"model(armature: 1
name: a puck on a table
plane: xy
gravity: [0, 0, 0]
inputs: {east: {unit: N}, north: {unit: N}}
bodies: {puck: {mass: 1 kg, inertia: {zz: 1}}}
joints: {at: {type: planar, axis: z, between: [ground, puck]}}
forces: {a: {type: effort, on: at.x, is: east}, b: {type: effort, on: at.y, is: north}}
start: {keep: {at.x: 0, at.y: 0, at.angle: 0}}
simulate: {end: 1 s}
)model";
  PlanOptions options;
  options.to = {{"at.x", "1 m"}, {"at.y", "0"}};
  options.minimize = "east^2 + north^2";
  options.shortest = options.longest = 2;
  options.keep = {"(at.x - 0.5 m)^2 + (at.y + 0.08 m)^2 >= (0.2 m)^2"};
  options.starts = 4;
  const PlanResult result = planned(text, options);
  expect_arrived(result);
  EXPECT_EQ(result.starts.tried, 4);
  EXPECT_GE(result.starts.found, 2);
  EXPECT_GE(result.starts.agreed, 1);
  EXPECT_THAT(result.sentence, HasSubstr("of 4 starts found a motion"));
  // the shorter way is above: the center of the disk is below the line
  EXPECT_GT(result.motion.node(result.motion.intervals() / 2)[1], 0);
}

TEST(Plan, StopsWhenNobodyWantsIt) {
  PlanOptions options;
  options.to = {{"x", "1 m"}};
  options.inputs = {{"push", -2, 2}};
  options.progress = [](const std::string& what) { return what.find("iteration") == std::string::npos; };
  EXPECT_EQ(planned(cart, options).status, PlanStatus::stopped);
}

}  // namespace
}  // namespace armature::internal
