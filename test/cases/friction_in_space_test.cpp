// Coulomb's friction of rigid contacts in space: a cone of forces, against the sliding wherever it turns.
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <numbers>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using std::numbers::pi;
using testing::HasSubstr;

constexpr double g = 9.81;

std::string ball(const std::string& start, const std::string& e = "0") {
  return R"(
gravity: [0, 0, -9.81]
parameters: {r: 0.1 m, mu: 0.2}
bodies: {ball: {mass: 2 kg, inertia: {sphere: r}}}
joints: {free: {type: free, between: [ground, ball]}}
forces: {slab: {type: contact, between: [{sphere: ball, radius: r}, {plane: ground, normal: z}], restitution: )" +
         e + R"(, friction: mu}}
)" + start;
}

// The contact point slides with s = v + w x (0, 0, -r), which keeps its direction and falls by 7/2 mu g t. Then the ball rolls, with
// v - 2/7 s of the start: 5/7 v where it did not turn.
TEST(FrictionInSpace, ABallSlidesAndThenRolls) {
  const Simulation straight = simulated_text(ball(R"(
start: {keep: {ball: [0, 0, r]}, speed: {ball: {velocity: [1.5, 2, 0]}}}
simulate: {end: 1 s, record: 10 ms}
)"));
  EXPECT_EQ(straight.outcome.status, RunStatus::finished) << straight.outcome.sentence;
  EXPECT_NEAR(straight.last("free.x'"), 5.0 / 7 * 1.5, 1e-7);
  EXPECT_NEAR(straight.last("free.y'"), 5.0 / 7 * 2, 1e-7);
  EXPECT_LT(straight.outcome.statistics.energy_error, 1e-6);
  const auto sticks = std::ranges::find(straight.outcome.events, "contact slab sticks", &RunEvent::what);
  ASSERT_NE(sticks, straight.outcome.events.end());
  EXPECT_NEAR(sticks->t, 2.0 / 7 * 2.5 / (0.2 * g), 1e-7);
  // turning about x, the ball slides across its way: s = (v, w r)
  const Simulation turned = simulated_text(ball(R"(
start: {keep: {ball: [0, 0, r]}, speed: {ball: {velocity: [1.5, 0, 0], spin: [20, 0, 0]}}}
simulate: {end: 1 s, record: 10 ms}
)"));
  EXPECT_NEAR(turned.last("free.x'"), 5.0 / 7 * 1.5, 1e-7);
  EXPECT_NEAR(turned.last("free.y'"), -2.0 / 7 * 20 * 0.1, 1e-7);
}

// The impulse of friction is mu (1 + e) m v across the fall, against the sliding; or less, where the contact point stops.
TEST(FrictionInSpace, ABallBouncesOffARoughFloor) {
  const char* start = R"(
start: {keep: {ball: [0, 0, r + 0.001]}, speed: {ball: {velocity: [3, 4, -1]}}}
simulate: {end: 10 ms, record: 1 ms}
)";
  const Simulation slides = simulated_text(ball(start, "0.5"));
  const double fall = std::sqrt(1 + 2 * g * 0.001), change = 0.2 * 1.5 * fall;
  EXPECT_NEAR(slides.last("free.x'"), 3 - 0.6 * change, 1e-8);
  EXPECT_NEAR(slides.last("free.y'"), 4 - 0.8 * change, 1e-8);
  const Simulation grips = simulated_text(ball(R"(
start: {keep: {ball: [0, 0, r + 0.001]}, speed: {ball: {velocity: [0.3, 0.4, -1]}}}
simulate: {end: 10 ms, record: 1 ms}
)",
                                               "0.5"));
  EXPECT_NEAR(grips.last("free.x'"), 5.0 / 7 * 0.3, 1e-8);
  EXPECT_NEAR(grips.last("free.y'"), 5.0 / 7 * 0.4, 1e-8);
}

// On an incline whose slope is mu the speed v and the angle a of the way to the steepest fall obey v (1 + cos a) = const: gravity drives
// along the slope as much as friction brakes along the way. Pushed off sideways with v0 it ends straight down with v0/2.
TEST(FrictionInSpace, ABlockPushedAcrossAnInclineTurnsDown) {
  const Simulation run = simulated_text(R"(
gravity: [9.81*sin(slope), 0, -9.81*cos(slope)]
parameters: {slope: atan(0.4)}
bodies: {a: {mass: 0}, b: {mass: 0}, block: {mass: 3 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, a]}, y: {type: prismatic, axis: y, between: [a, b]}, z: {type: prismatic, axis: z, between: [b, block]}}
forces: {slab: {type: contact, between: [block, {plane: ground, normal: z}], restitution: 0, friction: 0.4}}
start: {keep: {x: 0, y: 0, z: 0}, speed: {x: 0, y: 2}}
simulate: {end: 6 s, record: 0.1 s, rtol: 1e-10}
)");
  EXPECT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  for (const int row : {2, 5, 10, 20, 40}) {
    const double down = run.at(row, "x'"), across = run.at(row, "y'");
    EXPECT_NEAR(std::hypot(down, across) + down, 2, 1e-7) << row;
  }
  EXPECT_NEAR(run.last("x'"), 1, 1e-4);  // the rest of its turn is exponential
  EXPECT_NEAR(run.last("slab.friction"), 0.4 * 3 * g * std::cos(std::atan(0.4)), 1e-8);
}

// A pull that grows along (3, 4) moves a block where it reaches mu m g.
TEST(FrictionInSpace, ABlockSlipsWhereThePullLeavesTheCone) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, -9.81]
bodies: {a: {mass: 0}, b: {mass: 0}, block: {mass: 2 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, a]}, y: {type: prismatic, axis: y, between: [a, b]}, z: {type: prismatic, axis: z, between: [b, block]}}
forces:
  slab: {type: contact, between: [block, {plane: ground, normal: z}], restitution: 0, friction: 0.5}
  pull: {type: force, on: block, is: [3*t, 4*t, 0]}
start: {keep: {x: 0, y: 0, z: 0}}
simulate: {end: 4 s, record: 10 ms}
)");
  const double slips = 0.5 * 2 * g / 5, v = (2.5 * (16 - slips * slips) - 0.5 * 2 * g * (4 - slips)) / 2;
  EXPECT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  const auto event = std::ranges::find(run.outcome.events, "contact slab slips", &RunEvent::what);
  ASSERT_NE(event, run.outcome.events.end());
  EXPECT_NEAR(event->t, slips, 1e-8);
  EXPECT_NEAR(run.last("x'"), 0.6 * v, 1e-6);
  EXPECT_NEAR(run.last("y'"), 0.8 * v, 1e-6);
  EXPECT_NEAR(run.at(100, "slab.friction"), 5, 1e-9);
}

// Three feet at the height of the center carry a third of the weight each. x, y, angle and their rates by Runge and Kutta's method.
struct Puck {
  double mu, radius, gyration;
  using State = std::array<double, 6>;
  State rates(const State& s) const {
    State result{s[3], s[4], s[5], 0, 0, 0};
    for (int k = 0; k < 3; ++k) {
      const double a = s[2] + 2 * pi * k / 3, x = radius * std::cos(a), y = radius * std::sin(a);
      const double u = s[3] - s[5] * y, v = s[4] + s[5] * x, speed = std::hypot(u, v);
      const double fx = -mu * g / 3 * u / speed, fy = -mu * g / 3 * v / speed;
      result[3] += fx, result[4] += fy, result[5] += (x * fy - y * fx) / (gyration * gyration);
    }
    return result;
  }
  State after(State s, double t) const {
    const int steps = 20000;
    const double h = t / steps;
    const auto plus = [](State a, const State& b, double c) {
      for (std::size_t i = 0; i < a.size(); ++i) a[i] += c * b[i];
      return a;
    };
    for (int n = 0; n < steps; ++n) {
      const State a = rates(s), b = rates(plus(s, a, h / 2)), c = rates(plus(s, b, h / 2)), d = rates(plus(s, c, h));
      for (std::size_t i = 0; i < s.size(); ++i) s[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    }
    return s;
  }
};

std::string puck(double speed, double spin, double end) {
  return R"(
gravity: [0, 0, -9.81]
bodies:
  puck:
    mass: 2 kg
    inertia: {xx: 0.01, yy: 0.01, zz: 0.01}
    points:
      p{i}: {for: {i: 1..3}, is: [0.1*cos(2*pi*(i - 1)/3), 0.1*sin(2*pi*(i - 1)/3), 0]}
joints: {free: {type: free, between: [ground, puck]}}
forces:
  foot{i}: {for: {i: 1..3}, type: contact, between: ["puck.p{i}", {plane: ground, normal: z}], restitution: 0, friction: 0.3}
start: {keep: {puck: [0, 0, 0]}, speed: {puck: {velocity: [)" +
         std::to_string(speed) + ", 0, 0], spin: [0, 0, " + std::to_string(spin) + R"(]}}}
simulate: {rtol: 1e-9, record: 10 ms, end: )" +
         std::to_string(end) + "}\n";
}

TEST(FrictionInSpace, APuckSlidesAndSpinsDownToRest) {
  const Puck same{0.3, 0.1, std::sqrt(0.005)};
  const Puck::State expected = same.after({0, 0, 0, 2, 0, 15}, 0.5);
  const Simulation run = simulated_text(puck(2, 15, 3));
  EXPECT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  EXPECT_NEAR(run.at(50, "free.x"), expected[0], 1e-7);
  EXPECT_NEAR(run.at(50, "free.y"), expected[1], 1e-7);
  EXPECT_NEAR(run.at(50, "free.x'"), expected[3], 1e-6);
  for (const char* rate : {"free.x'", "free.y'"}) EXPECT_NEAR(run.last(rate), 0, 1e-8) << rate;
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-5);
  // spinning alone: mu g r/k^2
  const Simulation spins = simulated_text(puck(0, 15, 3));
  const auto sticks = std::ranges::find(spins.outcome.events, "contact foot1 sticks", &RunEvent::what);
  ASSERT_NE(sticks, spins.outcome.events.end());
  EXPECT_NEAR(sticks->t, 15 * 0.005 / (0.3 * g * 0.1), 1e-6);
}

// A box tumbles, tips from edge to edge and comes to rest. One end of an edge stopped while the other still slid, by less than a ten-millionth of a
// meter in a second: friction turned both back and forth 1e8 times a second. On others the iteration for impacts crept along a cone of friction for
// 0.1 s each, or edges changed the direction of their sliding without end.
TEST(FrictionInSpace, TumblingBoxesComeToRest) {
  struct Fall {
    const char *depth, *axis, *spin;
  };
  for (const Fall& fall : {Fall{"0.5", "[1, 0.3, 0.2]", "0.3, 1.62, 0.5"}, Fall{"0.3", "y", "0.3, 1.62, 0.5"},
                           Fall{"0.3", "[1, 1, 0]", "0, 1.62, 0"}, Fall{"0.3", "[1, 1, 0]", "0.3, 1.62, 0.5"}}) {
    const Simulation run =
        simulated_text(std::string("parameters: {w: 0.3 m, h: 0.9 m, d: ") + fall.depth + R"(}
gravity: [0, 0, -9.81]
bodies:
  box:
    mass: 1 kg
    inertia: {xx: (d^2 + h^2)/12, yy: (w^2 + h^2)/12, zz: (w^2 + d^2)/12}
    points:
      p{i}: {for: {i: 1..8, x: [-1, 1, 1, -1, -1, 1, 1, -1], y: [-1, -1, 1, 1, -1, -1, 1, 1], z: [-1, -1, -1, -1, 1, 1, 1, 1]}, is: [x*w/2, y*d/2, z*h/2]}
joints: {free: {type: free, between: [ground, box]}}
forces:
  corner{i}: {for: {i: 1..8}, type: contact, between: ["box.p{i}", {plane: ground, normal: z}], restitution: 0.2, friction: 0.6}
start: {keep: {box: {at: [0, 0, 0.9], angle: -2.0103, axis: )" +
                       fall.axis + R"(}}, speed: {box: {velocity: [1.1386, 0, 0], spin: [)" + fall.spin + R"(]}}}
simulate: {end: 3 s, record: 10 ms}
)");
    EXPECT_EQ(run.outcome.status, RunStatus::finished) << fall.axis << ": " << run.outcome.sentence;
    EXPECT_LT(run.outcome.statistics.integrator.steps, 1000) << fall.axis;
    EXPECT_LT(run.outcome.statistics.energy_error, 1e-4) << fall.axis;
    for (const char* rate : {"free.x'", "free.y'", "free.z'"})
      EXPECT_NEAR(run.last(rate), 0, 1e-9) << fall.axis << " " << rate;
  }
}

TEST(FrictionInSpace, NeedsAPlaneOrACylinder) {
  try {
    simulated_text(R"(
gravity: [0, 0, -9.81]
bodies: {ball: {mass: 1 kg, inertia: {sphere: 0.1}}}
joints: {free: {type: free, between: [ground, ball]}}
forces: {hill: {type: contact, between: [{sphere: ball, radius: 0.1}, {sphere: ground, radius: 1}], restitution: 0, friction: 0.3}}
start: {keep: {ball: [0, 0, 2]}}
simulate: {end: 1 s}
)");
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("in space one of two rigid surfaces with friction is a plane or a cylinder"));
  }
}

}  // namespace
}  // namespace armature::internal
