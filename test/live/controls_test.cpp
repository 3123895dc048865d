// What of a file can be turned, and how it is called.
#include "live/controls.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace armature::internal {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson controls(const std::string& text) {
  Diagnostics diagnostics("m.yaml");
  return controls_of(text, parse_yaml(text, diagnostics), nullptr);
}
OrderedJson named(const OrderedJson& list, const std::string& name) {
  for (const OrderedJson& each : list)
    if (each["name"] == name) return each;
  return OrderedJson::object();
}

TEST(Controls, CoordinatesOfAPlaceHaveTheNamesOfTheirAxes) {
  std::vector<std::string> names;
  for (const OrderedJson& each :
       controls("start: {near: {plate: {at: [1, 2, h], angle: 3}}, keep: {\"q{i}\": {for: {i: 1..2}, "
                "is: 1}}, speed: {plate: {velocity: [0, 1, 0]}}}\n"))
    if (each["group"] == "start") names.push_back(each["name"]);
  EXPECT_THAT(names,
              testing::ElementsAre("plate at x", "plate at y", "plate at z", "plate angle", "q{i}",
                                   "speed plate velocity x", "speed plate velocity y", "speed plate velocity z"));
}

TEST(Controls, CountsAreTurnedInWholeNumbers) {
  const OrderedJson list = controls(R"(parameters: {n: 4, bars: 2*half, half: 3, parts: 5, shapes: 2, length: 3 m, gain: 7}
bodies:
  "bar{i}": {for: {i: 1..n}, mass: gain*i}
  "rod{i}": {for: {i: 1..bars}, mass: 1}
  link: {beam: {elements: parts, modes: {y: shapes}, length: length}}
)");
  for (const char* name : {"n", "half", "parts", "shapes"})
    EXPECT_EQ(named(list, name).value("whole", false), true) << name;
  for (const char* name : {"length", "gain"}) EXPECT_FALSE(named(list, name).contains("whole")) << name;
  EXPECT_EQ(named(list, "bars")["kind"], "text");
}

}  // namespace
}  // namespace armature::internal
