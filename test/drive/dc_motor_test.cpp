// One motor with a load against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "drive/dc_disc.hpp"

namespace armature::internal {
namespace {

// J w' = r K i - r^2 d w,  i = (V - K r w)/R:  w = w_end (1 - exp(-t/T)).
TEST(DcMotor, RisesToItsSpeedAsTheClosedForm) {
  using namespace dc_letters;
  const Simulation run = simulated_text(dc_disc(dc_constants + "voltage: 6"));
  const double damping = r * r * (d + K * K / R), w_end = r * K * 6 / R / damping, T = J / damping;
  const auto t = run.column("t"), w = run.column("turn'"), i = run.column("m.current");
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double expected = w_end * (1 - std::exp(-t[k] / T));
    ASSERT_NEAR(w[k], expected, 1e-8);
    ASSERT_NEAR(i[k], (6 - K * r * expected) / R, 1e-8);
  }
}

// With inductance: two real or complex eigenvalues of (w, i).
TEST(DcMotor, WithInductanceRisesAsTheClosedForm) {
  using namespace dc_letters;
  const double L = 0.05, a = -r * r * d / J, b = r * K / J, c = -K * r / L, e = -R / L;
  const Simulation run = simulated_text(dc_disc(dc_constants + "inductance: 50 mH, voltage: 6"));
  // w'' - (a+e) w' + (ae - bc) w = b 6/L, w(0) = 0, w'(0) = 0
  const double trace = a + e, det = a * e - b * c, w_end = b * 6 / L / det, s = trace / 2, disc2 = s * s - det;
  ASSERT_LT(disc2, 0);
  const double f = std::sqrt(-disc2);
  const auto t = run.column("t"), w = run.column("turn'");
  for (std::size_t k = 0; k < t.size(); ++k)
    ASSERT_NEAR(w[k], w_end * (1 - std::exp(s * t[k]) * (std::cos(f * t[k]) - s / f * std::sin(f * t[k]))), 1e-8);
}

TEST(DcMotor, TorqueAndCurrentSourcesDoAsTold) {
  const Simulation torque =
      simulated_text(dc_disc("torque_constant: 0.5, resistance: 2, gear_ratio: 4, torque: 0.1*t"));
  EXPECT_NEAR(torque.last("turn'"), 0.1 * 0.5 / 0.02, 1e-9);
  EXPECT_NEAR(torque.last("m.current"), 0.1 / (4 * 0.5), 1e-12);
  const Simulation current =
      simulated_text(dc_disc("torque_constant: 0.5, resistance: 2, gear_ratio: 4, current: 0.2"));
  EXPECT_NEAR(current.last("turn'"), 4 * 0.5 * 0.2 / 0.02, 1e-8);
}

// A start current is kept: without voltage at rest it decays with R/L.
TEST(DcMotor, StartsWithItsCurrent) {
  const Simulation run = simulated_text(dc_disc("torque_constant: 1e-9, resistance: 2, inductance: 0.5, voltage: 0",
                                                "start: {keep: {turn: 0.1, m.current: 3 A}}\n"
                                                "simulate: {end: 1, record: 0.1, rtol: 1e-10}"));
  EXPECT_EQ(run.at(0, "m.current"), 3);
  EXPECT_NEAR(run.last("m.current"), 3 * std::exp(-4.0), 1e-9);
}

// A current that is a state passes its limit by what it changes in a step: that is said with numbers.
TEST(DcMotor, SaysHowFarFixedStepsPassACurrentLimit) {
  const auto run = [](const char* integrator) {
    return simulated_text(
        dc_disc("torque_constant: 0.5, resistance: 2, rotor_inertia: 1e-3, inductance: 2 mH, "
                "limits: {current: 2}, voltage: 24",
                std::string("simulate: {end: 0.1, record: 1 ms, integrator: ") + integrator + "}"));
  };
  const Simulation coarse = run("rk4, step: 1 ms");
  const Peak& peak = coarse.outcome.peaks.at(0);
  EXPECT_GT(peak.value, 4);
  ASSERT_EQ(coarse.outcome.warnings().size(), 3u);  // the third: the energy balance, off with steps so coarse
  EXPECT_TRUE(coarse.outcome.warnings()[1].starts_with(
      fmt::format("m.current exceeds its limit of 2 A: it reaches {:.4g} A at t = {:.4g} s, because rk4 with steps of "
                  "0.001 s",
                  peak.value, peak.t)))
      << coarse.outcome.warnings()[1];
  EXPECT_TRUE(coarse.outcome.warnings()[2].starts_with("the energy balance is off by")) << coarse.outcome.warnings()[2];
  EXPECT_EQ(run("rk4, step: 1e-6").outcome.warnings().size(), 1u);
  EXPECT_TRUE(run("dopri5").outcome.warnings().empty());
}

// Constants that differ make or destroy energy at the shaft, which is counted: (K_m - K_e) i w.
TEST(DcMotor, CountsWhatUnequalConstantsMake) {
  for (const auto& [back_emf, words] : {std::pair("0.4", "comes from nothing"), std::pair("0.6", "vanishes")}) {
    const Prepared start = prepared_text(
        dc_disc(std::string("torque_constant: 0.5, back_emf_constant: ") + back_emf + ", resistance: 2, current: 3",
                "start: {speed: {turn: 7}}\n"));
    ASSERT_EQ(start.system->equations().warnings.size(), 1u);
    EXPECT_NE(start.system->equations().warnings[0].find("so 0.2 of every joule at the shaft " + std::string(words)),
              std::string::npos)
        << start.system->equations().warnings[0];
    EXPECT_NEAR(moment_of(start)["work.mismatch'"], (0.5 - std::stod(back_emf)) * 3 * 7, 1e-12);
  }
  EXPECT_TRUE(prepared_text(dc_disc("torque_constant: 0.5, resistance: 2, current: 3", ""))
                  .system->equations()
                  .warnings.empty());
}

}  // namespace
}  // namespace armature::internal
