// Outcomes beside poles of a formula, for less time than any step of the motion: they are found and located.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

// How long a condition of the angle q = w t holds, within `end`.
double time_of(const std::string& condition, double w, double end, const std::string& integrator = "dopri5") {
  return simulated_text(
             "plane: xy\ngravity: [0, 0, 0]\nbodies: {r: {mass: 1, inertia: {zz: 1}}}\n"
             "joints: {q: {type: revolute, between: [ground, r]}}\nstates: {z: {rate: \"if(" +
             condition + ", 1, 0)\"}}\nstart: {speed: {q: " + std::to_string(w) +
             "}}\nsimulate: {end: " + std::to_string(end) + ", record: " + std::to_string(end / 10) +
             ", rtol: 1e-9, integrator: " + integrator + "}\n")
      .last("z");
}

// tan exceeds 100 for atan(1/100) before each of its poles, of which an angle of 10.46 rad passes three; within round-off of event times.
TEST(Poles, OfTheTangentArePassedWithTheOutcomesBesideThem) {
  for (const char* integrator : {"dopri5", "dop853", "radau5"}) {
    EXPECT_NEAR(time_of("tan(q) > 100", 5.23, 2, integrator), 3 * std::atan(0.01) / 5.23, 1e-9) << integrator;
    EXPECT_NEAR(time_of("tan(q) < -1e5", 5.23, 2, integrator), 3 * std::atan(1e-5) / 5.23, 1e-9) << integrator;
  }
}

// 1/(q - 1) exceeds n for 1/n, on one side of its pole; its square n^2, on both.
TEST(Poles, OfQuotientsArePassedWithTheOutcomesBesideThem) {
  for (const double n : {100.0, 1e4, 1e6}) {
    const std::string least = std::to_string(n);
    EXPECT_NEAR(time_of("1/(q - 1) > " + least, 1, 3), 1 / n, 1e-9) << n;
    EXPECT_NEAR(time_of("1/(q - 1) < -" + least, 1, 3), 1 / n, 1e-9) << n;
    EXPECT_NEAR(time_of("1/(q - 1)^2 > " + least + "^2", 1, 3), 2 / n, 1e-9) << n;
    EXPECT_NEAR(time_of("1/(q - 1.5) > " + least, 1, 3), 1 / n, 1e-9) << n;  // the pole halves the run
  }
}

}  // namespace
}  // namespace armature::internal
