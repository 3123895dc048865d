// Random comparisons and periodic functions, against what they must integrate to.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "support/random_draws.hpp"
#include "support/rotor.hpp"

namespace armature::internal {
namespace {

// Of an error-controlled integrator, whichever.
double speed_by_any(const std::string& torque) {
  const std::string integrator =
      *rc::gen::element<std::string>("dopri5", "dop853", "radau5", "cvode_bdf", "cvode_adams");
  return speed_after(torque, "end: 1, record: 1, rtol: 1e-8, integrator: " + integrator);
}

// The time from 0 to t for which (t mod period) < on.
double time_on(double t, double period, double on) {
  const double whole = std::floor(t / period);
  return whole * on + std::min(t - whole * period, on);
}

TEST(Pulses, OfAnyPeriodAndWidthAreFollowed) {
  for_random_draws(100, [] {
    const double period = std::pow(10, random_number(-2.5, 0)), on = random_number(0.01, 0.99) * period;
    const double speed = speed_by_any(fmt::format("if(mod(t, {:.17g}) < {:.17g}, 1, 0)", period, on));
    RC_ASSERT(std::abs(speed - time_on(1, period, on)) < 1e-6);
  });
}

// sin(w t + p) > c holds from asin(c) to pi - asin(c) of every turn.
TEST(Waves, OfAnyFrequencyAreFollowed) {
  for_random_draws(100, [] {
    const double turn = 2 * std::numbers::pi, w = turn * std::pow(10, random_number(0, 2)), p = random_number(0, turn);
    const double c = random_number(-0.99, 0.99), first = std::asin(c), width = std::numbers::pi - 2 * first;
    const double speed = speed_by_any(fmt::format("if(sin({:.17g}*t + {:.17g}) > {:.17g}, 1, 0)", w, p, c));
    const auto turned_on = [&](double angle) { return time_on(angle - first + turn, turn, width); };
    RC_ASSERT(std::abs(speed - (turned_on(w + p) - turned_on(p)) / w) < 1e-6);
  });
}

// A slot of an angle that turns at a speed which hardly changes. Backwards it is the last part of each slot.
TEST(Angles, AreComparedWhicheverWayTheyTurn) {
  for_random_draws(100, [] {
    const double direction = *rc::gen::element(-1.0, 1.0), angle = random_number(0.1, 60),
                 slot = random_number(0.05, 3), on = 0.3 * slot;
    const std::string torque = fmt::format("1e-7*if(mod(shaft, {:.17g}) < {:.17g}, 1, 0)", slot, on);
    const Simulation run = simulated_text(rotor(torque, "end: 1, record: 1, rtol: 1e-10", "", direction * angle));
    const double share = direction > 0 ? time_on(angle, slot, on) : angle - time_on(angle, slot, slot - on);
    RC_ASSERT(std::abs((run.last("shaft'") - direction * angle) * 1e7 - share / angle) < 1e-4);
  });
}

// Sums of such comparisons, against steps of a fixed length.
TEST(Sums, OfComparisonsAgreeWithFixedSteps) {
  for_random_draws(100, [] {
    std::string torque = "0";
    for (int k = 0; k < 3; ++k)
      torque += fmt::format(" + if({}({:.6g}*t + 0.3*shaft) {} {:.6g}, {:.6g}, -0.2)",
                            *rc::gen::element<std::string>("sin", "cos"), random_number(1, 60),
                            *rc::gen::element<std::string>("<", ">="), random_number(-0.9, 0.9), random_number(-1, 1));
    const double fixed = speed_after(torque, "end: 1, record: 1, integrator: rk4, step: 2e-5");
    RC_ASSERT(std::abs(speed_by_any(torque) - fixed) <
              2e-3);  // a step of 2e-5 s at each of some hundred jumps of about 1
  });
}

}  // namespace
}  // namespace armature::internal
