// Parameters that are lists: elements by index, set one by one or together, used as vectors and by tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/diagnostics.hpp"
#include "model/scope.hpp"
#include "read/reader.hpp"
#include "read/written_settings.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

const std::string arm = R"(armature: 1
plane: xy
gravity: [0, 0, 0]
parameters:
  lengths: [0.3 m, 0.25 m, 20 cm]       # of the links
  pick: 2
  total: lengths[1] + lengths[2] + lengths[3]
bodies:
  rod: {mass: 1 kg, center: ["lengths[pick]", 0, 0], inertia: {zz: 1}}
joints: {hinge: {type: revolute, between: [ground, rod]}}
)";

double value_of(const Model& model, const std::string& name) {
  return std::ranges::find(model.parameters, name, &Parameter::name)->value;
}

double center_of(const Model& model) { return evaluate_constant_vector(model.bodies[0].center, model)[0]; }

std::string fault_of(const std::string& text, const Settings& settings = {}) {
  try {
    read_model_text(text, "m.yaml", settings);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

std::string with_parameters(const std::string& parameters) {
  return "armature: 1\nplane: xy\ngravity: [0, 0, 0]\nparameters: " + parameters +
         "\nbodies: {rod: {mass: 1, inertia: {zz: 1}}}\njoints: {hinge: {type: revolute, between: [ground, rod]}}\n";
}

TEST(ParameterLists, HaveElementsCountedFromOne) {
  const Model model = read_model_text(arm);
  EXPECT_DOUBLE_EQ(value_of(model, "total"), 0.75);
  EXPECT_DOUBLE_EQ(value_of(model, "lengths[3]"), 0.2);
  EXPECT_EQ(center_of(model), 0.25);
}

TEST(ParameterLists, AreSetElementByElementOrTogether) {
  const Model model = read_model_text(arm, "m.yaml", {{"lengths[2]", "0.5 m"}, {"lengths[1]", "lengths[2]"}});
  EXPECT_EQ(center_of(model), 0.5);
  EXPECT_DOUBLE_EQ(value_of(model, "total"), 1.2);
  EXPECT_EQ(center_of(read_model_text(arm, "m.yaml", {{"pick", "3"}})), 0.2);
  const Model other = read_model_text(arm, "m.yaml", {{"lengths", "[1 m, 2 m, 3 m, 4 m]"}});
  EXPECT_EQ(center_of(other), 2);
  EXPECT_EQ(value_of(other, "lengths[4]"), 4);
}

// What --set gives is what the changed text gives.
TEST(ParameterLists, AreWrittenIntoTheText) {
  const std::string text = with_settings(arm, {{"lengths[2]", "0.5 m"}, {"lengths[3]", "0.1 m"}});
  EXPECT_THAT(text, HasSubstr("lengths: [0.3 m, 0.5 m, 0.1 m]       # of the links"));
  EXPECT_DOUBLE_EQ(value_of(read_model_text(text), "total"), 0.9);
}

TEST(ParameterLists, OfThreeNumbersAreVectors) {
  const Model model = read_model_text(with_parameters("{offset: [1 m, 2 m, 3 m], turn: [0, 0, 1]}") +
                                      "points: {P: \"2*offset - [1 m, 0, 0]\"}\ndefine: {height: offset.z}\n");
  EXPECT_EQ(evaluate_constant_vector(model.points[0].at, model)[1], 4);
  EXPECT_EQ(evaluate_constant(parse_formula("height", {}), model), 3);
}

TEST(ParameterLists, GiveTablesTheirPoints) {
  const Model model =
      read_model_text(with_parameters("{x: [0, 1, 2], rise: [0, 5 mm, 20 mm]}") + "tables: {cam: {x: x, y: rise}}\n");
  EXPECT_DOUBLE_EQ(evaluate_constant(parse_formula("cam(1.5)", {}), model), 0.0125);
}

TEST(ParameterLists, MayHaveOneElement) {
  const Model model = read_model_text(with_parameters("{l: [3], k: \"2*l[1]\"}"));
  EXPECT_EQ(value_of(model, "k"), 6);
}

TEST(ParameterLists, NameAWrongIndex) {
  EXPECT_THAT(fault_of(with_parameters("{l: [1, 2, 3], k: \"l[4]\"}")),
              HasSubstr("m.yaml:4: parameters.k: there is no l[4]: 'l' has 3 elements, counted from 1"));
  EXPECT_THAT(fault_of(with_parameters("{l: [1, 2, 3], k: \"l[0]\"}")), HasSubstr("there is no l[0]"));
  EXPECT_THAT(fault_of(with_parameters("{l: [1, 2, 3], k: \"l[1.5]\"}")),
              HasSubstr("the index of 'l' is 1.5, not a whole number"));
  EXPECT_THAT(fault_of(with_parameters("{l: 1, k: \"l[1]\"}")), HasSubstr("'l' is a number, not a list"));
  EXPECT_THAT(fault_of(with_parameters("{l: [1, 2]}") + "define: {d: \"l[t]\"}\n"),
              HasSubstr("the index of 'l' changes; it must be a constant"));
  EXPECT_THAT(fault_of(arm, {{"lengths[4]", "1"}}), HasSubstr("--set lengths[4]: there is no parameter 'lengths[4]'"));
}

TEST(ParameterLists, RefuseWhatIsNoListOfNumbers) {
  EXPECT_THAT(fault_of(with_parameters("{l: [1 m, 2 kg]}")),
              HasSubstr("parameters.l: the elements of a list have one dimension, but l[1] is m and l[2] is kg"));
  EXPECT_THAT(fault_of(with_parameters("{l: []}")), HasSubstr("parameters.l: the list is empty"));
  EXPECT_THAT(fault_of(with_parameters("{l: [1, [2, 3]]}")), HasSubstr("expected a number in the list, not a list"));
  EXPECT_THAT(fault_of(with_parameters("{l: [1, \"l[3]\", \"l[2]\"]}")),
              HasSubstr("depends on itself: l[2] -> l[3] -> l[2]"));
  EXPECT_THAT(fault_of(with_parameters("{n: 2, l: [1, \"l[n]\"]}")), HasSubstr("depends on itself"));
}

TEST(ParameterLists, AreRefusedWhereANumberIsExpected) {
  EXPECT_THAT(fault_of(with_parameters("{l: [1, 2]}") + "simulate: {end: l}\n"),
              HasSubstr("simulate.end: expected a number, but 'l' is a list; its first element is l[1]"));
  EXPECT_THAT(fault_of(with_parameters("{l: [1, 2], k: l}")), HasSubstr("a parameter is one number"));
}

}  // namespace
}  // namespace armature::internal
