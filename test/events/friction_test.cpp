// Dry friction on all joints of one loop: they come to rest together, whichever integrator locates it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "dynamics/dynamics.hpp"
#include "dynamics/formulation.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

constexpr const char* four_bar = R"(plane: xy
gravity: [0, -9.81, 0]
parameters: {a: 0.3, b: 1, c: 0.8}
bodies:
  A: {mass: 1, center: [a/2, 0, 0], inertia: {rod: a}}
  B: {mass: 1, center: [b/2, 0, 0], inertia: {rod: b}}
  C: {mass: 1, center: [c/2, 0, 0], inertia: {rod: c}}
joints:
  jA: {type: revolute, between: [ground, A], friction: 0.4}
  jB: {type: revolute, between: ["A [a, 0, 0]", B], friction: 0.4}
  jC: {type: revolute, between: ["ground [1, 0, 0]", C], friction: 0.4}
  jD: {type: revolute, between: ["B [b, 0, 0]", "C [c, 0, 0]"], friction: 0.4}
start:
  keep: {jA: 80 deg}
  near: {jB: -30 deg, jC: 100 deg}
  speed: {jA: 2}
simulate: {end: 4, record: 0.1, rtol: 1e-9}
)";

class Friction : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Integrators, Friction,
                         testing::Values("dopri5", "dop853", "radau5", "cvode_bdf", "cvode_adams"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Friction, JointsOfOneLoopStickTogether) {
  Model model = read_model_text(std::string("armature: 1\n") + four_bar, "file.yaml");
  model.simulate.integrator = GetParam();
  const Simulation run = simulated(model);
  ASSERT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  ASSERT_GE(run.outcome.events.size(), 4u);
  for (std::size_t k = run.outcome.events.size() - 4; k < run.outcome.events.size(); ++k) {
    EXPECT_TRUE(run.outcome.events[k].what.ends_with("sticks")) << run.outcome.events[k].what;
    // dopri5 and dop853 at rtol 1e-13 agree on 2.930209275243; cvode_bdf errs by 1.1e-7 at 1e-9 (without projection by
    // 0.9e-7), the others by 5e-9
    EXPECT_NEAR(run.outcome.events[k].t, 2.930209275243, 2e-7);
  }
}

// What a formula sees of a block that sticks: its speed is zero, whatever round-off leaves of it. It moves from 0 to 0.1 s, sticks, and is
// pushed off backwards at 0.5 s.
TEST_P(Friction, ABlockThatSticksDoesNotMoveInFormulas) {
  Model model = read_model_text(R"yaml(armature: 1
gravity: [0, 0, 0]
bodies: {block: {mass: 0.7}}
joints: {x: {type: prismatic, axis: x, between: [ground, block], friction: 2.1}}
forces: {drive: {type: effort, on: x, is: "if(t < 0.5, -0.3*sin(7*t), -3)"}}
define:
  forwards: "if(x' > 0, 1, 0)"
  not_backwards: "if(x' >= 0, 1, 0)"
  backwards: "if(x' < 0, 1, 0)"
start: {speed: {x: 0.3}}
simulate: {end: 0.7, record: 10 ms, rtol: 1e-9}
)yaml",
                                "file.yaml");
  model.simulate.integrator = GetParam();
  const Simulation run = simulated(model);
  ASSERT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  const std::vector<double> t = run.column("t"), forwards = run.column("forwards"), backwards = run.column("backwards"),
                            not_backwards = run.column("not_backwards");
  for (std::size_t row = 0; row < t.size(); ++row) {
    if (std::abs(t[row] - 0.1) < 0.011 || std::abs(t[row] - 0.5) < 0.005) continue;  // where it changes
    EXPECT_EQ(forwards[row], t[row] < 0.1) << t[row];
    EXPECT_EQ(backwards[row], t[row] > 0.5) << t[row];
    EXPECT_EQ(not_backwards[row], t[row] < 0.5) << t[row];
  }
}

// The same where a rigid contact holds it: up an incline, to rest after 0.251 s.
TEST(StickingContact, ABlockThatSticksDoesNotMoveInFormulas) {
  Model model = read_model_text(R"yaml(armature: 1
plane: xy
gravity: [-9.81*sin(0.35), -9.81*cos(0.35), 0]
bodies: {box: {mass: 2, inertia: {zz: 0.01}}}
joints: {block: {type: planar, axis: z, between: [ground, box]}}
forces: {slab: {type: contact, gap: block.y, restitution: 0, friction: 0.5, sliding: "block.x'"}}
define: {forwards: "if(block.x' > 0, 1, 0)", backwards: "if(block.x' < 0, 1, 0)"}
start: {speed: {block.x: 2}}
simulate: {end: 1, record: 20 ms}
)yaml",
                                "file.yaml");
  const Simulation run = simulated(model);
  ASSERT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  const std::vector<double> t = run.column("t"), forwards = run.column("forwards"), backwards = run.column("backwards");
  for (std::size_t row = 0; row < t.size(); ++row) {
    EXPECT_EQ(forwards[row], t[row] < 0.25) << t[row];
    EXPECT_EQ(backwards[row], 0) << t[row];
  }
}

// The same with two contacts, whose forces are not determined: what is left of its acceleration is round-off of either sign.
TEST(StickingContact, ABlockOnTwoFeetThatSticksDoesNotMoveInFormulas) {
  for (const char* speed : {"2", "1.7", "1.3", "0.9"}) {
    std::ifstream file(std::string(source_directory) + "/models/contact/block_on_incline.yaml");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    text += "define: {forwards: \"if(block.x' > 0, 1, 0)\", backwards: \"if(block.x' < 0, 1, 0)\"}\n";
    const Simulation run = simulated(read_model_text(text, "file.yaml", {{"v", speed}}));
    ASSERT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
    const double stops = std::stod(speed) / (9.81 * (std::sin(M_PI / 9) + 0.5 * std::cos(M_PI / 9)));
    const std::vector<double> t = run.column("t"), forwards = run.column("forwards"),
                              backwards = run.column("backwards");
    for (std::size_t row = 0; row < t.size(); ++row) {
      EXPECT_EQ(forwards[row], t[row] < stops) << speed << " " << t[row];
      EXPECT_EQ(backwards[row], 0) << speed << " " << t[row];
    }
  }
}

// A block that sticks while what pushes it changes: in every row, not only at the ends of steps, friction holds it.
TEST_P(Friction, HoldsInEveryRow) {
  Model model = read_model_text(R"(armature: 1
gravity: [0, 0, 0]
bodies: {block: {mass: 1}}
joints: {x: {type: prismatic, axis: x, between: [ground, block], friction: 2}}
forces: {drive: {type: effort, on: x, is: "1.5*sin(t) - 0.2*t"}}
start: {speed: {x: 1}}
record: {reactions: [x]}
simulate: {end: 3, record: 50 ms, rtol: 1e-9}
)",
                                "file.yaml");
  model.simulate.integrator = GetParam();
  const Simulation run = simulated(model);
  const std::vector<double> t = run.column("t"), force = run.column("x.fx");
  for (std::size_t row = 0; row < t.size(); ++row)
    if (t[row] > 0.7) {
      EXPECT_NEAR(force[row], 0, 1e-6) << t[row];  // by what interpolation errs
    }
}

// Whatever else comes to a zero while a joint sticks is decided by these accelerations.
TEST(StickingJoint, AccelerationsAreThoseOfTheStateWhereAJointSticks) {
  const Simulation run = simulated_text(R"(plane: xy
gravity: [0, -9.81, 0]
bodies:
  upper: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}
  fore: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}
joints:
  shoulder: {type: revolute, between: [ground, upper]}
  elbow: {type: revolute, between: ["upper [1, 0, 0]", fore], friction: 100}
simulate: {end: 0.3, rtol: 1e-9}
)");
  ASSERT_EQ(run.outcome.last.comparisons.at(0), ComparisonStatus::sliding);
  Dynamics dynamics(run.prepared.system, {}, {});
  dynamics.set_state(run.outcome.last);
  Eigen::VectorXd xdot(run.outcome.last.x.size());
  ASSERT_TRUE(dynamics.derivative(run.outcome.last.t, run.outcome.last.x.data(), xdot.data()));
  EXPECT_EQ(dynamics.acceleration().vdot, xdot.segment(2, 2));
}

// A state has as many comparisons as it likes: their rates do not touch what the acceleration left.
TEST(StickingJoint, MultipliersAreThoseOfTheStateWhereAJointSticks) {
  const Simulation run = simulated_text(R"(plane: xy
gravity: [0, -9.81, 0]
bodies:
  crank: {mass: 1, center: [0.15, 0, 0], inertia: {rod: 0.3}}
  rod: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}
  rocker: {mass: 1, center: [0.4, 0, 0], inertia: {rod: 0.8}}
joints:
  main: {type: revolute, between: [ground, crank], friction: 100}
  elbow: {type: revolute, between: ["crank [0.3, 0, 0]", rod], limits: {lower: -3, upper: 3, stiffness: 1, damping: 1}}
  post: {type: revolute, between: ["ground [1, 0, 0]", rocker], limits: {lower: -3, upper: 3, stiffness: 1, damping: 1}}
  pin: {type: revolute, between: ["rod [1, 0, 0]", "rocker [0.8, 0, 0]"]}
start: {keep: {main: 1}, near: {post: 1.5}}
simulate: {end: 0.1, rtol: 1e-9}
)");
  const System& system = *run.prepared.system;
  ASSERT_GT(system.layout().nw, system.layout().nv);
  const State& last = run.outcome.last;
  ASSERT_EQ(std::ranges::count(last.comparisons, ComparisonStatus::sliding), 1);
  Dynamics dynamics(run.prepared.system, {}, {});
  dynamics.set_state(last);
  Eigen::VectorXd xdot(last.x.size());
  ASSERT_TRUE(dynamics.derivative(last.t, last.x.data(), xdot.data()));
  const Eigen::VectorXd lambda = dynamics.acceleration().lambda;
  ASSERT_TRUE(dynamics.engine().derivative(last.t, last.x.data(), xdot.data()));
  ASSERT_GT(lambda.norm(), 1);
  EXPECT_LT((lambda - dynamics.acceleration().lambda).norm(), 1e-9 * lambda.norm());
}

// A joint that sticks from the start has warmed up by nothing but round-off, which may fall. A machine a thousand times slower, and
// one a million times, takes as many steps.
TEST(StickingJoint, IsNothingToWarnOfHoweverSlow) {
  for (const double slower : {1.0, 1e3, 1e6}) {
    const Simulation run = simulated_text(fmt::format(R"(plane: xy
gravity: [0, 0, 0]
parameters: {{T: {}}}
bodies: {{disc: {{mass: 1, inertia: {{zz: 1}}}}}}
joints: {{shaft: {{type: revolute, between: [ground, disc], friction: 0.5/T^2}}}}
forces: {{push: {{type: effort, on: shaft, is: sin(t/T)/T^2}}}}
simulate: {{end: 20*T, rtol: 1e-9}}
)",
                                                      slower));
    EXPECT_EQ(run.outcome.warnings(), std::vector<std::string>()) << slower;
    EXPECT_NEAR(static_cast<double>(run.outcome.statistics.integrator.steps), 180, 20) << slower;
    EXPECT_NEAR(run.last("shaft"), 0.0581638, 1e-6) << slower;
  }
}

}  // namespace
}  // namespace armature::internal
