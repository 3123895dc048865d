// What controllers share that need the dynamics of the whole loop: an effort on each of their coordinates, at once or held.
#include "control/feedback.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/controlled.hpp"

namespace armature::internal {
namespace {

// Half of what holds the crank lets it fall; rows are 10 ms apart, samples 40 ms, and a row at a sample shows what was held before it.
TEST(Feedback, SampledGravityCompensationChangesAtItsSamplesOnly) {
  const Simulation run = simulated_text(
      std::string(controlled_crank) +
      "controllers: {g: {type: gravity_compensation, on: [crank], sampled: {period: 40 ms}}}\nforces: {hold: "
      "{type: effort, on: crank, is: g.crank/2}}\n");
  const auto u = run.column("g.crank");
  for (std::size_t k = 2; k < u.size(); ++k) {
    if ((k - 1) % 4 == 0)
      EXPECT_NE(u[k], u[k - 1]) << k;
    else
      EXPECT_EQ(u[k], u[k - 1]) << k;
  }
}

TEST(Feedback, IsNamedByControllerAndCoordinate) {
  const Model model = read_model_text(std::string("armature: 1\n") + controlled_crank +
                                      "controllers: {g: {type: gravity_compensation, on: [crank, slide]}}\n");
  EXPECT_EQ(effort_names(model.controllers[0]), (std::vector<std::string>{"g.crank", "g.slide"}));
}

// An effort on an angle is a torque, one on a length a force.
TEST(Feedback, IsRecordedInTheUnitOfItsCoordinate) {
  const Prepared start = prepared_text(
      "gravity: [0, -10, 0]\nplane: xy\nbodies: {arm: {mass: 2, center: [0.3, 0, 0], inertia: {zz: 0.1}}, car: {mass: "
      "1}}\n"
      "joints: {q: {type: revolute, between: [ground, arm]}, y: {type: prismatic, axis: y, between: [ground, car]}}\n"
      "controllers: {g: {type: gravity_compensation, on: [q, y]}}\n");
  const auto& quantities = start.system->equations().quantities;
  const auto unit_of = [&](const std::string& name) {
    return std::ranges::find(quantities, name, &Quantity::name)->unit;
  };
  EXPECT_EQ(unit_of("g.q"), "N m");
  EXPECT_EQ(unit_of("g.y"), "N");
  EXPECT_NEAR(moment_of(start)["g.y"], 10, 1e-12);
}

TEST(Feedback, QuantizesNothing) {
  try {
    prepared_text(
        std::string(controlled_crank) +
        "controllers: {g: {type: gravity_compensation, on: [crank], sampled: {period: 1 ms, quantization: 0.1}}}\n");
    FAIL() << "a quantization was accepted";
  } catch (const ModelError& error) {
    EXPECT_TRUE(error.diagnostics().at(0).message.starts_with("inverse dynamics needs the whole state"))
        << error.what();
  }
}

}  // namespace
}  // namespace armature::internal
