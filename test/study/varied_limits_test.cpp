// Numbers of the file that comparisons compare with, as variables of a study: every cell is the run with that number.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "study/cell_session.hpp"
#include "study/sweep.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

struct Limited {
  const char* drive;
  double low, high;
};

std::string limited(const std::string& drive) {
  return R"yaml(armature: 1
gravity: [0, 0, 0]
plane: xy
parameters: {most: 12}
bodies: {arm: {mass: 0.5, inertia: {zz: 0.02}}}
joints: {q: {type: revolute, between: [ground, arm]}}
drives: {motor: {on: q, )yaml" +
         drive + "}}\nsimulate: {end: 0.1 s, record: 5 ms}\n";
}

// Every limit of every drive: below and above what the motion reaches.
TEST(VariedLimits, OfDrivesAreNumbersInTheEquations) {
  const std::string dc = "type: dc_motor, torque_constant: 0.2, resistance: 0.8, voltage: 24, ",
                    pmsm = "type: pmsm, pole_pairs: 3, flux: 0.1, resistance: 0.5, inductance: 2 mH, ";
  const std::vector<Limited> cases{{"inductance: 1 mH, limits: {current: most}", 10, 14},
                                   {"inductance: 1 mH, limits: {voltage: most}", 10, 14},
                                   {"limits: {current: most}", 10, 900},
                                   {"limits: {voltage: most}", 10, 900},
                                   {"limits: {speed: most}", 10, 900}};
  std::vector<std::pair<std::string, Limited>> all;
  for (const Limited& one : cases) all.emplace_back(dc + one.drive, one);
  all.emplace_back(pmsm + "dc_voltage: 48, torque: 3, limits: {current: most}", Limited{"", 5, 14});
  all.emplace_back(
      "type: dc_motor, torque_constant: 0.2, resistance: 0.8, voltage: c}}\ncontrollers: {c: {type: pd, measure: q, "
      "target: 1, "
      "kp: 20, kd: 0.1, sampled: {period: 1 ms, quantization: most/100}",
      Limited{"", 10, 20});
  all.emplace_back(pmsm + "voltage: 40, limits: {voltage: most}", Limited{"", 10, 30});
  for (const auto& [drive, range] : all) {
    const Model model = read_model_text(limited(drive));
    CellSession session;
    const SweepResult sweep = sweep_motions(
        model, {.over = {{"most", range.low, range.high, 2}}, .results = {{"q", "final(q)"}, {"w", "final(q')"}}},
        session);
    ASSERT_TRUE(sweep.complete) << drive;
    ASSERT_EQ(sweep.values.size(), 2u) << drive;
    for (const std::size_t cell : {0u, 1u}) {
      const double most = cell == 0 ? range.low : range.high;
      const Simulation run =
          simulated(read_model_text(limited(drive), "", Settings{{"most", fmt::format("{}", most)}}));
      EXPECT_NEAR(sweep.values[0][cell], run.last("q"), 1e-6) << drive << " at " << most;
      EXPECT_NEAR(sweep.values[1][cell], run.last("q'"), 1e-5) << drive << " at " << most;
    }
  }
}

}  // namespace
}  // namespace armature::internal
