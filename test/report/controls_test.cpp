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

}  // namespace
}  // namespace armature::internal
