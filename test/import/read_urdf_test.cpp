// URDF, with the loops of URDF+.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "import/robot_texts.hpp"

namespace armature::internal::imports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The bodies of a loop are turned against each other at zero: the joint has two axes, and its value an offset.
TEST(ReadUrdf, AMisspeltLinkIsNamedWithItsLine) {
  const auto problem = [](const char* joint) -> std::string {
    try {
      text(std::string("<robot name=\"r\">\n<link name=\"base\"/>\n<link name=\"arm\"/>\n") + joint + "\n</robot>");
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(problem("<joint name=\"j\" type=\"revolute\"><parent link=\"base\"/><child link=\"arn\"/></joint>"),
            "r.xml:4: joint j: there is no link 'arn' (did you mean 'arm'?)");
  EXPECT_EQ(problem("<joint name=\"j\" type=\"revolute\"><parent link=\"base\"/></joint>"),
            "r.xml:4: joint j: <child> is missing");
}

TEST(ReadUrdf, ALoopJointMayHaveTurnedFrames) {
  const std::string xml = R"(<robot name="r"><link name="base"/>
    <link name="a"><inertial><origin xyz="0.5 0 0"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="b"><inertial><origin xyz="0.5 0 0"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="j" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/></joint>
    <joint name="k" type="continuous"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/><axis xyz="0 1 0"/></joint>
    <loop name="l" type="revolute"><predecessor link="b"><origin xyz="1 0 0"/></predecessor>
      <successor link="base"><origin xyz="1 0 0" rpy="0 0.5 0"/></successor><axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="0" velocity="0"/></loop></robot>)";
  const ImportedModel result = text(xml);
  EXPECT_THAT(result.text,
              HasSubstr("limits: {lower: -1.5, upper: 1.5,"));  // value of the file = value of the model + 0.5
  EXPECT_THAT(result.loops, ElementsAre("l: closes a loop"));
}

TEST(ReadUrdf, ListsLimitsThatItDoesNotTake) {
  const ImportedModel result = text(
      R"(<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/><inertia ixx="1"/></inertial></link>
    <joint name="j" type="revolute"><parent link="base"/><child link="arm"/>
      <limit lower="2" upper="1" effort="5" velocity="3"/></joint></robot>)");
  EXPECT_THAT(result.not_taken, ElementsAre("line 3: joint j: limits from 2 to 1, between which it cannot move",
                                            "line 3: joint j: velocity limit (3 rad/s) is not supported",
                                            "line 3: joint j: the largest effort, 5, since no transmission drives it"));
}

TEST(ReadUrdf, ShapesMayBeTurned) {
  const std::string model =
      text(R"(<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/></inertial>
    <visual><origin rpy="0 0 0.5"/><geometry><box size="1 2 3"/></geometry></visual>
    <visual><origin rpy="0 0 1.5707963267948966"/><geometry><box size="1 2 3"/></geometry></visual></link>
    <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>)")
          .text;
  EXPECT_THAT(model, HasSubstr("shape: [{box: [1, 2, 3], angle: 0.5, axis: z}, {box: [2, 1, 3]}]"));
  EXPECT_NO_THROW(read_model_text(model));
}

TEST(ReadUrdf, NamesStayUnlessTheyCannot) {
  const std::string model =
      text(R"(<robot name="r"><link name="base"/><link name="left-arm"><inertial><mass value="1"/></inertial></link>
    <joint name="left-arm" type="continuous"><parent link="base"/><child link="left-arm"/></joint></robot>)")
          .text;
  EXPECT_THAT(model, HasSubstr("  left_arm: {mass: 1 kg"));
  EXPECT_THAT(model, HasSubstr("  left_arm_joint: {type: revolute, axis: x, between: [ground, left_arm]}"));
}

TEST(ReadUrdf, TheBaseMayMoveFreely) {
  ImportOptions options;
  options.free_base = true;
  const std::string xml =
      R"(<robot name="r"><link name="trunk"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>)";
  EXPECT_THAT(text(xml, options).text, HasSubstr("  trunk_free: {type: free, between: [ground, trunk]}"));
}

TEST(ReadUrdf, MeshesOutsideTheFolderAreNotRead) {
  const std::string xml =
      R"(<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/><inertia ixx="1"/></inertial>
    <visual><geometry><mesh filename="../../etc/x.stl"/></geometry></visual>
    <visual><geometry><mesh filename="package://arm/meshes/x.stl"/></geometry></visual>
    <visual><geometry><mesh filename="/etc/x.stl"/></geometry></visual>
    <visual><geometry><mesh filename="https://a.b/x.stl"/></geometry></visual></link>
    <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>)";
  EXPECT_THAT(
      text(xml).not_taken,
      ElementsAre(
          "line 2: mesh: '../../etc/x.stl' lies outside the folder of the robot, which is all that is read (see "
          "--root)",
          "line 3: mesh: there is no file 'package://arm/meshes/x.stl'",
          "line 4: mesh: '/etc/x.stl' is an absolute path; only files in the folder of the robot are read (see --root)",
          "line 5: mesh: 'https://a.b/x.stl' is not a file of this folder; only package:// and model:// are followed"));
}

TEST(ReadUrdf, MacrosAreRefused) {
  EXPECT_THAT(problem(urdf(inertial, "", "continuous", "<xacro:leg side=\"left\"/>")),
              HasSubstr("this file has macros of xacro; write it out first: xacro FILE > robot.urdf"));
}

// Without a center of its own the mass is where the shape is.
TEST(ReadUrdf, AMassWithoutInertiaIsSpreadOverTheShape) {
  const std::string box = "<visual><origin xyz=\"1 0 0\"/><geometry><box size=\"2 0.1 0.1\"/></geometry></visual>";
  const std::string spread = text(urdf("<inertial><mass value=\"2\"/></inertial>" + box)).text;
  EXPECT_THAT(spread, HasSubstr("center: [1, 0, 0]"));
  EXPECT_THAT(spread, HasSubstr("yy: 0.668333333333333"));
  EXPECT_THAT(text(urdf("<inertial><origin xyz=\"0.5 0 0\"/><mass value=\"2\"/></inertial>" + box)).text,
              HasSubstr("center: [0.5, 0, 0]"));
  EXPECT_THAT(
      lost(urdf("<inertial><mass value=\"2\"/></inertial><visual><geometry><mesh "
                "filename=\"gone.stl\"/></geometry></visual>")),
      ElementsAre("line 1: mesh: there is no file 'gone.stl'",
                  "line 1: link arm: has a mass, but neither an inertia nor a shape: a mass at a point is taken"));
}

// A capsule of radius 1/2 and length 1 between its centers: 2 kg; about an axis across, a cylinder and two half balls.
TEST(ReadUrdf, ACapsuleIsNoCylinder) {
  const std::string model = text(urdf("<inertial><mass value=\"2\"/></inertial><visual><geometry><capsule "
                                      "radius=\"0.5\" length=\"1\"/></geometry></visual>"))
                                .text;
  const double volume = 5.0 / 12, share = 2 / volume;  // in units of pi: 1/4 of the cylinder and 1/6 of the ball
  const double along = share * (0.25 / 8 + 1.0 / 6 * 0.4 * 0.25);
  EXPECT_THAT(model, HasSubstr(fmt::format("zz: {:.15g}", along)));
}

TEST(ReadUrdf, SizesAndShapesAreRequiredOrListed) {
  EXPECT_THAT(problem(urdf(inertial + "<visual><geometry><box/></geometry></visual>")),
              HasSubstr("box: 'size' is missing"));
  EXPECT_THAT(lost(urdf(inertial + "<visual><geometry><cone/></geometry></visual>")),
              ElementsAre("line 1: link arm: the shape <cone>"));
}

TEST(ReadUrdf, ElementsOfSeveralCoordinatesAreListed) {
  EXPECT_THAT(
      lost(urdf(inertial, "<dynamics damping=\"1\"/><limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/>",
                "planar")),
      ElementsAre("line 1: joint j: <dynamics> on several coordinates at once",
                  "line 1: joint j: <limit> on several coordinates at once"));
}

TEST(ReadUrdf, LoopsHaveNamesOfTheirOwn) {
  EXPECT_THAT(problem(urdf(
                  inertial, "", "continuous",
                  "<loop name=\"j\" type=\"continuous\"><predecessor link=\"base\"/><successor link=\"arm\"/></loop>")),
              HasSubstr("loop j: another joint has this name"));
}

}  // namespace
}  // namespace armature::internal::imports
