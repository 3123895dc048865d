// Every row of model/joints.def: the coordinates of a type by name and kind.
#include "model/joint_components.hpp"

#include <gtest/gtest.h>

#include "model/joint_kinds.hpp"
#include "read/reader.hpp"

namespace armature::internal {
namespace {

std::string listed(JointType type) {
  std::string text;
  for (const JointComponent& component : components_of(type))
    text += (text.empty() ? "" : " ") + (component.name.empty() ? "*" : component.name) +
            (component.is_part_of_ball ? ":ball"
             : component.is_length     ? ":m"
                                       : ":rad");
  return text;
}

TEST(JointComponents, AreThoseOfEachType) {
  EXPECT_EQ(listed(*joint_type("fixed")), "");
  EXPECT_EQ(listed(*joint_type("revolute")), "*:rad");
  EXPECT_EQ(listed(*joint_type("prismatic")), "*:m");
  EXPECT_EQ(listed(*joint_type("screw")), "*:rad");
  EXPECT_EQ(listed(*joint_type("cylindrical")), "angle:rad slide:m");
  EXPECT_EQ(listed(*joint_type("planar")), "x:m y:m angle:rad");
  EXPECT_EQ(joint_type("hinge"), std::nullopt);
}

// A ball has four positions for three velocities.
TEST(JointComponents, AreAsManyAsTheFreedomsOfTheType) {
  for (const std::string& name : joint_type_names()) {
    const JointType type = *joint_type(name);
    const int parts = static_cast<int>(components_of(type).size());
    EXPECT_EQ(parts, words_of(type).freedoms() + (words_of(type).has_ball() ? 1 : 0)) << name;
  }
}

TEST(JointComponents, AreFoundByTheNameOfTheirCoordinate) {
  const Model model = read_model_text(R"(armature: 1
gravity: [0, 0, 0]
bodies: {a: {mass: 1, inertia: {rod: 1}}, b: {mass: 1, inertia: {rod: 1}}}
joints:
  hinge: {type: revolute, axis: z, between: [ground, a]}
  leg: {type: cylindrical, axis: x, between: [a, b]}
)");
  EXPECT_EQ(coordinate_names(model), (std::vector<std::string>{"hinge", "leg.angle", "leg.slide"}));
  ASSERT_TRUE(find_coordinate(model, "leg.slide"));
  EXPECT_TRUE(find_coordinate(model, "leg.slide")->is_length);
  EXPECT_FALSE(find_coordinate(model, "leg"));
}

}  // namespace
}  // namespace armature::internal
