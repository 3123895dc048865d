#include "drive/field_weakening.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace armature::internal {
namespace {

// 4 pole pairs, 0.1 V s, 2 mH along the magnets and 5 mH across them.
struct SalientMachine {
  double p = 4, psi = 0.1, Ld = 2e-3, Lq = 5e-3;
  PmsmConstants constants() const { return {p, psi, Ld, Lq}; }
  double torque(double id, double iq) const { return 1.5 * p * iq * (psi + (Ld - Lq) * id); }
  double flux(double id, double iq) const { return std::hypot(Ld * id + psi, Lq * iq); }
};

// Most torque for an amplitude of the current below I and of the flux below `flux`, by trying angles and sizes of the current.
double most_torque_tried(const SalientMachine& m, double I, double flux) {
  constexpr int angles = 200000;  // where both limits meet the torque has a kink: an error of 1e-5 of it
  double best = 0;
  for (int k = 0; k <= angles; ++k) {
    const double angle = M_PI / 2 * (1 + k / double(angles)), d = std::cos(angle), q = std::sin(angle);
    // |flux|^2 = a s^2 + 2 b s + psi^2 of the size s
    const double a = m.Ld * m.Ld * d * d + m.Lq * m.Lq * q * q, b = m.Ld * m.psi * d,
                 root = b * b - a * (m.psi * m.psi - flux * flux);
    if (root < 0) continue;
    const double size = std::min(I, (-b + std::sqrt(root)) / a);
    if (size > 0 && m.flux(size * d, size * q) <= flux * (1 + 1e-12))
      best = std::max(best, m.torque(size * d, size * q));
  }
  return best;
}

TEST(FieldWeakening, TorqueAndFluxAreThoseOfTheRotorsAxes) {
  const SalientMachine m;
  EXPECT_NEAR(m.constants().torque({-3, 7}).value(), m.torque(-3, 7), 1e-13);
  EXPECT_NEAR(std::sqrt(squared(m.constants().flux({-3, 7})).value()), m.flux(-3, 7), 1e-15);
}

// MTPA: at the same torque every other current is larger.
TEST(FieldWeakening, CurrentsOfLeastLossAreTheSmallest) {
  const SalientMachine m;
  for (const double torque : {0.01, 1.0, 8.0, -8.0}) {
    const Dq i = currents_of_least_loss(m.constants(), torque);
    const double d = i.d.value(), q = i.q.value();
    EXPECT_NEAR(m.torque(d, q), torque, 1e-12 * std::abs(torque));
    EXPECT_LT(d, 0);
    for (const double other : {d - 0.01, d + 0.01})
      EXPECT_GT(std::hypot(other, torque / (1.5 * m.p * (m.psi + (m.Ld - m.Lq) * other))), std::hypot(d, q)) << torque;
  }
}

TEST(FieldWeakening, RoundPolesNeedNoCurrentAlongTheMagnets) {
  SalientMachine round;
  round.Lq = round.Ld;
  const Dq i = currents_of_least_loss(round.constants(), 3.0);
  EXPECT_EQ(i.d.value(), 0);
  EXPECT_NEAR(i.q.value(), 3 / (1.5 * 4 * 0.1), 1e-14);
}

// Below the base speed, on circle and ellipse, and on the ellipse alone (psi/Ld = 50 A; 60 A reach any speed).
TEST(FieldWeakening, EnvelopeIsTheMostTorqueWithinBothLimits) {
  const SalientMachine m;
  for (const double I : {20.0, 60.0})
    for (const double speed : {50.0, 300.0, 600.0, 2000.0}) {
      const PmsmLimits limits{.voltage = 60.0, .current = I};
      const double tried = most_torque_tried(m, I, 60 / speed);
      EXPECT_NEAR(torque_envelope(m.constants(), limits, speed).value(), tried, 1e-5 * tried + 1e-12)
          << I << " " << speed;
      EXPECT_NEAR(torque_envelope(m.constants(), limits, -speed).value(), tried, 1e-5 * tried + 1e-12)
          << I << " " << speed;
    }
}

TEST(FieldWeakening, EnvelopeOfOneLimit) {
  const SalientMachine m;
  EXPECT_NEAR(torque_envelope(m.constants(), {{}, 20.0}, 1e4).value(), most_torque_tried(m, 20, 1e3), 1e-4);
  EXPECT_NEAR(torque_envelope(m.constants(), {60.0, {}}, 600).value(), most_torque_tried(m, 1e4, 0.1), 1e-4);
}

TEST(FieldWeakening, WeakensAsMuchAsTheVoltageNeeds) {
  const SalientMachine m;
  const PmsmLimits limits{.voltage = 60.0, .current = 40.0};
  for (const double torque : {2.0, -2.0}) {
    const Dq slow = currents_within_limits(m.constants(), limits, torque, 50, true),
             fast = currents_within_limits(m.constants(), limits, torque, 900, true);
    EXPECT_NEAR(slow.d.value(), currents_of_least_loss(m.constants(), torque).d.value(), 1e-12);
    EXPECT_NEAR(m.torque(fast.d.value(), fast.q.value()), torque, 1e-9);
    EXPECT_NEAR(900 * m.flux(fast.d.value(), fast.q.value()), 60, 1e-7);
    EXPECT_LT(fast.d.value(), slow.d.value());
  }
}

// 100 N m are beyond everything: clamped to the envelope, or made with MTPA whatever voltage that takes.
TEST(FieldWeakening, ATorqueBeyondTheEnvelopeIsClampedOrMade) {
  const SalientMachine m;
  const PmsmLimits limits{.voltage = 60.0, .current = 20.0};
  for (const double torque : {100.0, -100.0}) {
    const Dq clamped = currents_within_limits(m.constants(), limits, torque, 300, true),
             made = currents_within_limits(m.constants(), {60.0, {}}, torque, 2000, false);
    const double most = torque_envelope(m.constants(), limits, 300).value();
    EXPECT_NEAR(m.torque(clamped.d.value(), clamped.q.value()), std::copysign(most, torque), 1e-6 * most);
    EXPECT_NEAR(made.d.value(), currents_of_least_loss(m.constants(), torque).d.value(), 1e-12);
    EXPECT_NEAR(made.q.value(), currents_of_least_loss(m.constants(), torque).q.value(), 1e-12);
  }
}

}  // namespace
}  // namespace armature::internal
