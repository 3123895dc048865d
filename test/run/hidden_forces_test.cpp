// Forces that act for less than a step, so that no stage of it needs to see them: punches, barriers, pulses, resonances. Expected numbers are
// closed forms, or integrated with scipy in steps that resolve them (dop853, rtol 1e-12).
#include "run/hidden_forces.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numbers>

#include "run/motion_lanes.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::string turned_by(const std::string& torque, const std::string& end = "10 s") {
  return "plane: xy\ngravity: [0, 0, 0]\nbodies: {rotor: {mass: 1, inertia: {zz: 1}}}\n"
         "joints: {turn: {type: revolute, between: [ground, rotor]}}\n"
         "forces: {torque: {type: effort, on: turn, is: \"" +
         torque + "\"}}\nsimulate: {end: " + end + ", record: 0.1 s}\n";
}
std::string pushed_cart(const std::string& force) {
  return "plane: xy\ngravity: [0, 0, 0]\nbodies: {cart: {mass: 1, inertia: none}}\n"
         "joints: {x: {type: prismatic, axis: x, between: [ground, cart]}}\n" +
         force + "\nstart: {speed: {x: 5}}\nsimulate: {end: 2 s, record: 0.1 s}\n";
}
std::string push_of(const std::string& formula) {
  return "forces: {f: {type: effort, on: x, is: \"" + formula + "\"}}";
}

Simulation ran_with(const std::string& text, const std::string& integrator) {
  Model model = read_model_text("armature: 1\n" + text);
  model.simulate.integrator = integrator;
  return simulated(model);
}

class HiddenForcesOf : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Integrators, HiddenForcesOf,
                         testing::Values("dopri5", "dop853", "radau5", "cvode_bdf", "cvode_adams", "ida"));

// 1 N m s at 5 s, from a fifth of a second to 0.1 ms wide.
TEST_P(HiddenForcesOf, APulseInTime) {
  for (const char* width : {"0.2", "0.02", "0.001", "0.0001"}) {
    const std::string gauss = std::string("exp(-((t - 5)/") + width + ")^2)/(" + width + "*sqrt(pi))";
    const Simulation run = ran_with(turned_by(gauss), GetParam());
    EXPECT_NEAR(run.last("turn'"), 1, 1e-4) << width;
    EXPECT_THAT(run.outcome.findings, IsEmpty()) << width;
  }
}

// The same by other functions: two steps that cancel, and a resonance with wide tails.
TEST_P(HiddenForcesOf, APulseOfOtherFunctions) {
  const Simulation steps = ran_with(turned_by("(tanh((t - 5)/0.001) - tanh((t - 5.02)/0.001))/0.04"), GetParam());
  EXPECT_NEAR(steps.last("turn'"), 1, 1e-4);
  const Simulation resonance = ran_with(turned_by("1/(1 + ((t - 5)/0.001)^2)/(pi*0.001)"), GetParam());
  EXPECT_NEAR(resonance.last("turn'"), 2 / std::numbers::pi * std::atan(5 / 0.001), 1e-4);
}

// 12.5 J meet a barrier of 71 J: thrown back, to where it began but for the width. It is where x' = 5 before and -5 after.
TEST_P(HiddenForcesOf, ABarrier) {
  const Simulation run = ran_with(pushed_cart(push_of("-40/0.05*exp(-((x - 5)/0.05)^2)")), GetParam());
  EXPECT_NEAR(run.last("x'"), -5, 1e-4);
  EXPECT_NEAR(run.last("x"), -0.00648918, 1e-4);
  const Simulation narrow = ran_with(pushed_cart(push_of("-40/0.001*exp(-((x - 5)/0.001)^2)")), GetParam());
  EXPECT_NEAR(narrow.last("x'"), -5, 1e-4);
}

// A barrier that moves at 5 m/s towards the cart, which meets it at 0.5 s and leaves with 5 + 2*5 m/s.
TEST_P(HiddenForcesOf, ABarrierThatMoves) {
  const Simulation run = ran_with(pushed_cart(push_of("-200/0.02*exp(-((x + 5*t - 5)/0.02)^2)")), GetParam());
  EXPECT_NEAR(run.last("x'"), -15, 1e-3);
}

// Once a turn a punch takes 17.7 J of the 50 J of a flywheel, and the third one turns it back.
TEST_P(HiddenForcesOf, APunchOnceATurn) {
  const std::string punch =
      turned_by("-5/0.02*exp(-(sin(turn/2)/0.02)^2)", "3 s") + "start: {keep: {turn: 1}, speed: {turn: 10}}\n";
  EXPECT_NEAR(ran_with(punch, GetParam()).last("turn'"), -5.39395522, 1e-3);
}

// Through definitions, and as a state.
TEST_P(HiddenForcesOf, OfDefinitionsAndStates) {
  const std::string defined = "define: {width: 0.02, u: (x - 5)/width, hill: exp(-u^2)}\n";
  EXPECT_NEAR(ran_with(pushed_cart(defined + push_of("-40/width*hill")), GetParam()).last("x'"), -5, 1e-4);
  const std::string state = "states: {z: {rate: \"exp(-((t - 1)/0.001)^2)/(0.001*sqrt(pi))\", start: 0}}\n";
  EXPECT_NEAR(ran_with(pushed_cart(state), GetParam()).last("z"), 1, 1e-4);
}

// In an assembly, used twice: both carts are thrown back.
TEST_P(HiddenForcesOf, OfAssemblies) {
  const Simulation run = ran_with(R"yaml(
plane: xy
gravity: [0, 0, 0]
assemblies:
  puck:
    parameters: {at: 5 m}
    bodies: {cart: {mass: 1, inertia: none}}
    joints: {x: {type: prismatic, axis: x, between: [ground, cart]}}
    define: {hill: "exp(-((x - at)/0.05)^2)"}
    forces: {f: {type: effort, on: x, is: "-40/0.05*hill"}}
use: {one: {assembly: puck}, two: {assembly: puck, with: {at: 6 m}}}
start: {speed: {one_x: 5, two_x: 5}}
simulate: {end: 2 s, record: 0.1 s}
)yaml",
                                  GetParam());
  EXPECT_NEAR(run.last("one_x'"), -5, 1e-4);
  EXPECT_NEAR(run.last("two_x'"), -5, 1e-4);
}

// At a point of a body in space, by its components.
TEST_P(HiddenForcesOf, OnAPointInSpace) {
  const Simulation run = ran_with(R"yaml(
gravity: [0, 0, 0]
bodies: {b: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, points: {c: [0, 0, 0]}}}
joints: {free: {type: free, between: [ground, b]}}
forces: {f: {type: force, on: b.c, is: ["-40/0.05*exp(-((b.c.x - 5)/0.05)^2)", 0, 0]}}
start: {speed: {b: {velocity: [5, 0, 0]}}}
simulate: {end: 2 s, record: 0.1 s}
)yaml",
                                  GetParam());
  EXPECT_NEAR(run.last("free.x'"), -5, 1e-4);
}

// At any tolerance, and where a power of a cosine is negative elsewhere.
TEST(HiddenForces, AtAnyTolerance) {
  for (const char* barrier : {"-40/0.05*exp(-((x - 5)/0.05)^2)", "-1000*cos((x - 5)/2)^20000",
                              "-500*(tanh((x - 5)/0.005) - tanh((x - 5.05)/0.005))"})
    for (const double rtol : {1e-4, 1e-6, 1e-10}) {
      Model model = read_model_text("armature: 1\n" + pushed_cart(push_of(barrier)));
      model.simulate.rtol = rtol;
      EXPECT_NEAR(simulated(model).last("x'"), -5, std::max(1e-6, 100 * rtol)) << barrier << ", " << rtol;
    }
}

// Many periods of something fast in each of the first steps.
TEST(HiddenForces, SomethingFast) {
  const Simulation run = ran_with(turned_by("sin(100000*t)^2", "0.1 s"), "dopri5");
  EXPECT_NEAR(run.last("turn'"), 0.05 - std::sin(2e4) / 4e5, 1e-5);
}

// Steps of one length are not taken again: the run says what they pass over.
TEST(HiddenForces, StepsOfOneLengthSaySo) {
  Model model = read_model_text("armature: 1\n" + turned_by("exp(-((t - 5.0033)/0.0005)^2)"));
  model.simulate.integrator = "rk4", model.simulate.step = 0.01;
  EXPECT_THAT(simulated(model).outcome.warnings(),
              Contains(AllOf(HasSubstr("at t = 5.00"), HasSubstr("turn' should change by"), HasSubstr("Use dopri5"))));
}

// ... and nothing where they resolve it.
TEST(HiddenForces, StepsThatFollowSayNothing) {
  Model model = read_model_text("armature: 1\n" + turned_by("sin(t) + tanh(3*turn')"));
  model.simulate.integrator = "rk4", model.simulate.step = 0.01;
  EXPECT_THAT(simulated(model).outcome.findings, IsEmpty());
}

// A bead on a wire with a hump of 10 cm, which it is too slow for.
TEST(HiddenForces, AConstraintMayBeNarrow) {
  const Simulation run = simulated_text(R"yaml(
plane: xy
gravity: [0, -9.81, 0]
parameters: {h: 0.1 m, b: 0.1 m}
bodies: {carrier: {mass: 0}, bead: {mass: 1, inertia: none}}
joints:
  x: {type: prismatic, axis: x, between: [ground, carrier]}
  y: {type: prismatic, axis: y, between: [carrier, bead]}
constraints: {wire: {type: prescribed, zero: "y - h*exp(-((x - 5 m)/b)^2)"}}
start: {speed: {x: 1}}
simulate: {end: 10 s, record: 10 ms}
)yaml");
  EXPECT_NEAR(run.last("x"), 0.0355132, 1e-3);
  EXPECT_THAT(run.outcome.findings, IsEmpty());
}

// Looks at nothing.
class LooksAtNothing final : public SamplingWatcher {
 public:
  void begin(Dynamics&, const Integrator&, const State& start) override { t_ = start.t; }
  bool step(const Integrator&, double until) override { return t_ = until, true; }
  void sample_times(double until, double* t) const override { std::fill_n(t, samples, until); }
  bool step_sampled(const Integrator& integrator, double until, const double*) override {
    return step(integrator, until);
  }
  bool wants_words() const override { return false; }

 private:
  double t_ = 0;
};

TEST(HiddenForces, LanesEndAsRunsDo) {
  for (const char* integrator : {"dopri5", "dop853"}) {
    Model model = read_model_text("armature: 1\n" + pushed_cart(push_of("-40/0.05*exp(-((x - 5)/0.05)^2)")));
    model.simulate.integrator = integrator;
    const Prepared p = prepared(model);
    MotionLanes lanes(p, p.system->make_program({p.system->equations().q[0]}));
    std::vector<LooksAtNothing> watchers(lane_count);
    for (int k = 0; k < lane_count; ++k) lanes.begin(k, p, watchers[static_cast<std::size_t>(k)]);
    std::vector<double> speed;
    while (lanes.any()) lanes.advance({}, [&](int, const Outcome& outcome) { speed.push_back(outcome.last.x[1]); });
    EXPECT_THAT(speed, testing::Each(simulated(model).last("x'")));
  }
}

// What a mechanism consists of is not watched, and costs nothing.
TEST(HiddenForces, MechanismsHaveNone) {
  for (const char* name : {"rrr", "stewart", "delta", "squeezer", "slider_crank"})
    EXPECT_FALSE(find_narrow_terms(prepared(shipped(name)).system->equations()).any()) << name;
}

}  // namespace
}  // namespace armature::internal
