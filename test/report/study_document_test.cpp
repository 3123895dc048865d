// The document of a page about many motions.
#include "report/study_document.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "read/reader.hpp"
#include "report/base64.hpp"
#include "support/run_model.hpp"

using namespace armature::internal;

namespace {

Model two() {
  return read_model_text(R"(
armature: 1
name: two
gravity: [0, 0, 0]
parameters: {length: 0.3 m, share: 0.5}
bodies: {arm: {mass: 1 kg, center: [length, 0, 0], inertia: {zz: 1}}}
joints: {a: {type: revolute, axis: z, between: [ground, arm]}}
)",
                         "two.yaml");
}

TEST(StudyDocument, VariablesKnowTheirUnitsAndWhetherTheyCanBeSet) {
  const Model model = two();
  EXPECT_EQ(study_variable(model, "length").unit, "m");
  EXPECT_EQ(study_variable(model, "length").setting, "length");
  EXPECT_EQ(study_variable(model, "share").unit, "");
  EXPECT_EQ(study_variable(model, "a").setting, "start.keep.a");
  EXPECT_EQ(study_variable(shipped("press"), "phi0").unit, "rad");  // keep: {phi: phi0}
  EXPECT_EQ(study_variable(shipped("press"), "w0").unit, "rad/s");
}

TEST(StudyDocument, HoldsTheTableAndWhatLiesOverIt) {
  StudyDocument document{.verb = "map", .sentence = "all is well"};
  document.variables = {study_variable(two(), "length", {1, 2, 1.5})};
  document.results = {
      {.name = "class", .values = {0, 1, -1}, .scale = StudyResult::Scale::classes, .classes = {"a", "b"}},
      {.name = "e", .values = {1, 10, std::nan("")}, .scale = StudyResult::Scale::log, .missing = "lost"}};
  document.levels = {{{1}, {1}}, {{1}, {0.5}}};
  document.level = {0, 0, 1};
  document.marks = {{"take", {2}, true}};
  const auto json = to_json(document, two());
  EXPECT_EQ(json["variables"][0]["data"], base64_float64(std::vector<double>{1, 2, 1.5}));
  EXPECT_EQ(json["results"][0]["classes"], (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(json["results"][1]["scale"], "log");
  EXPECT_EQ(json["results"][1]["missing"], "lost");
  EXPECT_EQ(json["level"], base64_float32(std::vector<double>{0, 0, 1}));
  EXPECT_EQ(json["levels"][1]["spacing"][0], 0.5);
  EXPECT_EQ(json["marks"][0]["at"][0], 2);
  EXPECT_EQ(json["model"]["name"], "two");
}

}  // namespace
