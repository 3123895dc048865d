// A six-step brushless motor: two phases conduct, the third gives its current back through the diodes.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "drive/other_drives.hpp"
#include "support/extrapolation.hpp"

namespace armature::internal {
namespace {

using std::numbers::pi;

constexpr double K_phase = 0.05, R_phase = 0.4, L_phase = 1e-3, pairs = 2, rails = 48;
const std::string six_step =
    "type: brushless, pole_pairs: 2, phase_constant: 0.05, resistance: 0.4, inductance: 1e-3, dc_voltage: 48, ";

// 1 from 30 to 150 degrees, -1 from 210 to 330.
double trapezoid(double y) {
  y = std::fmod(std::fmod(y, 2 * pi) + 2 * pi, 2 * pi) * 6 / pi;
  return y < 1 ? y : y < 5 ? 1 : y < 7 ? 6 - y : y < 11 ? -1 : y - 12;
}

// At rest i = V/(2 R) (1 - exp(-R t/L)) flows from c to b.
TEST(Brushless, RisesAtRest) {
  const Simulation run = simulated_text(held_disc(six_step + "voltage: 10", 0, "end: 5 ms, record: 1 ms, rtol: 1e-11"));
  const auto t = run.column("t"), i = run.column("m.current"), a = run.column("m.current_a"),
             T = run.column("m.torque");
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double expected = 10 / (2 * R_phase) * (1 - std::exp(-R_phase * t[k] / L_phase));
    ASSERT_NEAR(i[k], expected, 1e-8);
    ASSERT_NEAR(a[k], 0, 1e-10);
    ASSERT_NEAR(T[k], 2 * K_phase * expected, 1e-8);
  }
}

// Its own equations, piece by piece: after each of the commutations the open phase conducts until its current is gone.
class OwnBridge {
 public:
  OwnBridge(double voltage, double w) : v_(voltage), w_(w) {}

  // From one commutation to the next, or to `end`.
  void sector(int number, double end) {
    const int open = ((-number % 3) + 3) % 3;  // a, c, b, a, …: which crosses zero in this sector
    open_ = open;
    if (std::abs(i_[open]) > 1e-12) {
      double low = t_, high = end;
      const double before = i_[open];
      if (open_current(high) * before < 0) {
        for (int k = 0; k < 60; ++k) (open_current(0.5 * (low + high)) * before > 0 ? low : high) = 0.5 * (low + high);
        advance(high, true);
        i_[open] = 0;
      } else {
        advance(end, true);
        return;
      }
    }
    advance(end, false);
  }
  double current(int phase) const { return i_[phase]; }
  double t() const { return t_; }

 private:
  double shape(int phase, double t) const { return trapezoid(pairs * w_ * t - phase * 2 * pi / 3); }

  OwnState three_rates(double t, const OwnState& i, bool conducts) const {
    double u[3], f[3];
    for (int k = 0; k < 3; ++k) {
      f[k] = shape(k, t);
      u[k] = k == open_ ? (i_[open_] > 0 ? -rails / 2 : rails / 2) : (f[k] > 0 ? v_ / 2 : -v_ / 2);
    }
    const double Kw = K_phase * w_;
    OwnState rates(3, 0.0);
    if (conducts) {
      const double neutral = (u[0] + u[1] + u[2] - Kw * (f[0] + f[1] + f[2])) / 3;
      for (int k = 0; k < 3; ++k) rates[k] = (u[k] - neutral - R_phase * i[k] - Kw * f[k]) / L_phase;
      return rates;
    }
    const int one = (open_ + 1) % 3, other = (open_ + 2) % 3;
    rates[one] = (u[one] - u[other] - R_phase * (i[one] - i[other]) - Kw * (f[one] - f[other])) / (2 * L_phase);
    rates[other] = -rates[one];
    return rates;
  }
  OwnState at(double end, bool conducts) const {
    return integrated([&](Own t, const OwnState& i) { return three_rates(t, i, conducts); }, {i_[0], i_[1], i_[2]}, t_,
                      end, 20);
  }
  double open_current(double end) const { return at(end, true)[open_]; }
  void advance(double end, bool conducts) {
    const OwnState i = at(end, conducts);
    i_ = {i[0], i[1], i[2]}, t_ = end;
  }

  double v_, w_, t_ = 0;
  int open_ = 0;
  std::array<Own, 3> i_{};
};

// Phase a crosses zero at 0, then c at 60 degrees, b at 120; commutations are at 30, 90, … degrees.
TEST(Brushless, FollowsItsOwnEquationsThroughCommutations) {
  const double w = 150, degree = pi / 180 / (pairs * w);
  OwnBridge own(24, w);
  own.sector(0, 30 * degree);
  for (int k = 1; k <= 7; ++k) own.sector(k, (30 + 60 * k) * degree);
  const Simulation run = simulated_text(held_disc(
      six_step + "voltage: 24", w, fmt::format("end: {:.17g}, record: 1, rtol: 1e-12, atol: 1e-12", own.t())));
  EXPECT_NEAR(run.last("m.current_a"), own.current(0), 1e-11);
  EXPECT_NEAR(run.last("m.current_b"), own.current(1), 1e-11);
  EXPECT_NEAR(run.last("m.current_c"), own.current(2), 1e-11);
}

// Free, it runs up to where 2 K w = V less friction; brakes when the voltage falls; and the ledger closes.
TEST(Brushless, RunsUpAndBrakes) {
  const Simulation run = simulated_text(driven_disc(six_step + "rotor_inertia: 1e-4, voltage: 'if(t < 0.6, 30, 2)'",
                                                    "simulate: {end: 1, record: 1 ms, rtol: 1e-9}", "damping: 1e-3"));
  double fastest = 0;
  for (double w : run.column("turn'")) fastest = std::max(fastest, w);
  EXPECT_GT(fastest, 80);
  EXPECT_LT(fastest, 30 / (2 * K_phase));
  EXPECT_LT(run.last("turn'"), fastest - 10);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-5 * run.last("heat.joule"));
}

// i = T/(2 K), V = 2 R i + 2 K w + 2 L i'
TEST(Brushless, IsInverted) {
  for (const char* gear : {"", "elastic: {stiffness: 1e9}, rotor_inertia: 1e-12, "}) {
    const InvertedRun run = inverted_text(driven_disc(
        six_step + gear + "voltage: 0", "inverse: {motion: {turn: 20*t^3}}\nsimulate: {end: 1, record: 0.1}"));
    const double i = 0.02 * 120 / (2 * K_phase);
    EXPECT_NEAR(run.last("m.current"), i, 1e-6) << gear;
    EXPECT_NEAR(run.last("m.voltage"), 2 * R_phase * i + 2 * K_phase * 60 + 2 * L_phase * i, 1e-6) << gear;
  }
}

}  // namespace
}  // namespace armature::internal
