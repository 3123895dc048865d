// What `check` warns of.
#include "inspect/check.hpp"

#include <gmock/gmock.h>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> warnings(const std::string& dissipation) {
  const Model model = read_model_text(
      "armature: 1\nlagrangian:\n  coordinates: {x: {unit: rad}, y: {unit: rad}}\n"
      "  kinetic: 1/2*x'^2 + 1/2*y'^2\n  dissipation: " +
      dissipation + "\n");
  const Prepared start = prepared(model);
  return check(model, *start.system, start.start).warnings;
}

TEST(Check, WarnsOfDampingThatGivesEnergy) {
  EXPECT_THAT(warnings("1/2*(2*x'^2 + 2*x'*y' + y'^2)"), IsEmpty());
  EXPECT_THAT(warnings("-1/2*3*x'^2"), Contains(HasSubstr("damping adds energy")));
  EXPECT_THAT(warnings("1/2*(x'^2 + 4*x'*y' + y'^2)"), Contains(HasSubstr("damping adds energy")));  // indefinite
}

// What is odd about a model stands in `check` and with every run of it.
void expect_said(const std::string& text, const std::string& sentence) {
  const Simulation run = simulated_text(text);
  EXPECT_THAT(run.outcome.warnings(), Contains(HasSubstr(sentence)));
  const Model model = read_model_text("armature: 1\n" + text);
  EXPECT_THAT(check(model, *run.prepared.system, run.prepared.start).warnings, Contains(HasSubstr(sentence)));
}

TEST(Check, WarnsAsRunsDo) {
  expect_said(
      "gravity: [0, 0, 0]\nplane: xy\nbodies: {bar: {mass: 1, inertia: {zz: 1}}}\n"
      "joints: {j: {type: revolute, between: [ground, bar], damping: -0.5}}\nsimulate: {end: 0.1}\n",
      "joints.j.damping (-0.5) is negative: it drives the motion instead of damping it");
  expect_said(
      "gravity: [0, 0, 0]\nplane: xy\nbodies:\n  bar: {mass: 0.1, inertia: {zz: 1e-3}}\n"
      "  link: {beam: {length: 0.5, section: {rectangle: [10 mm, 30 mm]}, E: 70 GPa, rho: 2700}}\n"
      "joints: {root: {type: revolute, between: [ground, link]}, j: {type: revolute, between: [\"link [0.5, 0, 0]\", "
      "bar]}}\n"
      "drives: {m: {type: dc_motor, on: j, torque_constant: 0.1, resistance: 1, rotor_inertia: 1e-4, voltage: 1,\n"
      "             rotor: {carried_by: link, axis: z}}}\nsimulate: {end: 0.01, record: 1 ms}\n",
      "drives.m: its rotor is carried by the beam link and turns with the frame of the beam");
}

// A block of 1 kg on a pad of 1e6 N/m: the weight presses it in by 9.81 um, 5 mm are somebody's mistake.
TEST(Check, StatesThePenetrationsOfElasticContacts) {
  const auto checked = [](const std::string& y) {
    const Model model = read_model_text(
        "armature: 1\ngravity: [0, -9.81, 0]\nplane: xy\nbodies: {block: {mass: 1, inertia: none}}\n"
        "joints: {y: {type: prismatic, axis: y, between: [ground, block]}}\n"
        "forces: {pad: {type: contact, gap: y, stiffness: 1e6}}\nstart: {keep: {y: " +
        y + "}}\n");
    const Prepared start = prepared(model);
    return check(model, *start.system, start.start);
  };
  EXPECT_THAT(checked("1 mm").notes, testing::Each(testing::Not(HasSubstr("penetration"))));
  const CheckReport rests = checked("-9.81e-6");
  EXPECT_THAT(rests.notes, Contains("contact pad starts with a penetration of 9.81 µm (9.81 N)"));
  EXPECT_THAT(rests.warnings, testing::Each(testing::Not(HasSubstr("penetration"))));
  const CheckReport deep = checked("-5 mm");
  EXPECT_THAT(deep.notes, Contains("contact pad starts with a penetration of 5 mm (5 kN)"));
  EXPECT_THAT(deep.warnings, Contains(HasSubstr("a penetration of 5 mm (5 kN), far more than what else moves it")));
}

}  // namespace
}  // namespace armature::internal
