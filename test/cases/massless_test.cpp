// Links without mass, where constraints determine their motion: against closed forms, and against the same machine with a constraint in
// place of the link.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "model/diagnostics.hpp"
#include "model/formulations.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

// J w^2 + m v^2 of the flywheel and the piston, which are all that has inertia. Rows lie between steps: dense output is of fourth order.
TEST(MasslessLinks, ARodPassesTheEnergyOfItsFlywheel) {
  Model model = shipped("elements/massless_rod");
  model.simulate.rtol = 1e-11;
  const Simulation run = simulated(model);
  const auto w = run.column("turn'"), v = run.column("bore'"), turn = run.column("turn");
  for (std::size_t i = 0; i < w.size(); ++i) {
    EXPECT_NEAR(0.016 * w[i] * w[i] + 2.5 * v[i] * v[i], 0.016 * 400, 1e-8);
    const double ratio =
        -0.06 * std::sin(turn[i]) *
        (1 + 0.06 * std::cos(turn[i]) / std::sqrt(0.15 * 0.15 - std::pow(0.06 * std::sin(turn[i]), 2)));
    EXPECT_NEAR(v[i], ratio * w[i], 1e-9);
  }
  model.simulate.end = run.time_of("turn", std::numbers::pi / 2);
  EXPECT_NEAR(simulated(model).last("turn'"), 16, 1e-6);
}

// A member between two pins carries a force along itself: across it there is none. The piston's acceleration tells how large it is.
TEST(MasslessLinks, ARodCarriesAForceAlongItself) {
  Model model = shipped("elements/massless_rod");
  model.simulate.rtol = 1e-11;
  model.definitions.emplace_back("along", parse_formula("dot(eye.force, rod.ex)", {}));
  model.definitions.emplace_back("across", parse_formula("dot(eye.force, rod.ey)", {}));
  model.definitions.emplace_back("needed", parse_formula("m*bore''/rod.ex.x", {}));
  model.reaction_frames = {{"eye", ReactionFrame::Side::first, {}, ReactionFrame::Side::elsewhere}};
  const Simulation run = simulated(model);
  for (const double force : run.column("across")) EXPECT_NEAR(force, 0, 1e-7);
  const auto along = run.column("along"), needed = run.column("needed");
  for (std::size_t i = 0; i < along.size(); ++i) EXPECT_NEAR(along[i], needed[i], 1e-6);
}

std::string four_bar(const std::string& coupler) {
  return R"(plane: xy
gravity: [0, -9.81, 0]
bodies:
  crank: {mass: 1, center: [0.1, 0, 0], inertia: {zz: 0.01}, points: {tip: [0.2, 0, 0]}}
  rocker: {mass: 2, center: [0.2, 0, 0], inertia: {zz: 0.05}, points: {tip: [0.4, 0, 0]}}
)" + coupler;
}

const std::string with_link = four_bar(R"(  coupler: {mass: 0, points: {tip: [0.5, 0, 0]}}
points: {P: [0.5, 0, 0]}
joints:
  A: {type: revolute, between: [ground, crank]}
  B: {type: revolute, between: [crank.tip, coupler]}
  C: {type: revolute, between: [coupler.tip, rocker.tip]}
  D: {type: revolute, between: [P, rocker]}
start: {keep: {A: 90 deg}, near: {D: 90 deg}}
simulate: {end: 0.3 s, record: 10 ms, rtol: 1e-10}
)");

const std::string with_distance = four_bar(R"(points: {P: [0.5, 0, 0]}
joints:
  A: {type: revolute, between: [ground, crank]}
  D: {type: revolute, between: [P, rocker]}
constraints: {rod: {type: distance, between: [crank.tip, rocker.tip], length: 0.5}}
start: {keep: {A: 90 deg}, near: {D: 90 deg}}
simulate: {end: 0.3 s, record: 10 ms, rtol: 1e-10}
)");

class EveryFormulationOfAMasslessLink : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Massless, EveryFormulationOfAMasslessLink,
                         testing::Values("auto", "multipliers", "partition", "null_space", "udwadia_kalaba",
                                         "proximal"),
                         [](const auto& info) { return info.param; });

TEST_P(EveryFormulationOfAMasslessLink, MovesAsWithAFixedDistance) {
  Model model = read_model_text("armature: 1\n" + with_link);
  model.simulate.formulation = GetParam();
  const Simulation link = simulated(model), distance = simulated_text(with_distance);
  for (const char* name : {"A", "D", "A'", "D'"}) {
    const auto x = link.column(name), y = distance.column(name);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-7) << name << " in row " << i;
  }
}

// Implicit methods, the eliminations of large machines and the step of a card see the same matrices.
TEST(MasslessLinks, MoveWithEveryIntegrator) {
  const Simulation distance = simulated_text(with_distance);
  for (const char* integrator : {"dop853", "radau5", "cvode_bdf", "ida", "rk4"}) {
    Model model = read_model_text("armature: 1\n" + with_link);
    model.simulate.integrator = integrator;
    if (integrator == std::string("rk4")) model.simulate.step = 1e-4;
    EXPECT_NEAR(simulated(model).last("A"), distance.last("A"), 1e-6) << integrator;
  }
}

std::string spatial_rod(const std::string& rod) {
  return R"(gravity: [0, 0, -9.81]
bodies:
  arm: {mass: 1, center: [0.1, 0, 0], inertia: {rod: 0.2}, points: {tip: [0.2, 0, 0]}}
  lever: {mass: 2, center: [0, 0.2, 0], inertia: {xx: 0.03, yy: 0.001, zz: 0.03}, points: {tip: [0, 0.4, 0]}}
)" + rod;
}

const char* const joints_of_arms = R"(  A: {type: revolute, axis: y, between: [ground, arm]}
  D: {type: revolute, axis: x, between: [P, lever]}
)";

// Between two balls the rod may spin about its own axis: nothing else depends on it.
TEST(MasslessLinks, ARodBetweenTwoBallsMovesAsAFixedDistance) {
  const std::string end =
      "simulate: {end: 0.5 s, record: 10 ms, rtol: 1e-10}\nstart: {keep: {A: 20 deg}, near: {D: 0}}\n";
  const std::string balls = std::string("points: {P: [0.3, 0, 0.1]}\njoints:\n") + joints_of_arms;
  for (const char* tip : {"[0.45, 0, 0]", "[0.27, 0.36, 0]", "[0, 0.27, -0.36]"}) {
    const Simulation rod = simulated_text(
        spatial_rod("  rod: {mass: 0, points: {tip: " + std::string(tip) + "}}\n") + balls +
        "  B: {type: spherical, between: [arm.tip, rod]}\n  C: {type: spherical, between: [rod.tip, lever.tip]}\n" +
        end);
    const Simulation distance =
        simulated_text(spatial_rod("") + balls +
                       "constraints: {rod: {type: distance, between: [arm.tip, lever.tip], length: 0.45}}\n" + end);
    for (const char* name : {"A", "D", "A'", "D'"})
      EXPECT_NEAR(rod.last(name), distance.last(name), 1e-7) << name << tip;
    EXPECT_THAT(rod.prepared.notes, testing::Contains(HasSubstr("nothing resists the rotation of B about [")));
  }
}

// A prescribed joint needs no inertia behind it: x = r cos(w t) on a massless crank moves 2 kg by a slot.
TEST(MasslessLinks, APrescribedJointNeedsNoInertia) {
  const Simulation run = simulated_text(R"(plane: xy
gravity: [0, 0, 0]
parameters: {r: 0.1 m, w: 10 rad/s}
bodies: {crank: {mass: 0, points: {pin: [r, 0, 0]}}, slide: {mass: 2 kg}}
joints:
  turn: {type: revolute, between: [ground, crank]}
  x: {type: prismatic, axis: x, between: [ground, slide]}
constraints:
  motor: {type: prescribed, zero: turn - w*t}
  slot: {type: prescribed, zero: x - crank.pin.x}
simulate: {end: 0.5 s, record: 10 ms, rtol: 1e-10}
)");
  const auto t = run.column("t"), motor = run.column("motor");
  for (std::size_t i = 0; i < t.size(); ++i)
    EXPECT_NEAR(motor[i], 2 * 0.01 * 100 * std::cos(10 * t[i]) * std::sin(10 * t[i]), 1e-8);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-8);
}

// All of it moves as prescribed, and nothing has mass.
TEST(MasslessLinks, AMachineWithoutMassMovesAsPrescribed) {
  const Simulation run = simulated_text(R"(plane: xy
gravity: [0, -9.81, 0]
bodies: {crank: {mass: 0}}
joints: {turn: {type: revolute, between: [ground, crank]}}
constraints: {motor: {type: prescribed, zero: turn - 3*t}}
simulate: {end: 1 s}
)");
  EXPECT_NEAR(run.last("turn"), 3, 1e-9);
}

std::string refusal_of(const std::string& text) {
  try {
    prepared_text(text);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(MasslessLinks, AreRefusedWhereNothingDeterminesTheirMotion) {
  EXPECT_THAT(
      refusal_of(R"(plane: xy
gravity: [0, -9.81, 0]
bodies: {a: {mass: 1, inertia: {zz: 1}}, b: {mass: 0}}
joints:
  A: {type: revolute, between: [ground, a]}
  B: {type: revolute, between: ["a [1, 0, 0]", b]}
)"),
      HasSubstr("joints.B: 'B' can move freely, but nothing that it moves has mass or inertia; give it some, or let "
                "joints or constraints determine its motion"));
}

// A torque about the axis of the rod would turn it at once.
TEST(MasslessLinks, AreRefusedWhereATorqueSpinsThem) {
  EXPECT_THAT(refusal_of(spatial_rod("  rod: {mass: 0, points: {tip: [0.45, 0, 0]}}\n") +
                         "points: {P: [0.3, 0, 0.1]}\njoints:\n" + joints_of_arms + R"(
  B: {type: spherical, between: [arm.tip, rod]}
  C: {type: spherical, between: [rod.tip, lever.tip]}
forces: {twist: {type: torque, on: rod, is: [1, 2, 3]}}
start: {keep: {A: 20 deg}, near: {D: 0}}
)"),
              HasSubstr("joints.B: a force turns B about [1, 0, 0], but nothing that it moves has mass or inertia"));
}

}  // namespace
}  // namespace armature::internal
