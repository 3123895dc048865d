// Units of formulas, as the columns of results show them.
#include "model/formula_units.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "read/reader.hpp"
#include "support/paths.hpp"

namespace armature::internal {
namespace {

const Model& spindle() {
  static const Model model = read_model_text(R"(armature: 1
gravity: [0, 0, 0]
parameters: {k: 0.5 N*m/A, n: 12, r: 0.1 m, w: 6 rad/s, half_r: r/2, lengths: [1 m, 2 m]}
inputs: {wish: {unit: rad/s}}
define:
  half: (shaft + other)/2
  speed: half'
  tip: r*[cos(shaft), sin(shaft), 0]
bodies:
  a: {mass: 1, inertia: {sphere: 1}, points: {end: [r, 0, 0]}}
  b: {mass: 1, inertia: {sphere: 1}}
  c: {mass: 1, inertia: {sphere: 1}}
joints:
  shaft: {type: revolute, axis: z, between: [ground, a]}
  other: {type: revolute, axis: z, between: [ground, b]}
  lift: {type: prismatic, axis: z, between: [ground, c]}
constraints:
  drive: {type: prescribed, zero: shaft - w*t}
  cam: {type: prescribed, zero: lift - r*(1 - cos(other))}
controllers:
  hold: {type: pd, measure: lift, target: 0, kp: 3}
  free: {type: pd, measure: lift, target: 0, kp: 3}
drives:
  motor: {type: dc_motor, on: lift, radius: r, torque_constant: 0.1, resistance: 1, voltage: hold}
)",
                                             "spindle");
  return model;
}

std::string unit_of(const std::string& formula) { return FormulaUnits(spindle()).unit_of(parse_formula(formula, {})); }

TEST(FormulaUnits, OfAnglesAreInRadians) {
  EXPECT_EQ(unit_of("shaft"), "rad");
  EXPECT_EQ(unit_of("shaft'"), "rad/s");
  EXPECT_EQ(unit_of("shaft''"), "rad/s^2");
  EXPECT_EQ(unit_of("2*pi - abs(shaft - other)"), "rad");
  EXPECT_EQ(unit_of("half"), "rad");
  EXPECT_EQ(unit_of("speed"), "rad/s");
  EXPECT_EQ(unit_of("atan2(a.end.y, a.end.x)"), "rad");
  EXPECT_EQ(unit_of("a.w.z"), "rad/s");
  EXPECT_EQ(unit_of("a.yaw"), "rad");
  EXPECT_EQ(unit_of("wish"), "rad/s");
  EXPECT_EQ(unit_of("w*t"), "");  // whether 6 rad/s counts turns is not known
  EXPECT_EQ(unit_of("shaft - w*t"), "rad");
  EXPECT_EQ(unit_of("motor.speed"), "rad/s");
}

TEST(FormulaUnits, OfAnglesTimesOthersAreNot) {
  EXPECT_EQ(unit_of("r*shaft"), "m");
  EXPECT_EQ(unit_of("r*shaft'"), "m/s");
  EXPECT_EQ(unit_of("shaft'^2"), "1/s^2");
  EXPECT_EQ(unit_of("shaft/other"), "");
  EXPECT_EQ(unit_of("sin(shaft)"), "");
  EXPECT_EQ(unit_of("drive*shaft'"), "W");
}

TEST(FormulaUnits, OfPartsAreThoseOfTheWhole) {
  EXPECT_EQ(unit_of("lift/2"), "m");
  EXPECT_EQ(unit_of("1/2*lift"), "m");
  EXPECT_EQ(unit_of("(a.end.x + r)/2"), "m");
  EXPECT_EQ(unit_of("(lift^2 + r^2)/(2*r)"), "m");
  EXPECT_EQ(unit_of("lift/(4*r)"), "");
  EXPECT_EQ(unit_of("half_r*lift"), "m^2");
  EXPECT_EQ(unit_of("tip.x"), "m");
  EXPECT_EQ(unit_of("lengths[2]*lift"), "m^2");
  EXPECT_EQ(unit_of("sqrt(lift^2 + r^2)"), "m");
  EXPECT_EQ(unit_of("if(t > 1, lift, 0)"), "m");
  EXPECT_EQ(unit_of("norm(a.end - [0, 0, 0])"), "m");
}

// 0.5 could be in N m/A and 2 in N m; a parameter without a unit could have any.
TEST(FormulaUnits, AreOpenWhereABareNumberMayHaveOne) {
  EXPECT_EQ(unit_of("0.5*motor.current"), "");
  EXPECT_EQ(unit_of("2*(1 - shaft)"), "");
  EXPECT_EQ(unit_of("n*motor.current"), "");
  EXPECT_EQ(unit_of("180/pi*shaft"), "");
  EXPECT_EQ(unit_of("k*motor.current"), "N m");
  EXPECT_EQ(unit_of("24 V - 0.5*motor.current"), "V");
}

// Columns of definitions and recorded quantities: one without brackets is a pure number.
TEST(FormulaUnits, AreKnownOfEveryFormulaOfTheShippedModels) {
  namespace fs = std::filesystem;
  // formulas of a paper, whose numbers carry units that it does not print
  const std::set<std::string> as_printed = {"five_bar_lagrangian bending1", "five_bar_lagrangian bending2",
                                            "five_bar_lagrangian U1", "five_bar_lagrangian U2"};
  int count = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(source_directory) / "models")) {
    if (entry.path().extension() != ".yaml" || entry.path().parent_path().filename() == "robots") continue;
    const Model model = read_model(entry.path().string(), {});
    const FormulaUnits units(model);
    for (const auto* formulas : {&model.definitions, &model.record.quantities, &model.record.events})
      for (const auto& [name, formula] : *formulas) {
        const std::string what = entry.path().stem().string() + " " + name;
        EXPECT_TRUE(units.dimension_of(formula) || as_printed.contains(what)) << what << ": " << formula.text;
        ++count;
      }
  }
  EXPECT_GT(count, 50);
}

TEST(FormulaUnits, OfEffortsFollowFromWhatTheyMove) {
  EXPECT_EQ(unit_of("drive"), "N m");
  EXPECT_EQ(unit_of("cam"), "N");
  EXPECT_EQ(unit_of("motor.torque"), "N");
  EXPECT_EQ(unit_of("hold"), "V");  // the motor's voltage
  EXPECT_EQ(unit_of("free"), "");
}

}  // namespace
}  // namespace armature::internal
