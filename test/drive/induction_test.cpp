// An induction motor against its own differential equations, and its breakdown torque by the equivalent circuit.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "drive/other_drives.hpp"
#include "support/extrapolation.hpp"

namespace armature::internal {
namespace {

struct Cage {
  double p = 2, Rs = 1.2, Rr = 0.9, ls = 5e-3, lr = 6e-3, Lm = 0.16;
  double Ls() const { return Lm + ls; }
  double Lr() const { return Lm + lr; }
  std::string keys() const {
    return fmt::format(
        "type: induction_motor, pole_pairs: {}, stator_resistance: {}, rotor_resistance: {}, stator_leakage: {}, "
        "rotor_leakage: {}, magnetizing_inductance: {}, ",
        p, Rs, Rr, ls, lr, Lm);
  }
};

// In axes that stand still, other than those of the program: v turns, and the fluxes are compared by what does not depend on axes.
TEST(InductionMotor, FollowsItsDifferentialEquations) {
  const Cage m;
  const double ws = 2 * std::numbers::pi * 40, V = 200, J = 0.02, d = 0.01;
  using Complex = std::complex<Own>;
  const Own Rs = m.Rs, Rr = m.Rr, Ls = m.Ls(), Lr = m.Lr(), Lm = m.Lm;
  const auto currents = [&](Complex s, Complex r) {
    const Own determinant = Ls * Lr - Lm * Lm;
    return std::pair{(Lr * s - Lm * r) / determinant, (Ls * r - Lm * s) / determinant};
  };
  const auto rates = [&](Own t, const OwnState& y) {
    const Complex s(y[0], y[1]), r(y[2], y[3]), v = std::polar<Own>(V, ws * t);
    const auto [is, ir] = currents(s, r);
    const Complex s_rate = v - Rs * is, r_rate = -Rr * ir + Complex(0, m.p * y[4]) * r;
    const Own torque = 1.5L * m.p * (std::conj(s) * is).imag();
    return OwnState{s_rate.real(), s_rate.imag(), r_rate.real(), r_rate.imag(), (torque - d * y[4]) / J};
  };
  const OwnState own = integrated(rates, {0, 0, 0, 0, 0}, 0, 0.3, 1500);
  const Simulation run = simulated_text(driven_disc(
      m.keys() + "voltage: 200, frequency: 40 Hz",
      "simulate: {end: 0.3, record: 10 ms, rtol: 1e-13, atol: 1e-13, integrator: dop853}", "damping: 0.01"));
  EXPECT_NEAR(run.last("turn'"), own[4], 1e-12 * own[4]);
  const auto [is, ir] = currents({own[0], own[1]}, {own[2], own[3]});
  EXPECT_NEAR(run.last("m.current"), std::abs(is), 1e-12 * 200);
  EXPECT_NEAR(run.last("m.rotor_current"), std::abs(ir), 1e-12 * 200);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-11 * run.last("work.electrical"));
}

// Thevenin's source behind the stator: s = Rr/|Rt + j(Xt + Xr)|, T = 3/4 p/ws |Vt|^2/(Rt + |Rt + j(Xt + Xr)|).
TEST(InductionMotor, BreaksDownAtItsSlip) {
  const Cage m;
  using Complex = std::complex<Own>;
  const double ws = 2 * std::numbers::pi * 50, V = 310;
  const Complex stator(m.Rs, ws * m.Ls()), seen = Complex(0, ws * m.Lm) * Complex(m.Rs, ws * m.ls) / stator;
  const double Vt = V * std::abs(Complex(0, ws * m.Lm) / stator), Z = std::abs(seen + Complex(0, ws * m.lr)),
               slip = m.Rr / Z, torque = 0.75 * m.p / ws * Vt * Vt / (seen.real() + Z);
  const auto at = [&](double s) {
    return simulated_text(held_disc(m.keys() + "voltage: 310, frequency: 50 Hz", ws * (1 - s) / m.p,
                                    "end: 4, record: 1, rtol: 1e-12"))
        .last("m.torque");
  };
  EXPECT_NEAR(at(slip), torque, 1e-9 * torque);
  EXPECT_LT(at(0.9 * slip), torque);
  EXPECT_LT(at(1.1 * slip), torque);
}

// V/f up to the limit of the voltage, backwards too.
TEST(InductionMotor, TakesAVoltageInProportionToItsFrequency) {
  const Cage m;
  const auto voltage = [&](const char* frequency) {
    return simulated_text(
               driven_disc(
                   m.keys() + "volts_per_hertz: 6 V*s, boost: 10, limits: {voltage: 310}, frequency: " + frequency,
                   "simulate: {end: 0.01, record: 0.01}"))
        .last("m.voltage");
  };
  EXPECT_NEAR(voltage("10 Hz"), 70, 1e-12);
  EXPECT_NEAR(voltage("-20 Hz"), 130, 1e-12);
  EXPECT_NEAR(voltage("60 Hz"), 310, 1e-12);
}

}  // namespace
}  // namespace armature::internal
