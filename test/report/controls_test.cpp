// Sliders and fields of the live page.
#include "report/controls.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "read/reader.hpp"
#include "support/edited_text.hpp"
#include "support/paths.hpp"

namespace armature::internal {
namespace {

// A fixed step belongs to integrators that take one; without it, or with it beside others, the file is wrong.
TEST(Turn, AnIntegratorTakesItsStepWithIt) {
  const KeyPath path{"simulate", "integrator"};
  const std::string adaptive = turn(file, path, "dopri5");
  EXPECT_EQ(adaptive, with(with(file, "rk4", "dopri5"), ", step: 2 ms", ""));
  EXPECT_EQ(turn(adaptive, path, "rk2"), with(with(adaptive, "dopri5", "rk2"), "{end", "{step: 1 ms, end"));
}

TEST(Controls, AreParametersStartAndMethodOfEveryModelFile) {
  const std::string path = std::string(source_directory) + "/models/rrr.yaml";
  const Model model = read_model(path);
  Diagnostics none("");
  const auto controls = controls_of(model.text, parse_yaml(model.text, none), &model);
  std::vector<std::string> names;
  for (const auto& control : controls) names.push_back(control["name"]);
  EXPECT_THAT(names, testing::IsSupersetOf({"side", "l1", "radius", "m2", "theta1", "platform at x", "integrator",
                                            "formulation", "stabilization", "end"}));
  EXPECT_EQ(controls[1]["value"], 0.581);
  EXPECT_EQ(controls[1]["unit"], "m");
  EXPECT_NEAR(controls[3]["value"], 0.2 / std::sqrt(3.0), 1e-12);  // a formula of numbers
  for (const auto& control : controls) {                           // each can be turned to what it is
    const std::string same = set_value(model.text, control["path"].get<KeyPath>(), control["text"]);
    EXPECT_NO_THROW(read_model_text(same, path)) << control;
  }
}

TEST(Controls, FormulasOfParametersAreFields) {
  Diagnostics none("");
  const auto controls = controls_of(file, parse_yaml(file, none), nullptr);
  EXPECT_EQ(controls[0]["kind"], "slider");
  EXPECT_EQ(controls[2]["kind"], "text");  // length + 0.1
}

// A slider of its number would hold the whole product when `width` changes.
TEST(Controls, ANumberTimesAParameterIsAFormula) {
  const std::string text = "parameters: {width: -2 mm, area: 3 m*width, load: 7 N/m*2, wide: 5 N*m}\n";
  Diagnostics none("");
  const auto controls = controls_of(text, parse_yaml(text, none), nullptr);
  std::vector<std::string> kinds;
  for (int k = 0; k < 4; ++k) kinds.push_back(controls[static_cast<std::size_t>(k)]["kind"]);
  EXPECT_THAT(kinds, testing::ElementsAre("slider", "text", "text", "slider"));
}

constexpr const char* swing = R"(armature: 1
gravity: [0, 0, -9.81]
parameters: {s: 1 kg, m: 2, k: 3, other: 0.5 m, T: 2 s, turns: T/2, whole: 1, auto: 1, least: 4, row: 1, rows: 2}
bodies:
  bar{i}: {for: {i: 1..rows}, mass: s, center: [other, 0, 0], inertia: none}
joints:
  hinge{i}: {for: {i: 1..rows}, type: revolute, axis: y, between: [ground, "bar{i}"]}
tables: {pull: {x: [0 s, 1 s], y: [0, least]}}
define: {peak: k*hinge1, tables: m*hinge1, modes: whole*hinge1}
simulate: {end: T, record: 20 ms, formulation: auto}
)";

std::vector<std::string> names_with(const nlohmann::ordered_json& controls, const char* key) {
  std::vector<std::string> names;
  for (const auto& control : controls)
    if (control["group"] == "parameters" && control.contains(key)) names.push_back(control["name"]);
  return names;
}

// Neither is a unit a name, nor a definition an option of the run because it is called `tables`.
TEST(Controls, KnowWhatTheReaderMakesNumbersOf) {
  Diagnostics none("");
  const Model model = read_model_text(swing, "swing.yaml");
  const auto controls = controls_of(swing, parse_yaml(swing, none), &model);
  EXPECT_THAT(names_with(controls, "read"), testing::ElementsAre("T", "least", "rows"));
  EXPECT_THAT(names_with(controls, "whole"), testing::ElementsAre("rows"));
  EXPECT_EQ(controls[3]["text"], "0.5 m");
  EXPECT_EQ(controls[3]["kind"], "slider");
}

// A list gives each turn of a loop its element: a length, not a count.
TEST(Controls, ElementsOfAListThatALoopRunsThroughAreNoCounts) {
  Diagnostics none("");
  const std::string text =
      "parameters: {l: [0.1, 0.2], a: 0.3, b: 0.4}\npoints:\n  P{i}: {for: {i: 1..2, x: l}, is: [x, 0, 0]}\n"
      "  Q{i}: {for: {i: 1..2, x: [a, b]}, is: [x, 0, 0]}\n";
  EXPECT_THAT(names_with(controls_of(text, parse_yaml(text, none), nullptr), "whole"), testing::IsEmpty());
}

// The parameters of an assembly are formulas of the machine.
TEST(Controls, WhatAnAssemblyMakesANumberOfIsOfTheMachineThatUsesIt) {
  Diagnostics none("");
  const std::string text =
      std::string(swing) +
      "assemblies: {leg: {parameters: {n: 1, w: 1}, points: {A: [w, 0, 0]}, tables: {lift: {x: [0, 1], y: [0, n]}}}}\n"
      "use: {left: {assembly: leg, with: {n: row, w: m}}}\n";
  const Model model = read_model_text(text, "swing.yaml");
  EXPECT_THAT(names_with(controls_of(text, parse_yaml(text, none), &model), "read"),
              testing::ElementsAre("T", "least", "row", "rows"));
}

}  // namespace
}  // namespace armature::internal
