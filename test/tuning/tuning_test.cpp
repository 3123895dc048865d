// Baumgarte's gains: regions of stability against closed forms, and the errors of the arm on a circle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "model/request_error.hpp"
#include "support/host_device.hpp"
#include "support/run_model.hpp"
#include "tuning/tuning.hpp"

namespace armature::internal {
namespace {

using Point = StabilityRegion::Point;

void expect_corners(const StabilityRegion& region, const std::vector<Point>& expected) {
  ASSERT_EQ(region.corners.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_LT((region.corners[k] - expected[k]).norm(), 1e-9) << k;
}

// 0 < y < x and y > 2x - 4
TEST(StabilityRegion, ExplicitEulerIsATriangle) {
  const StabilityRegion region = stability_region(tableau("euler"));
  expect_corners(region, {{0, 0}, {4, 4}, {2, 0}});
  EXPECT_NEAR(region.area, 4, 1e-9);
  EXPECT_LT((region.highest - Point(4, 4)).norm(), 1e-9);
  EXPECT_TRUE(region.contains(0.95, 0.045));
  EXPECT_FALSE(region.contains(1, 1.001));
  EXPECT_FALSE(region.contains(3, 1.999));
  EXPECT_TRUE(region.contains(3, 2.001));
}

TEST(StabilityRegion, SemiImplicitEulerIsATriangle) {
  const StabilityRegion region = *stability_region("semi_implicit_euler");
  EXPECT_NEAR(region.area, 4, 1e-12);
  EXPECT_TRUE(region.contains(1, 1.999));
  EXPECT_FALSE(region.contains(1, 2.001));
}

// y > 2x - 4 and 2x^2 - 2xy - 4x + y^2 < 0, x < 4
TEST(StabilityRegion, SecondOrderRungeKutta) {
  const StabilityRegion region = stability_region(tableau("rk2"));
  expect_corners(region, {{0, 0}, {4, 4}, {2, 0}});
  EXPECT_NEAR(region.area, 4 + 2 * M_PI, 1e-9);
  EXPECT_LT((region.highest - Point(2 + std::sqrt(2), 2 + 2 * std::sqrt(2))).norm(), 1e-7);
  for (const Point& p : region.boundary) {
    const double curve = 2 * p.x() * p.x() - 2 * p.x() * p.y() - 4 * p.x() + p.y() * p.y();
    EXPECT_LT(std::min({std::abs(curve), std::abs(p.y() - 2 * p.x() + 4), std::abs(p.y())}), 1e-9);
  }
}

TEST(StabilityRegion, ClassicalRungeKutta) {
  const StabilityRegion region = stability_region(tableau("rk4"));
  const double L = 2.785293563405;
  expect_corners(region, {{0, 0}, {0, 8}, {2 * L, L * L}, {L, 0}});
  EXPECT_NEAR(region.rightmost.x(), 5.570587127, 1e-9);
  EXPECT_NEAR(region.highest.x(), 0.82540525, 1e-7);
  EXPECT_NEAR(region.highest.y(), 8.76231043, 1e-8);
  EXPECT_NEAR(region.area, 32.573204, 1e-6);
}

// The traced boundary separates what contains() says, also for methods of many stages.
TEST(StabilityRegion, BoundarySeparatesInsideFromOutside) {
  for (const char* name : {"euler", "rk2", "rk4", "dopri5", "dop853"}) {
    const StabilityRegion region = stability_region(tableau(name));
    double inside = 0;  // area by counting
    const int n = 400;
    const double dx = region.rightmost.x() / n, dy = region.highest.y() / n;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) inside += region.contains((i + 0.5) * dx, (j + 0.5) * dy);
    EXPECT_NEAR(inside * dx * dy, region.area, 0.01 * region.area) << name;  // cells on the boundary: 1 in 100
  }
}

Model arm(const std::string& integrator) {
  Model model = shipped("arm_on_circle");
  model.simulate.integrator = integrator;
  model.simulate.step = 0.1;
  model.simulate.end = 40;
  return model;
}

std::vector<double> axis(double from, double to, int count) {
  std::vector<double> values;
  for (int k = 0; k < count; ++k) values.push_back(from + (to - from) * k / (count - 1));
  return values;
}

// Figures of two independent builds, to all their digits.
TEST(Tuning, ErrorsOfTheArmOnACircle) {
  TuningOptions options;
  options.alpha = {9.5}, options.beta = {4.5}, options.of = "circle";
  const Tuning euler = tune(arm("euler"), options);
  EXPECT_NEAR(euler.best.E1, 4.838166e-3, 5e-10);
  EXPECT_NEAR(euler.best.E2, 2.576787e-3, 5e-10);
  EXPECT_NEAR(euler.none.lost, 33, 0.5);
  EXPECT_LT(euler.projection.E1, 1e-12);

  const Tuning rk4 = tune(arm("rk4"), options);
  EXPECT_NEAR(rk4.best.E1, 1.359032e-6, 5e-13);
  EXPECT_NEAR(rk4.best.E2, 1.212084e-5, 5e-12);
  EXPECT_NEAR(rk4.none.E2, 1.51e-6, 5e-9);  // uncorrected, the velocity is better
}

// The tip's error against a fine motion is the constraint's: the circle fixes the tip.
TEST(Tuning, ErrorsOfAPointAgainstAFineMotion) {
  TuningOptions options;
  options.alpha = {9.5}, options.beta = {4.5}, options.of = "lower.tip";
  const Tuning tuning = tune(arm("euler"), options);
  EXPECT_NEAR(tuning.best.E1, 4.838166e-3, 1e-8);  // the fine motion has 1e-12 a step
  EXPECT_NEAR(tuning.best.E2, 2.576787e-3, 1e-8);
}

TEST(Tuning, MinimaOnThePublishedGrid) {
  TuningOptions options;
  options.alpha = options.beta = axis(0.5, 20, 40);
  const Tuning tuning = tune(arm("euler"), options);
  const TuningGrid& grid = tuning.grids.front();
  const auto place = [&](double TuningCell::*what) {
    const TuningCell* cell = grid.least(what);
    return std::pair(cell->alpha, cell->beta);
  };
  EXPECT_EQ(place(&TuningCell::E1), std::pair(2.5, 20.0));
  EXPECT_EQ(place(&TuningCell::E2), std::pair(19.5, 0.5));
  EXPECT_EQ(place(&TuningCell::e), std::pair(11.5, 20.0));
  EXPECT_TRUE(tuning.on_border);
  EXPECT_THAT(recommendation(tuning), testing::HasSubstr("alpha = 11.5 1/s, beta = 20 1/s^2"));
}

std::vector<std::uint64_t> bits_of(const TuningGrid& grid) {
  std::vector<std::uint64_t> bits;
  for (const TuningCell& cell : grid.cells)
    for (double value : {cell.lost, cell.E1, cell.E2}) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

// Gains that are lost stand beside good ones; the zeros are runs without Baumgarte's terms.
TEST(Tuning, SameBitsForAnyNumberOfLanes) {
  for (const char* integrator : {"euler", "rk4", "dopri5"}) {
    TuningOptions options;
    options.alpha = axis(0, 40, 5), options.beta = axis(0, 150, 7), options.threads = 1;
    options.lanes = 1;
    const auto alone = bits_of(tune(arm(integrator), options).grids[0]);
    for (int lanes : {2, 5, 8}) {
      options.lanes = lanes;
      EXPECT_EQ(bits_of(tune(arm(integrator), options).grids[0]), alone) << integrator << ", " << lanes;
    }
  }
}

// Comparisons as they come, angles of cut joints, a ledger that tuning drops.
TEST(Tuning, SameBitsInLanesForThePress) {
  Model model = shipped("press");
  model.simulate.integrator = "rk4", model.simulate.step = 0.01, model.simulate.end = 5;
  TuningOptions options;
  options.alpha = axis(1, 300, 4), options.beta = axis(1, 30000, 3);
  options.lanes = 1;
  const auto alone = bits_of(tune(model, options).grids[0]);
  options.lanes = 8;
  EXPECT_EQ(bits_of(tune(model, options).grids[0]), alone);
}

// The unit that a card gets, as code of this processor. Fewer threads than runs, so that runs take the place of others; the zeros, and
// runs that come close to a singular pose, leave.
void expect_same_bits_on_device(const Model& model, TuningOptions options, long threads) {
  const Tuning here = tune(model, options);
  options.cards = {.devices = {std::make_shared<HostDevice>(threads)}, .helped = false};
  const Tuning there = tune(model, options);
  EXPECT_EQ(bits_of(there.grids[0]), bits_of(here.grids[0])) << model.name;
  EXPECT_LT(there.shares.left, static_cast<long>(there.grids[0].cells.size()) / 2) << model.name;
}

TEST(Tuning, SameBitsOnADevice) {
  TuningOptions options;
  options.alpha = axis(0, 40, 5), options.beta = axis(0, 150, 7);
  expect_same_bits_on_device(arm("rk4"), options, 4);
}

// With comparisons, angles of cut joints, and a last step that is shorter than the others.
TEST(Tuning, SameBitsOnADeviceForThePress) {
  Model model = shipped("press");
  model.simulate.integrator = "euler", model.simulate.step = 0.01, model.simulate.end = 1.015;
  TuningOptions options;
  options.alpha = axis(1, 100, 4), options.beta = axis(1, 3000, 3);
  expect_same_bits_on_device(model, options, 3);
}

TEST(Tuning, OfAPreviewHasTheErrorsToTwoDigits) {
  TuningOptions options;
  options.alpha = axis(5, 20, 3), options.beta = axis(20, 100, 3);
  const Tuning here = tune(arm("rk4"), options);
  options.cards = {.devices = {std::make_shared<HostDevice>(4)}, .arithmetic = Arithmetic::single};
  const Tuning there = tune(arm("rk4"), options);
  EXPECT_EQ(there.shares.computed, 9);
  EXPECT_THAT(recommendation(there), testing::HasSubstr("This is a preview"));
  for (std::size_t k = 0; k < 9; ++k) {
    const double E1 = here.grids[0].cells[k].E1;
    EXPECT_NEAR(there.grids[0].cells[k].E1, E1, 1e-2 * E1) << k;  // about 1e-6 m, next to round-off
  }
  EXPECT_NE(bits_of(there.grids[0]), bits_of(here.grids[0]));
}

TEST(Tuning, RefusesOnADeviceWhatHasOtherBitsThere) {
  Model model = read_model_text(R"(armature: 1
gravity: [0, 0, 0]
bodies: {bob: {mass: 1, center: [1, 0, 0], inertia: {zz: 0}}}
joints: {theta: {type: revolute, axis: z, between: [ground, bob]}}
constraints: {c: {type: prescribed, zero: [theta - 0.1*tanh(t)]}}
simulate: {end: 1, integrator: rk4, step: 0.01}
)");
  TuningOptions options;
  options.alpha = options.beta = {1};
  options.cards = {.devices = {std::make_shared<HostDevice>(1)}, .helped = false};
  try {
    tune(model, options);
    FAIL() << "nothing was refused";
  } catch (const RequestError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("tanh()"));
  }
}

TEST(Tuning, SameBitsForAnyNumberOfThreads) {
  TuningOptions options;
  options.alpha = options.beta = axis(1, 20, 7);
  options.threads = 1;
  const Tuning one = tune(arm("euler"), options);
  options.threads = 3;
  const Tuning three = tune(arm("euler"), options);
  for (std::size_t k = 0; k < 49; ++k) {
    const TuningCell &a = one.grids[0].cells[k], &b = three.grids[0].cells[k];
    EXPECT_TRUE(a.E1 == b.E1 || (std::isnan(a.E1) && std::isnan(b.E1)));
    EXPECT_TRUE(a.lost == b.lost || (std::isnan(a.lost) && std::isnan(b.lost)));
  }
}

TEST(Tuning, RefinementFindsLessError) {
  TuningOptions options;
  options.alpha = axis(2, 20, 7), options.beta = axis(2, 20, 7), options.refine = 2;
  const Tuning tuning = tune(arm("euler"), options);
  ASSERT_EQ(tuning.grids.size(), 3u);
  EXPECT_LT(tuning.best.e, tuning.grids[0].least(&TuningCell::e)->e);
}

TEST(Tuning, RefusesWhatCannotBeTuned) {
  EXPECT_THROW(tune(shipped("two_joint_arm"), {}), std::runtime_error);  // no constraints
  Model model = shipped("four_bar");
  model.simulate.integrator = "cvode_bdf";
  EXPECT_THROW(tune(model, {}), std::runtime_error);
}

}  // namespace
}  // namespace armature::internal
