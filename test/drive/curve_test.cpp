#include "drive/curve.hpp"

#include <gtest/gtest.h>

#include "drive/other_drives.hpp"
#include "expression/interpolate.hpp"

namespace armature::internal {
namespace {

std::string servo_with(const std::string& peak) {
  return "armature: 1\n" + driven_disc("type: servo, torque: 1, peak: " + peak, "");
}

std::string fault_of_peak(const std::string& peak) {
  try {
    read_model_text(servo_with(peak));
  } catch (const ModelError& error) {
    return error.diagnostics().at(0).key + ": " + error.diagnostics()[0].message;
  }
  return "";
}

TEST(Curve, IsATableUnderTheNameOfItsDrive) {
  const Model model = read_model_text(servo_with("{speed: [0, 100, 200], torque: [3, 2, 0]}"));
  const auto curve = find_curve(model, model.drives[0], "peak");
  ASSERT_NE(curve, nullptr);
  EXPECT_EQ(curve, model.tables.at("m.peak"));
  EXPECT_NEAR(curve->evaluate(50, 0), 2.5, 1e-15);
  EXPECT_NEAR(curve->evaluate(175, 0), 0.5, 1e-15);
  EXPECT_EQ(find_curve(model, model.drives[0], "continuous"), nullptr);
}

TEST(Curve, SaysWhatIsWrongWithItsNumbers) {
  EXPECT_EQ(fault_of_peak("{speed: [0, 100], torque: [3, 2, 0]}"),
            "drives.m.peak: speed has 2 values, but torque has 3");
  EXPECT_EQ(fault_of_peak("{speed: [0], torque: [3]}"), "drives.m.peak: a curve needs two points at least");
  EXPECT_EQ(fault_of_peak("{speed: [0, 0], torque: [3, 2]}"), "drives.m.peak: speed must increase, but 0 follows 0");
  EXPECT_EQ(fault_of_peak("{speed: [0, 9, 8], torque: [3, 2, 1]}"),
            "drives.m.peak: speed must increase, but 8 follows 9");
  EXPECT_EQ(fault_of_peak("{speed: 5, torque: [3, 2]}"), "drives.m.peak.speed: expected a list of numbers");
}

}  // namespace
}  // namespace armature::internal
