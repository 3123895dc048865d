// Maps and sweeps as a card computes them, in the code of this processor, against the engine: number by number, bit by bit.
#include "study/study_card.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "gpu/compiled_code.hpp"
#include "gpu/cuda.hpp"
#include "model/request_error.hpp"
#include "study/map.hpp"
#include "study/sweep.hpp"
#include "support/host_device.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

std::vector<std::uint64_t> bits_of_numbers(const std::vector<double>& numbers) {
  std::vector<std::uint64_t> bits;
  for (const double number : numbers) bits.push_back(std::bit_cast<std::uint64_t>(number));
  return bits;
}

SweepResult swept(const Model& model, const SweepOptions& options) {
  CellSession session({.threads = 2});
  return sweep_motions(model, options, session);
}

// most_left: motions that may leave.
void expect_same_sweep(const Model& model, SweepOptions options, long most_left = 0) {
  const SweepResult here = swept(model, options);
  options.cards = {std::make_shared<HostDevice>(3), std::make_shared<HostDevice>(2)};
  const SweepResult there = swept(model, options);
  ASSERT_EQ(here.values.size(), there.values.size());
  for (std::size_t k = 0; k < here.values.size(); ++k)
    EXPECT_EQ(bits_of_numbers(here.values[k]), bits_of_numbers(there.values[k])) << here.results[k];
  EXPECT_EQ(here.status, there.status);
  EXPECT_EQ(bits_of_numbers(here.warning_bits), bits_of_numbers(there.warning_bits));
  EXPECT_LE(there.left_card, most_left);
}

SweepOptions swept_four_bar() {
  SweepOptions options;
  options.over = {{"crank_angle", 0.3, 1.3, 3}, {"crank_angle.v", -2, 8, 3}};
  options.results = {{"end", "final(B)"},
                     {"on_the_way", "at(C, 0.31)"},
                     {"widest", "max(B)"},
                     {"narrowest", "min(crank_angle.v)"},
                     {"mean", "mean(B)"},
                     {"late", "integral(B, 0.2, 0.333)"},
                     {"later", "max(rocker_angle, 0.3, 0.45)"},
                     {"turns", "turns(crank_angle) + initial(C)"}};
  return options;
}

Model short_model(const std::string& name, const std::string& integrator, double end) {
  Model model = shipped(name);
  model.simulate.integrator = integrator, model.simulate.step = 1e-3, model.simulate.end = end;
  return model;
}

TEST(SweepOnACard, HasTheBitsOfErrorControlledStepsWithProjection) {
  for (const char* integrator : {"dopri5", "dop853"})
    expect_same_sweep(short_model("four_bar", integrator, 0.8), swept_four_bar());
}

TEST(SweepOnACard, HasTheBitsOfStepsOfOneLength) { expect_same_sweep(short_model("four_bar", "rk4", 0.8), swept_four_bar()); }

TEST(SweepOnACard, HasTheBitsOfBaumgartesMethodAndOfStepsWithoutStabilization) {
  Model model = short_model("four_bar", "dopri5", 0.5);
  model.simulate.projection = false;
  for (const double alpha : {0.0, 20.0}) {
    model.simulate.alpha = alpha, model.simulate.beta = alpha * alpha;
    expect_same_sweep(model, swept_four_bar(), 9);
  }
}

TEST(SweepOnACard, HasTheBitsOfAMachineWithoutLoops) {
  SweepOptions options;
  options.over = {{"rope", 0.5, 1, 3}, {"volts", 5, 15, 3}};
  options.results = {{"peak", "max(motor.current)"}, {"way", "final(travel) - initial(travel)"}, {"swing", "turns(swing)"}};
  expect_same_sweep(short_model("crane", "dopri5", 1), options);
}

TEST(SweepOnACard, LeavesASingularPoseToTheProcessor) {
  SweepOptions options;
  options.over = {{"m2", 0.7, 0.8, 3}};
  options.results = {{"end", "final(theta1)"}};
  expect_same_sweep(short_model("rrr", "dopri5", 0.6), options, 3);
}

TEST(MapOnACard, DecidesAsEarlyAsTheProcessor) {
  const Model model = short_model("four_bar", "dopri5", 2);
  MapOptions options;
  options.over = {{"line_density", 1, 3, 3}, {"crank_angle.v", -2, 8, 4}};
  options.classify =
      "over: turns(crank_angle) >= 0.3 and not (max(B) < -line_density/(2 kg/m)); "
      "back: min(crank_angle) < -abs(at(C, 0.5))/2 or final(B) > 3; rest";
  options.refine = 1;
  const auto mapped = [&] {
    CellSession session({.threads = 2});
    return map_motions(model, options, session);
  };
  const MapResult here = mapped();
  options.cards = {std::make_shared<HostDevice>(3), std::make_shared<HostDevice>(2)};
  const MapResult there = mapped();
  EXPECT_EQ(here.motion_class, there.motion_class);
  EXPECT_EQ(bits_of_numbers(here.decided), bits_of_numbers(there.decided));
  EXPECT_EQ(bits_of_numbers(here.warning_bits), bits_of_numbers(there.warning_bits));
  EXPECT_EQ(there.left_card, 0);
  EXPECT_GT(std::ranges::count_if(here.decided, [](double t) { return t < 2; }), 0);
  EXPECT_GT(std::ranges::count(here.decided, 2.0), 0);
}

TEST(StudyOnACard, IsRefusedWhereTheProcessorAloneFindsWhatHappens) {
  SweepOptions options;
  options.cards = {std::make_shared<HostDevice>(1)};
  const auto refusal = [&](const char* name, const char* variable, const char* formula) -> std::string {
    options.over = {{variable, 0.5, 1, 2}};
    options.results = {{"result", formula}};
    try {
      swept(shipped(name), options);
    } catch (const RequestError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("press", "phi.v", "final(phi)"), testing::HasSubstr("comparisons"));
  EXPECT_THAT(refusal("crane", "rope", "max(2*motor.current)"), testing::HasSubstr("'max(2*motor.current)'"));
}

// Compiled only: no card is needed.
TEST(StudyOnACard, CompilesForACardWhereNvrtcIsInstalled) {
  if (!cuda_compiler().found()) GTEST_SKIP() << cuda_compiler().missing;
  const Model model = short_model("four_bar", "dopri5", 1);
  const Varied varied = vary(model, {"crank_angle"});
  MotionFormulas formulas(varied.model, varied.parameters);
  const Classes classes("turns: turns(crank_angle) >= 1; rests", formulas);
  const Study study(varied, formulas);
  const TemporaryFolder cache;
  EXPECT_GT(compiled_code(study_card_unit(study, &classes), "sm_90", cache.path()).size(), 10'000u);
}

}  // namespace
}  // namespace armature::internal
