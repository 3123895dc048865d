// Masses of bodies of MJCF: of shapes, of meshes, of <inertial>.
#include <gmock/gmock.h>

#include <fstream>

#include "import/robot_texts.hpp"
#include "temporary_folder.hpp"

namespace armature::internal::imports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Moments of uniform solids; a capsule is a cylinder and two half balls.
TEST(MjcfMasses, InertiaOfShapesIsThatOfUniformSolids) {
  expect_same(R"(<mujoco><worldbody><body name="b"><joint name="j" axis="0 1 0"/>
    <geom type="box" size="0.1 0.2 0.3" pos="1 0 0" density="500"/>
    <geom type="cylinder" size="0.1 0.2" fromto="0 0 0 0 0 -0.4" mass="3"/>
    <geom type="sphere" size="0.2" pos="0 0 -0.5" mass="2"/></body></worldbody></mujoco>)",
              R"Y(
gravity: [0, 0, -9.81]
bodies:
  b: {mass: 29, center: [24/29, 0, (-0.2*3 - 0.5*2)/29], inertia: {yy: "24/12*(0.2^2 + 0.6^2) + 24*((1 - 24/29)^2 + (1.6/29)^2) + 3*(0.1^2/4 + 0.4^2/12) + 3*((24/29)^2 + (0.2 - 1.6/29)^2) + 0.4*2*0.04 + 2*((24/29)^2 + (0.5 - 1.6/29)^2)"}}
joints:
  j: {type: revolute, axis: y, between: [ground, b]}
)Y");
}

// A cube of side 2 about a corner at the origin, as an OBJ file; its inertia is that of a box.
TEST(MjcfMasses, AMeshGivesItsInertia) {
  const TemporaryFolder folder;
  std::ofstream(folder / "cube.obj") << "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\n"
                                     << "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  const std::string file = (folder / "r.xml").string();
  const std::string model =
      import_robot(
          R"(<mujoco><asset><mesh file="cube.obj" scale="0.5 0.5 0.5"/></asset><worldbody><body name="a"><joint name="x"/>
        <geom mesh="cube" density="12"/></body></worldbody></mujoco>)",
          file)
          .text;
  EXPECT_THAT(model, HasSubstr("mass: 12 kg"));
  EXPECT_THAT(model, HasSubstr("center: [0.5, 0.5, 0.5]"));
  EXPECT_THAT(model, HasSubstr("inertia: {xx: 2, yy: 2, zz: 2}"));
  EXPECT_THAT(model, HasSubstr("shape: {mesh: \"cube.obj\", scale: 0.5}"));
  EXPECT_NO_THROW(read_model_text(model, file));
}

// Half as wide and as deep as its first size says, as long as from end to end: 2 m of 0.2 m by 0.2 m, 1000 kg/m^3.
TEST(MjcfMasses, BoxesMayGoFromEndToEnd) {
  const std::string model = text(
                                "<mujoco><worldbody><body name=\"a\"><joint name=\"x\"/>"
                                "<geom type=\"box\" size=\"0.1\" fromto=\"0 0 0 2 0 0\"/></body></worldbody></mujoco>")
                                .text;
  EXPECT_THAT(model, HasSubstr("mass: 80 kg"));
  EXPECT_THAT(model, HasSubstr("center: [1, 0, 0]"));
  EXPECT_THAT(model, HasSubstr("yy: 26.9333333333333, zz: 26.9333333333333}"));
}

TEST(MjcfMasses, TheMassOfAMeshThatIsNotReadIsNamed) {
  const auto body = [](const std::string& geom, const std::string& more) {
    return lost(
        "<mujoco><asset><mesh name=\"m\" file=\"gone.obj\"/></asset><worldbody><body name=\"a\"><joint "
        "name=\"x\"/><geom size=\"0.1\"/>"
        "<geom type=\"mesh\" mesh=\"m\" " +
        geom + "/>" + more + "</body></worldbody></mujoco>");
  };
  const std::string mesh = "line 1: mesh m: there is no file 'gone.obj'";
  EXPECT_THAT(body("mass=\"2\"", ""),
              ElementsAre(mesh, "line 1: body a: the mass of a mesh that is not read; give the body an <inertial>"));
  EXPECT_THAT(body("mass=\"0\"", ""), ElementsAre(mesh));
  EXPECT_THAT(body("", "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>"), ElementsAre(mesh));
}

TEST(MjcfMasses, AMassWithoutInertiaIsNamed) {
  EXPECT_THAT(lost("<mujoco><worldbody><body name=\"a\"><joint name=\"x\"/><inertial pos=\"1 0 0\" "
                   "mass=\"2\"/></body></worldbody></mujoco>"),
              ElementsAre("line 1: body a: has a mass, but no inertia: a mass at a point is taken"));
}

// Moments xx, yy, zz, xy, xz, yz about the center, turned by 90 degrees about z with the frame of the inertia.
TEST(MjcfMasses, OfInertialMayHaveProducts) {
  const std::string body =
      text(
          "<mujoco><worldbody><body name=\"a\"><joint name=\"x\"/><inertial pos=\"1 0 0\" mass=\"2\" euler=\"0 0 90\" "
          "fullinertia=\"1 2 2.5 0.1 0.2 0.3\"/></body></worldbody></mujoco>")
          .text;
  EXPECT_THAT(body, HasSubstr("inertia: {xx: 2, yy: 1, zz: 2.5, xy: -0.1, xz: -0.3, yz: 0.2}"));
}

// Two bodies of 3 kg and 1 kg are scaled to 2 kg in all.
TEST(MjcfMasses, MayBeScaledToATotal) {
  const std::string bodies = text(
                                 "<mujoco><compiler settotalmass=\"2\"/><worldbody><body name=\"a\"><joint "
                                 "name=\"x\"/><inertial pos=\"0 0 0\" mass=\"3\" diaginertia=\"1 1 1\"/>"
                                 "<body name=\"b\"><joint name=\"y\"/><inertial pos=\"0 0 0\" mass=\"1\" "
                                 "diaginertia=\"1 1 1\"/></body></body></worldbody></mujoco>")
                                 .text;
  EXPECT_THAT(bodies, HasSubstr("a: {mass: 1.5 kg, inertia: {xx: 0.5, yy: 0.5, zz: 0.5}"));
  EXPECT_THAT(bodies, HasSubstr("b: {mass: 0.5 kg, inertia: {xx: 0.5, yy: 0.5, zz: 0.5}"));
}

}  // namespace
}  // namespace armature::internal::imports
