// A synchronous motor against its own differential equations, the best currents for a torque and the limits of its inverter.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "inverse/inverse.hpp"
#include "support/extrapolation.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using std::numbers::pi;

struct Machine {
  double p = 4, psi = 0.1, R = 0.5, Ld = 2e-3, Lq = 5e-3;

  double torque(double id, double iq) const { return 1.5 * p * iq * (psi + (Ld - Lq) * id); }
  double flux(double id, double iq) const { return std::hypot(Ld * id + psi, Lq * iq); }
  std::string keys() const {
    return fmt::format("pole_pairs: {}, flux: {}, resistance: {}, inductance: {}, inductance_q: {}, ", p, psi, R, Ld,
                       Lq);
  }
};
constexpr double J_disc = 0.02, d_joint = 0.03;

// A disc with damping, without gravity.
std::string wheel(const std::string& motor, const std::string& more = "") {
  return fmt::format(
      "gravity: [0, 0, 0]\nplane: xy\nbodies: {{disc: {{mass: 1, inertia: {{zz: {}}}}}}}\n"
      "joints: {{turn: {{type: revolute, between: [ground, disc], damping: {}}}}}\n"
      "drives:\n  m: {{type: pmsm, on: turn, {}}}\n{}",
      J_disc, d_joint, motor, more);
}
const std::string exactly = "simulate: {end: 0.2, record: 10 ms, rtol: 1e-13, atol: 1e-13, integrator: dop853}";

// The same disc turned at a speed of the shaft.
std::string held(const std::string& motor, double speed) {
  return wheel(motor, fmt::format("constraints: {{hold: {{type: prescribed, zero: turn - {:.17g}*t}}}}\n"
                                  "start: {{speed: {{turn: {:.17g}}}}}\nsimulate: {{end: 0.01, record: 0.01}}",
                                  speed, speed));
}

// With salience, iron loss and a gear of ratio 3.
TEST(Pmsm, FollowsItsDifferentialEquations) {
  const Machine m;
  const double r = 3, J_rotor = 1e-3, d = 2e-4, iron = 1 / 80.0, share = 1 + m.R * iron;
  const auto rates = [&](Own t, const OwnState& y) {
    const Own id = y[0], iq = y[1], w = y[2], we = m.p * r * w, vd = -8, vq = 30 + 10 * std::sin(40 * t);
    return OwnState{((vd - m.R * id) / share + we * m.Lq * iq) / m.Ld,
                    ((vq - m.R * iq) / share - we * (m.Ld * id + m.psi)) / m.Lq,
                    (r * m.torque(id, iq) - (r * r * d + d_joint) * w) / (J_disc + r * r * J_rotor)};
  };
  const OwnState own = integrated(rates, {0, 0, 0}, 0, 0.2, 400);
  const Simulation run = simulated_text(
      wheel(m.keys() + "iron_resistance: 80, gear_ratio: 3, rotor_inertia: 1e-3, viscous_friction: 2e-4, "
                       "voltage: 30 + 10*sin(40*t), voltage_d: -8",
            exactly));
  EXPECT_NEAR(run.last("m.current_d"), own[0], 1e-12 * 60);
  EXPECT_NEAR(run.last("m.current_q"), own[1], 1e-12 * 60);
  EXPECT_NEAR(run.last("turn'"), own[2], 1e-12 * 60);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-11 * run.last("work.electrical"));
}

// The decoupled currents are filters of first order, whatever the speed does.
TEST(Pmsm, CurrentsFollowTheirSetPoints) {
  const Machine m;
  const Simulation run = simulated_text(
      wheel(m.keys() + "iron_resistance: 50, control: {bandwidth: 100 Hz}, current: 6, current_d: -4", exactly));
  const auto t = run.column("t"), id = run.column("m.current_d"), iq = run.column("m.current_q");
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double reached = 1 - std::exp(-200 * pi * t[k]);
    ASSERT_NEAR(id[k], -4 * reached, 1e-9);
    ASSERT_NEAR(iq[k], 6 * reached, 1e-9);
  }
  EXPECT_GT(run.last("turn'"), 5);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-10 * run.last("work.electrical"));
}

// At the circle the direction of the voltage is that of the controllers, its size the limit; the integrals do not wind up.
TEST(Pmsm, VoltageStaysInTheCircle) {
  const Machine m;
  const Simulation run = simulated_text(wheel(m.keys() + "control: {bandwidth: 200 Hz}, dc_voltage: 40, current: 15",
                                              "simulate: {end: 1, record: 1 ms, rtol: 1e-10}"));
  double largest = 0;
  for (double v : run.column("m.voltage")) largest = std::max(largest, v);
  EXPECT_NEAR(largest, 40 / std::sqrt(3.0), 1e-9);
  EXPECT_LT(run.last("m.current"), 15);  // the speed takes the voltage
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-7 * run.last("work.electrical"));
}

// Currents of least size: id = psi/(2 D) - sqrt((psi/(2 D))^2 + iq^2), D = Lq - Ld; and in a machine with round poles id = 0.
TEST(Pmsm, MakesATorqueWithTheLeastCurrent) {
  const Machine m;
  for (const double torque : {1e-3, 0.5, -3.0, 40.0}) {
    const Simulation run = simulated_text(held(m.keys() + fmt::format("torque: {}", torque), 0.1));
    const double id = run.last("m.current_d"), iq = run.last("m.current_q"), h = m.psi / (2 * (m.Lq - m.Ld));
    EXPECT_NEAR(m.torque(id, iq), torque, 1e-13 * std::abs(torque));
    EXPECT_NEAR(id, h - std::hypot(h, iq), 1e-12 * (1 + std::abs(id)));
  }
  Machine round = m;
  round.Lq = round.Ld;
  const Simulation run = simulated_text(held(round.keys() + "torque: 2", 0.1));
  EXPECT_EQ(run.last("m.current_d"), 0);
  EXPECT_NEAR(run.last("m.current_q"), 2 / (1.5 * m.p * m.psi), 1e-14);
}

// The largest value that f has between a and b, by trying ever closer.
double largest_between(const std::function<double(double)>& f, double a, double b) {
  double best = a;
  const int tries = 2000;
  for (double step = (b - a) / tries; step > 1e-12; step *= 2.0 / tries) {
    const double first = std::max(a, best - tries / 2 * step), last = std::min(b, first + tries * step);
    for (double x = first; x <= last; x += step)
      if (f(x) > f(best)) best = x;
  }
  return f(best);
}

// Most torque within the circle of the current and the ellipse of the voltage: on one of the two.
double most_torque(const Machine& m, double voltage, double current, double we) {
  const auto on_ellipse = [&](double a) {
    const double id = (voltage / we * std::cos(a) - m.psi) / m.Ld, iq = voltage / we * std::sin(a) / m.Lq;
    return std::hypot(id, iq) <= current ? m.torque(id, iq) : 0;
  };
  const auto on_circle = [&](double a) {
    const double id = -current * std::cos(a), iq = current * std::sin(a);
    return we * m.flux(id, iq) <= voltage ? m.torque(id, iq) : 0;
  };
  return std::max(largest_between(on_ellipse, 0, pi), largest_between(on_circle, 0, pi / 2));
}

TEST(Pmsm, ItsTorqueOverSpeedIsTheEnvelope) {
  for (const bool round : {false, true}) {
    Machine m;
    if (round) m.Lq = m.Ld, m.psi = 0.02;  // psi/Ld = 10 A < 25 A: reaches any speed
    const double limit = 60, I = 25, voltage = limit - m.R * I;
    const std::string keys = m.keys() + "limits: {voltage: 60, current: 25}, torque: 1000";
    for (const double speed : {20.0, 60.0, 120.0, 300.0, 700.0}) {
      const Simulation run = simulated_text(held(keys, speed));
      const double best = most_torque(m, voltage, I, m.p * speed);
      EXPECT_NEAR(run.last("m.torque"), best, 1e-6 * best) << speed;
      EXPECT_LE(run.last("m.current"), I * (1 + 1e-9)) << speed;
      if (best > 0) EXPECT_LE(run.last("m.voltage"), limit * (1 + 1e-9)) << speed;
      EXPECT_EQ(best > 0, round || speed < voltage / (m.psi - m.Ld * I) / m.p) << speed;  // its largest speed
    }
  }
}

// The base speed: MTPA at the largest current needs all the voltage. Below it the torque does not depend on the speed.
TEST(Pmsm, WeakensItsFieldFromTheBaseSpeedOn) {
  const Machine m;
  const double I = 25, voltage = 60 - m.R * I, D = m.Lq - m.Ld,
               id = (m.psi - std::sqrt(m.psi * m.psi + 8 * D * D * I * I)) / (4 * D), iq = std::sqrt(I * I - id * id),
               base = voltage / m.flux(id, iq) / m.p;
  const auto at = [&](double speed) {
    return simulated_text(held(m.keys() + "limits: {voltage: 60, current: 25}, torque: 1000", speed));
  };
  const Simulation below = at(base * (1 - 1e-9)), above = at(1.2 * base);
  EXPECT_NEAR(below.last("m.torque"), m.torque(id, iq), 1e-12 * m.torque(id, iq));
  EXPECT_NEAR(below.last("m.current_d"), id, 1e-11 * I);
  // on both the circle and the ellipse
  EXPECT_NEAR(above.last("m.current"), I, 1e-9);
  EXPECT_NEAR(1.2 * base * m.p * m.flux(above.last("m.current_d"), above.last("m.current_q")), voltage, 1e-9 * voltage);
  EXPECT_LT(above.last("m.current_d"), id);
}

// Within the envelope the torque is the commanded one, with a weak field too.
TEST(Pmsm, MakesTheCommandedTorqueWithAWeakField) {
  const Machine m;
  for (const double torque : {0.2, -2.0, 4.0}) {
    const Simulation run =
        simulated_text(held(m.keys() + fmt::format("limits: {{voltage: 60, current: 25}}, torque: {}", torque), 150));
    EXPECT_NEAR(run.last("m.torque"), torque, 1e-11 * std::abs(torque));
    EXPECT_NEAR(600 * m.flux(run.last("m.current_d"), run.last("m.current_q")), 60 - 0.5 * 25, 1e-8);
  }
}

TEST(Pmsm, ClosesTheLedgerWithAWeakField) {
  const Machine m;
  const Simulation run = simulated_text(
      wheel(m.keys() + "iron_resistance: 60, control: {bandwidth: 300 Hz}, dc_voltage: 120, limits: {current: 25}, "
                       "torque: 6*cos(4*t)",
            "simulate: {end: 2, record: 10 ms, rtol: 1e-11}"));
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-8 * run.last("heat.joule"));
}

// C T' = P - (T - H)/R,  C_h H' = (T - H)/R - (H - ambient)/R_h; copper that warms up resists more.
TEST(Pmsm, WarmsItsHousing) {
  const Machine m;
  const auto rates = [&](Own, const OwnState& y) {
    const Own loss = 1.5 * m.R * (1 + 4e-3 * y[0]) * 100, out = (y[0] - y[1]) / 0.6;
    return OwnState{(loss - out) / 40, (out - y[1] / 0.9) / 300};
  };
  const OwnState own = integrated(rates, {0, 0}, 0, 200, 400);
  const Simulation run = simulated_text(
      wheel(m.keys() + "current: 10, winding: {heat_capacity: 40, thermal_resistance: 0.6, housing_heat_capacity: 300, "
                       "housing_thermal_resistance: 0.9, ambient: 300, temperature_coefficient: 4e-3}",
            "simulate: {end: 200, record: 10, rtol: 1e-12}"));
  EXPECT_NEAR(run.last("m.temperature"), 300 + own[0], 1e-10);
  EXPECT_NEAR(run.last("m.housing_temperature"), 300 + own[1], 1e-10);
}

// A shaft that turns with w and has no current behind its iron: the iron takes 3/2 (p w psi)^2/R_iron, which heats the housing, and the current
// that it draws, p w psi/R_iron, heats the copper.
TEST(Pmsm, WarmsItsHousingByTheLossOfItsIron) {
  const Machine m;
  const Own e = m.p * 60 * m.psi, iron = 1.5 * e * e / 80, copper = 1.5 * m.R * (e / 80) * (e / 80);
  const auto rates = [&](Own, const OwnState& y) {
    const Own out = (y[0] - y[1]) / 0.6;
    return OwnState{(copper - out) / 40, (out + iron - y[1] / 0.9) / 300};
  };
  const OwnState own = integrated(rates, {0, 0}, 0, 200, 400);
  const Simulation run = simulated_text(
      wheel(m.keys() + "current: 0, iron_resistance: 80, winding: {heat_capacity: 40, thermal_resistance: 0.6, "
                       "housing_heat_capacity: 300, housing_thermal_resistance: 0.9, ambient: 300}",
            "constraints: {hold: {type: prescribed, zero: turn - 60*t}}\nstart: {speed: {turn: 60}}\n"
            "simulate: {end: 200, record: 10, rtol: 1e-12}"));
  EXPECT_NEAR(run.last("m.temperature"), 300 + own[0], 1e-8);
  EXPECT_NEAR(run.last("m.housing_temperature"), 300 + own[1], 1e-8);
}

// q = t^3 with the joint's damping: T = J q'' + d q'. Voltages have L di/dt of both axes.
TEST(Pmsm, IsInverted) {
  const Machine m;
  for (const char* gear : {"", "elastic: {stiffness: 1e9}, rotor_inertia: 1e-9, "}) {
    const Model model = read_model_text("armature: 1\n" + wheel(m.keys() + gear + "torque: 0",
                                                                "inverse: {motion: {turn: 10*t^3}}\n"
                                                                "simulate: {end: 1, record: 0.1}"));
    Prepared start = compile_inverse(model);
    assemble_start(start);
    MemoryRecorder record;
    const Outcome outcome = inverse(model, start, record);
    ASSERT_EQ(outcome.status, RunStatus::finished) << outcome.sentence;
    const auto torque = [](double t) { return J_disc * 60 * t + d_joint * 30 * t * t; };
    const auto currents = [&](double t) {
      // bisection of T = 3/2 p iq (psi/2 + sqrt((psi/2)^2 + (D iq)^2))
      const double D = m.Lq - m.Ld;
      double low = 0, high = 100;
      for (int k = 0; k < 200; ++k) {
        const double iq = 0.5 * (low + high);
        (1.5 * m.p * iq * (m.psi / 2 + std::hypot(m.psi / 2, D * iq)) < torque(t) ? low : high) = iq;
      }
      return std::pair{(m.psi / 2 - std::hypot(m.psi / 2, D * low)) / D, low};
    };
    const auto t = record.column("t"), vd = record.column("m.voltage_d"), vq = record.column("m.voltage_q"),
               v = record.column("m.voltage"), power = record.column("m.power");
    for (std::size_t k = 2; k < t.size(); ++k) {
      const double h = 1e-4, we = m.p * 30 * t[k] * t[k];
      const auto [id, iq] = currents(t[k]);
      const double did = (currents(t[k] + h).first - currents(t[k] - h).first) / (2 * h),
                   diq = (currents(t[k] + h).second - currents(t[k] - h).second) / (2 * h);
      const double own_d = m.R * id + m.Ld * did - we * m.Lq * iq,
                   own_q = m.R * iq + m.Lq * diq + we * (m.Ld * id + m.psi);
      EXPECT_NEAR(vd[k], own_d, 1e-6) << gear;
      EXPECT_NEAR(vq[k], own_q, 1e-6) << gear;
      EXPECT_NEAR(v[k], std::hypot(own_d, own_q), 1e-6);
      EXPECT_NEAR(power[k], 1.5 * (own_d * id + own_q * iq), 1e-5);
    }
  }
}

// In inverse dynamics, too, the field is weakened where the voltage does not suffice; a limit that is exceeded all the same is a warning.
TEST(Pmsm, IsInvertedWithAWeakField) {
  const Machine m;
  const auto inverted = [&](const char* limits) {
    const Model model = read_model_text("armature: 1\n" + wheel(m.keys() + limits + "torque: 0",
                                                                "inverse: {motion: {turn: 100*t}}\n"
                                                                "simulate: {end: 1, record: 0.1}"));
    Prepared start = compile_inverse(model);
    assemble_start(start);
    MemoryRecorder record;
    const Outcome outcome = inverse(model, start, record);
    if (record.rows() == 0) throw std::runtime_error(outcome.sentence);
    return std::tuple{record.column("m.torque").back(), record.column("m.current_d").back(),
                      record.column("m.current_q").back(), outcome.warnings()};
  };
  const auto [T, id, iq, none] = inverted("limits: {voltage: 30}, ");
  EXPECT_NEAR(T, 3, 1e-12);
  EXPECT_NEAR(m.torque(id, iq), 3, 1e-10);
  EXPECT_NEAR(400 * m.flux(id, iq), 30, 1e-8);
  EXPECT_NEAR(std::get<0>(inverted("limits: {voltage: 4}, ")), 3, 1e-12);  // nearly MTPV
  const auto [T2, id2, iq2, exceeded] = inverted("limits: {voltage: 3.5}, ");
  EXPECT_NEAR(T2, 3, 1e-12);
  ASSERT_FALSE(exceeded.empty());
  EXPECT_NE(exceeded.back().find("the limit of its voltage is 3.5 V"), std::string::npos) << exceeded.back();
}

}  // namespace
}  // namespace armature::internal
