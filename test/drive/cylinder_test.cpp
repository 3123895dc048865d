// A hydraulic cylinder against its own differential equations and closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "drive/other_drives.hpp"
#include "support/extrapolation.hpp"

namespace armature::internal {
namespace {

constexpr double mass = 200, bore = 0.05, rod = 0.03, stroke = 0.4, bulk = 1.2e9, dead = 4e-5;
const double A_bore = std::numbers::pi / 4 * bore * bore, A_ring = A_bore - std::numbers::pi / 4 * rod * rod;

std::string slide(const std::string& cylinder, const std::string& more) {
  return "gravity: [0, 0, 0]\nplane: xy\nbodies: {load: {mass: 200, inertia: {zz: 1}}}\n"
         "joints: {x: {type: prismatic, axis: x, between: [ground, load]}}\n"
         "drives:\n  c: {type: hydraulic_cylinder, on: x, bore: 50 mm, rod: 30 mm, stroke: 0.4 m, bulk_modulus: 1.2e9, "
         "dead_volume: 4e-5, rated_flow: 5e-4, rated_pressure: 35 bar, " +
         cylinder + "}\n" + more;
}
const std::string steady_supply = "supply_pressure: 160 bar, tank_pressure: 2 bar, ";

// Small vibration of a mass on oil that is shut in: w^2 = B/m (A^2/Va + a^2/Vb).
TEST(Cylinder, VibratesAtTheFrequencyOfItsOil) {
  const double x0 = 0.1, v0 = 1e-6, Va = dead + A_bore * x0, Vb = dead + A_ring * (stroke - x0),
               w = std::sqrt(bulk / mass * (A_bore * A_bore / Va + A_ring * A_ring / Vb));
  const Simulation run = simulated_text(
      slide(steady_supply + "valve: 0",
            fmt::format("start: {{keep: {{x: 0.1, c.pressure_a: 50 bar, c.pressure_b: {:.17g}}}, speed: {{x: 1e-6}}}}\n"
                        "simulate: {{end: 0.2, record: 1 ms, rtol: 1e-12, atol: 1e-18, integrator: dop853}}",
                        50e5 * A_bore / A_ring)));
  const auto t = run.column("t"), v = run.column("x'");
  for (std::size_t k = 0; k < t.size(); ++k) ASSERT_NEAR(v[k], v0 * std::cos(w * t[k]), 1e-6 * v0);
}

TEST(Cylinder, FollowsItsDifferentialEquations) {
  const double Q = 5e-4 / std::sqrt(35e5), ps = 160e5, pt = 2e5, laminar = 3e5, leak = 2e-12, d = 300;
  const auto through = [&](Own y, Own dp) { return Q * y * dp / std::pow(dp * dp + laminar * laminar, 0.25L); };
  const auto rates = [&](Own t, const OwnState& s) {
    const Own y = 0.6 * std::sin(5 * t), ahead = std::max(y, 0.0L), back = std::max(-y, 0.0L), pa = s[2], pb = s[3];
    const Own slip = leak * (pa - pb), Qa = through(ahead, ps - pa) - through(back, pa - pt) - slip,
              Qb = through(back, ps - pb) - through(ahead, pb - pt) + slip;
    return OwnState{s[1], (A_bore * pa - A_ring * pb - d * s[1]) / mass,
                    bulk * (Qa - A_bore * s[1]) / (dead + A_bore * s[0]),
                    bulk * (Qb + A_ring * s[1]) / (dead + A_ring * (stroke - s[0]))};
  };
  // up to where the valve turns round: no comparison within
  const double end = std::numbers::pi / 5;
  const OwnState own = integrated(rates, {0.1, 0, 60e5, 80e5}, 0, end, 1500);
  const Simulation run =
      simulated_text(slide(steady_supply + "laminar_pressure: 3 bar, leakage: 2e-12, valve: 0.6*sin(5*t)",
                           "forces: {damper: {type: effort, on: x, is: -300*x'}}\n"
                           "start: {keep: {x: 0.1, c.pressure_a: 60 bar, c.pressure_b: 80 bar}}\n"
                           "simulate: {end: pi/5, record: 10 ms, rtol: 1e-13, integrator: dop853}"));
  EXPECT_NEAR(run.last("x"), own[0], 1e-12);
  EXPECT_NEAR(run.last("x'"), own[1], 1e-12);
  EXPECT_NEAR(run.last("c.pressure_a"), own[2], 1e-12 * ps);
  EXPECT_NEAR(run.last("c.pressure_b"), own[3], 1e-12 * ps);
}

// The energy of the oil, of pump, valve, relief valve and tank is all counted.
TEST(Cylinder, ClosesTheLedger) {
  for (const char* supply :
       {"supply_pressure: 160 bar, tank_pressure: 2 bar, ",
        "pump: {flow: 3e-4, relief_pressure: 160 bar, volume: 1e-3}, tank_pressure: 2 bar, leakage: 1e-12, "}) {
    const Simulation run = simulated_text(slide(std::string(supply) + "valve: 0.4*sin(8*t)",
                                                "start: {keep: {x: 0.1, c.pressure_a: 60 bar, c.pressure_b: 90 bar}}\n"
                                                "simulate: {end: 2, record: 10 ms, rtol: 1e-11}"));
    EXPECT_LT(run.outcome.statistics.energy_error, 1e-8 * run.last("heat.viscous")) << supply;
    EXPECT_GT(run.last("heat.viscous"), 100);
  }
}

// Without load: s' = y Q sqrt((A ps - a pt)/(A^3 + a^3)), and inverse dynamics finds the opening of the valve again.
TEST(Cylinder, MovesAsFastAsItsValveLets) {
  const double Q = 5e-4 / std::sqrt(35e5), cubes = std::pow(A_bore, 3) + std::pow(A_ring, 3), y = 0.2,
               speed = y * Q * std::sqrt((A_bore * 160e5 - A_ring * 2e5) / cubes);
  const Simulation run =
      simulated_text(slide(steady_supply + "laminar_pressure: 1000, valve: '0.2*ramp(t, 0 s, 0.3 s)'",
                           "forces: {damper: {type: effort, on: x, is: \"-if(t < 1.2, 3000, 0)*(x' - 0.1)\"}}\n"
                           "start: {keep: {c.pressure_a: 60 bar, c.pressure_b: 93.75 bar}}\n"
                           "simulate: {end: 1.2, record: 0.1, rtol: 1e-11}"));
  const double force = 3000 * (run.last("x'") - 0.1);
  EXPECT_NEAR(run.last("x'"), y * Q * std::sqrt((A_bore * 160e5 - A_ring * 2e5 - force) / cubes), 1e-5 * speed);
  const InvertedRun found = inverted_text(
      slide(steady_supply + "valve: 0",
            fmt::format("inverse: {{motion: {{x: {:.17g}*t}}}}\nsimulate: {{end: 1, record: 0.1}}", speed)));
  EXPECT_NEAR(found.last("c.valve"), y, 1e-12);
  EXPECT_NEAR(found.last("c.force"), 0, 1e-6);
  EXPECT_NEAR(found.last("c.flow"), A_bore * speed, 1e-15);
  EXPECT_NEAR(found.last("c.pressure_a") * A_bore, found.last("c.pressure_b") * A_ring, 1e-6);
  EXPECT_NEAR(found.last("c.power"), 160e5 * A_bore * speed, 1e-8);
}

// Against a force that the supply cannot push, inverse dynamics says so.
TEST(Cylinder, InverseDynamicsNamesAValveThatIsTooSmall) {
  const InvertedRun found = inverted_text(
      slide(steady_supply + "valve: 0", "inverse: {motion: {x: t/2}}\nsimulate: {end: 0.5, record: 0.1}"));
  ASSERT_EQ(found.outcome.warnings().size(), 1u);
  EXPECT_NE(found.outcome.warnings()[0].find("the limit of its valve is 1 of the full opening"), std::string::npos)
      << found.outcome.warnings()[0];
}

}  // namespace
}  // namespace armature::internal
