// The symbols of a machine as pages carry them.
#include "report/display_list.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "read/reader.hpp"
#include "report/page_symbols.hpp"

namespace armature::internal::plot {
namespace {

using Json = nlohmann::ordered_json;

// Of a model whose only coordinate is `name`, at these values.
Json symbols_at(const char* text, const std::string& name, const std::vector<double>& values) {
  const Scene scene(read_model_text(text));
  Scene::Frames frames(scene, {{"t", "s"}, {name, ""}});
  std::vector<float> data;
  for (const double value : values) frames.append(std::vector<double>{0, value}, data);
  return page_symbols(scene, data);
}

std::vector<Json> of_kind(const Json& symbols, const std::string& kind) {
  std::vector<Json> found;
  for (const Json& symbol : symbols["list"])
    if (symbol["kind"] == kind) found.push_back(symbol);
  return found;
}

constexpr const char* slider = R"(armature: 1
plane: xy
gravity: [0, -9.81, 0]
bodies: {block: {mass: 1}}
joints: {slide: {type: prismatic, axis: x, between: [ground, block], limits: {upper: 2, restitution: 0}}}
)";

// Whoever moves the list measures the way of the slider itself, so the guide is as long as any motion needs.
TEST(DisplayList, AGuideReachesFromOneEndOfTheWayToTheOther) {
  const Json symbols = symbols_at(slider, "slide", {0.5, 0, 1});
  const std::vector<Json> ground = of_kind(symbols, "ground");
  ASSERT_EQ(ground.size(), 1u);
  const Json &from = ground[0]["at"], &to = ground[0]["to"];
  EXPECT_EQ(from["end"], "a");
  EXPECT_EQ(from["by"][0]["along"], Json({1.0, 0.0, 0.0}));
  EXPECT_EQ(from["by"][0]["low"], 1);
  EXPECT_EQ(to["by"][0]["high"], 1);
  EXPECT_EQ(from["by"][1]["along"], Json({0.0, -1.0, 0.0}));  // below the block
}

TEST(DisplayList, AnEndStopIsWhereTheJointHasItsValue) {
  const std::vector<Json> stops = of_kind(symbols_at(slider, "slide", {0}), "stop");
  ASSERT_EQ(stops.size(), 1u);
  EXPECT_EQ(stops[0]["at"]["by"][0]["stop"], 1);
}

// A pin and its base at each end, in shapes that are written once.
TEST(DisplayList, EqualShapesAreOne) {
  const Json symbols = symbols_at(R"(armature: 1
gravity: [0, 0, 0]
plane: xy
bodies: {a: {mass: 1, center: [1, 0, 0]}, b: {mass: 1, center: [1, 0, 0]}}
joints:
  p: {type: revolute, between: [ground, a]}
  q: {type: revolute, between: ["ground [5, 0, 0]", b]}
)",
                                  "p", {0});
  EXPECT_EQ(of_kind(symbols, "pin").size(), 2u);
  EXPECT_EQ(of_kind(symbols, "ground").size(), 2u);
  EXPECT_EQ(symbols["shapes"].size(), 2u);
}

TEST(DisplayList, OfNoFramesIsEmpty) { EXPECT_TRUE(symbols_at(slider, "slide", {})["list"].empty()); }

}  // namespace
}  // namespace armature::internal::plot
