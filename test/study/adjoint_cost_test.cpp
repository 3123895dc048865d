// What a thousand derivatives cost: operations of compiled programs, which are the same on every machine.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "read/reader.hpp"
#include "study/motion_gradient.hpp"
#include "support/run_model.hpp"
#include "support/table_text.hpp"

namespace armature::internal {
namespace {

// The 3RRR robot with motors, each of which follows a table of voltages.
Model robot_with_voltage_tables(int points, double end) {
  std::stringstream text;
  text << std::ifstream(std::string(source_directory) + "/models/rrr_motors.yaml").rdbuf();
  std::string file = text.str(), tables = "tables:\n";
  const std::string constant = "voltage: volts";
  file.replace(file.find(constant), constant.size(), "voltage: u{i}(t)");
  for (int motor = 1; motor <= 3; ++motor) {
    const auto time = [&](int k) { return end * k / (points - 1); };
    const auto volts = [&](int k) { return (motor == 2 ? -5 : 5) + 0.3 * std::sin(9.0 * k / points + motor); };
    tables += fmt::format("  u{}: {{{}}}\n", motor, table_text(points, time, volts));
  }
  Model model = read_model_text(file + "\n" + tables, "rrr_motors.yaml", {{"inductance", "2 mH"}});
  model.simulate.end = end;
  model.simulate.rtol = 1e-8;
  return model;
}

TEST(AdjointCost, OfAThousandVoltagesIsThatOfAFewMotions) {
  const int points = 334;
  const Model model = robot_with_voltage_tables(points, 0.25);
  std::vector<std::string> names;
  for (const char* table : {"u1", "u2", "u3"})
    for (int k = 1; k <= points; ++k) names.push_back(fmt::format("{}[{}]", table, k));
  const Varied varied = vary(model, names, true);
  MotionFormulas formulas(varied.model, varied.parameters);
  formulas.add_number("final(platform.C.x)");
  const Study study(varied, formulas);
  ASSERT_EQ(GradientStudy::missing(study), "");
  const GradientStudy gradients(study, std::vector<double>(names.size(), 1.0));
  EXPECT_TRUE(gradients.backwards());  // by itself: there are many variables
  const StopFlag stop = false;
  StudyRun plain(study, nullptr, stop);
  GradientRun run(gradients, stop);
  std::vector<double> point;
  for (const VariedTable& table : study.tables())
    point.insert(point.end(), table.values().begin(), table.values().end());
  for (int k = 0; k < 4; ++k) {
    ASSERT_EQ(plain.run(point), MotionStatus::finished) << plain.sentence();
    ASSERT_EQ(run.run(point), MotionStatus::finished) << run.sentence();
  }
  EXPECT_EQ(run.no_derivative(), "");
  EXPECT_EQ(plain.values(), run.values());
  EXPECT_GT(run.gradients().cwiseAbs().minCoeff(), 0);
  // operations: of the accelerations in a plain run, and of the adjoints beside it
  const AdjointRun& backwards = *run.backwards();
  const System& system = *study.prepared().system;
  const double forwards = static_cast<double>(backwards.plain_evaluations()) * system.traced_operation_count();
  const double beside = static_cast<double>(backwards.evaluations()) * backwards.operations();
  std::printf(
      "1002 derivatives take %.2f times the operations of a plain motion (%ld and %ld evaluations, %d and %d "
      "operations)\n",
      1 + beside / forwards, backwards.plain_evaluations(), backwards.evaluations(), system.traced_operation_count(),
      backwards.operations());
  EXPECT_LT(1 + beside / forwards, 6);
}

}  // namespace
}  // namespace armature::internal
