// Robots of models/robots are the machines of test/import/reference: equal accelerations at random states, equal motion, and as many
// degrees of freedom and loops as their authors meant.
#include "import/import.hpp"

#include <gmock/gmock.h>

#include <ctime>
#include <fstream>

#include "inspect/check.hpp"
#include "inspect/compare.hpp"
#include "model/file_kind.hpp"
#include "support/run_model.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::string robot_file(const std::string& name) { return std::string(source_directory) + "/models/robots/" + name; }

ImportedModel imported(const std::string& name, const ImportOptions& options = {}) {
  return import_robot(*read_file(robot_file(name)), robot_file(name), options);
}

Model reference(const std::string& name, const Settings& settings) {
  return read_model(std::string(source_directory) + "/test/import/reference/" + name + ".yaml", settings);
}

struct Machine {
  std::string robot, reference;
  Settings of_robot, of_reference;
  int degrees_of_freedom, loops;
  std::size_t redundant;
  friend std::ostream& operator<<(std::ostream& out, const Machine& machine) { return out << machine.robot; }
};

class Machines : public testing::TestWithParam<Machine> {};

const Settings run_options = {{"simulate.end", "0.5 s"}, {"simulate.record", "10 ms"}, {"simulate.rtol", "1e-10"}};

Settings with_run(Settings settings) {
  settings.insert(settings.end(), run_options.begin(), run_options.end());
  return settings;
}

// A URDF and an SDFormat file know no reflected inertia and no servo.
const Settings plain = {{"armature", "0"}, {"kp", "0"}, {"kv", "0"}};
const Settings lifted = {{"start.keep.platform", "{at: [0.05, 0, 1.2], angle: 0.1}"}};
const Settings spinning = {{"start.speed.phi", "5"}};

// A planar loop in space has one redundant constraint where a ball closes it, three where a revolute joint does: the gripper has three
// balls and a revolute joint, the leg one of each, the six-bar two revolute joints.
INSTANTIATE_TEST_SUITE_P(, Machines,
                         testing::Values(Machine{"five_bar.xml", "five_bar", {}, {}, 2, 1, 3},
                                         Machine{"five_bar.urdf", "five_bar", {}, plain, 2, 1, 3},
                                         Machine{"five_bar.sdf", "five_bar", {}, plain, 2, 1, 3},
                                         Machine{"gripper.xml", "gripper", {}, {}, 1, 4, 6},
                                         Machine{"stewart.xml", "stewart", lifted, lifted, 6, 6, 0},
                                         Machine{"delta.sdf", "delta", {}, {}, 3, 5, 0},
                                         Machine{"leg.urdf", "leg", {}, {}, 2, 2, 4},
                                         Machine{"six_bar.urdf", "six_bar", spinning, spinning, 1, 2, 6}),
                         [](const auto& info) {
                           std::string name = info.param.robot;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

// 1e-8 is what the issue of import asks for; compare() counts below 1e-10 as equal.
TEST_P(Machines, HaveTheEquationsOfTheirReference) {
  const Machine& machine = GetParam();
  const Model robot = read_model(robot_file(machine.robot), with_run(machine.of_robot));
  const Model own = reference(machine.reference, with_run(machine.of_reference));
  CompareOptions options;
  options.states = 20;
  const CompareResult comparison = compare(robot, own, options);
  EXPECT_EQ(comparison.obstacle, "");
  EXPECT_EQ(comparison.states, 20);
  EXPECT_LT(comparison.acceleration, 1e-8) << comparison.acceleration_of;
  EXPECT_FALSE(comparison.apart()) << comparison.verdict();
  EXPECT_EQ(comparison.moments.size(), 6u);
}

TEST_P(Machines, KeepTheirLoops) {
  const Machine& machine = GetParam();
  const ImportedModel result = imported(machine.robot);
  for (const std::string& what : result.not_taken) EXPECT_THAT(what, testing::Not(HasSubstr("LOOP NOT KEPT")));
  const Model model = read_model_text(result.text, robot_file(machine.robot));
  const Prepared start = prepared(model);
  const CheckReport report = check(model, *start.system, start.start);
  EXPECT_EQ(report.degrees_of_freedom, machine.degrees_of_freedom);
  EXPECT_EQ(std::ranges::count(report.joints, true, &CheckReport::JointLine::cut), machine.loops);
  EXPECT_EQ(report.redundant.size(), machine.redundant);
}

// The issue of import allows 100 ms; processor time, since others may use the machine.
TEST_P(Machines, AreImportedAndCheckedInATenthOfASecond) {
  const std::clock_t began = std::clock();
  const Model model = read_model_text(imported(GetParam().robot).text, robot_file(GetParam().robot));
  const Prepared start = prepared(model);
  check(model, *start.system, start.start);
  EXPECT_LT(static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC, 0.1);
}

TEST(Import, TwoPointsOnOneAxisAreARevoluteJoint) {
  const ImportedModel result = imported("five_bar.xml");
  EXPECT_THAT(result.text, HasSubstr("  E1:\n    type: revolute\n    axis: y\n"));
  EXPECT_THAT(result.text, testing::Not(HasSubstr("  E2:")));
  EXPECT_THAT(result.loops, ElementsAre("E1: closes a loop; the points E1, E2 lie on one axis: a revolute joint"));
}

TEST(Import, AnExtraJointAndAWeldAreOneJoint) {
  const ImportedModel result = imported("five_bar.urdf");
  EXPECT_THAT(result.text, HasSubstr("  E: {type: revolute, axis: y, between: ["));
  EXPECT_THAT(result.text, testing::Not(HasSubstr("  loop_a:")));
  EXPECT_THAT(result.text, testing::Not(HasSubstr("fixed")));
  EXPECT_THAT(result.loops, ElementsAre(StartsWith("E: closes a loop; the weld loop1 of the massless loop_a")));
}

// --- single features, each with the model that a person would write beside it

ImportedModel text(const std::string& xml, const ImportOptions& options = {}) {
  return import_robot(xml, "r.xml", options);
}

CompareResult compared(const std::string& robot, const std::string& own) {
  CompareOptions options;
  options.states = 5;
  return compare(read_model_text(robot, "r.xml"), read_model_text("armature: 1\n" + own), options);
}

void expect_same(const std::string& robot, const std::string& own) {
  const CompareResult comparison = compared(robot, own);
  EXPECT_EQ(comparison.obstacle, "");
  EXPECT_LT(comparison.acceleration, 1e-12) << comparison.acceleration_of << "\n" << text(robot).text;
  EXPECT_FALSE(comparison.apart()) << comparison.verdict() << "\n" << text(robot).text;
}

// Moments of uniform solids; a capsule is a cylinder and two half balls.
TEST(Mjcf, InertiaOfShapesIsThatOfUniformSolids) {
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

// Intrinsic x, y, z by default; capital letters turn about fixed axes.
TEST(Mjcf, EulerAnglesFollowTheirOrder) {
  const auto axis = [](const std::string& compiler) {
    const std::string xml =
        "<mujoco><compiler " + compiler + R"(/><worldbody><body name="b" euler="90 0 90"><joint name="j" axis="1 0 0"/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>)";
    const std::string model = text(xml).text;
    const std::size_t at = model.find("axis: ");
    return model.substr(at + 6, model.find(',', at) - at - 6);
  };
  EXPECT_EQ(axis("angle=\"degree\""), "z");                   // Rx(90) Rz(90) x = Rx(90) y = z
  EXPECT_EQ(axis("angle=\"degree\" eulerseq=\"XYZ\""), "y");  // Rz(90) Rx(90) x = y
  EXPECT_EQ(axis("angle=\"degree\" eulerseq=\"zyx\""), "y");  // Rz(90) Rx(90) x
}

// The body is shown at its reference value; the value counts from there.
TEST(Mjcf, ReferenceValuesAreKept) {
  expect_same(
      R"(<mujoco><worldbody><body name="b" pos="0 0 1"><joint name="j" axis="0 1 0" ref="90" stiffness="3" springref="60" damping="0.1"/>
    <inertial pos="0 0 -1" mass="2" diaginertia="0.1 0.1 0.1"/></body></worldbody></mujoco>)",
      R"(
gravity: [0, 0, -9.81]
bodies: {b: {mass: 2, center: [1, 0, 0], inertia: {yy: 0.1}}}
joints: {j: {type: revolute, axis: y, between: ["ground [0, 0, 1]", b], damping: 0.1, spring: {stiffness: 3, rest: 60 deg}}}
start: {near: {j: 90 deg}}
)");
}

TEST(Mjcf, JointsAreRelatedByPolynomialsAndTendons) {
  const std::string bodies = R"(
gravity: [0, 0, -9.81]
bodies:
  a: {mass: 1, center: [1, 0, 0], inertia: {yy: 0.1}}
  b: {mass: 1, center: [cos(0.2), 0, sin(0.2)], inertia: {yy: 0.1}}       # shown at 0.2
)";
  expect_same(R"(<mujoco><compiler angle="radian"/><worldbody>
      <body name="a"><joint name="x" axis="0 1 0"/><inertial pos="1 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body>
      <body name="b"><joint name="y" axis="0 1 0" ref="0.2"/><inertial pos="1 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body></worldbody>
      <tendon><fixed name="rope" stiffness="4" damping="0.5" springlength="0.3"><joint joint="x" coef="2"/><joint joint="y" coef="-1"/></fixed></tendon>
      <equality><joint joint1="y" joint2="x" polycoef="0.1 0.5 0.25"/></equality></mujoco>)",
              bodies + R"Y(
joints:
  x: {type: revolute, axis: y, between: [ground, a]}
  y: {type: revolute, axis: y, between: [ground, b]}
constraints: {p: {type: prescribed, zero: y - 0.2 - 0.1 - 0.5*x - 0.25*x^2}}
forces:
  fx: {type: effort, on: x, is: "-2*(4*(2*x - y - 0.3) + 0.5*(2*x' - y'))"}
  fy: {type: effort, on: y, is: "4*(2*x - y - 0.3) + 0.5*(2*x' - y')"}
start: {near: {y: 0.2}}
)Y");
}

// A weld that holds no angle connects points.
TEST(Mjcf, AWeldWithoutTorqueIsABall) {
  const auto model = [](const std::string& weld) {
    return text(R"(<mujoco><worldbody>
      <body name="a" pos="0 0 1"><joint name="j" axis="0 1 0"/><geom type="capsule" size="0.05" fromto="0 0 0 1 0 0"/></body>
      <body name="b" pos="2 0 1"><joint name="k" axis="0 1 0"/><geom type="capsule" size="0.05" fromto="0 0 0 -1 0 0"/></body>
      </worldbody><equality>)" +
                weld + "</equality></mujoco>");
  };
  const ImportedModel ball = model(R"(<weld name="w" body1="a" body2="b" anchor="-1 0 0" torquescale="0"/>)");
  EXPECT_THAT(ball.text, HasSubstr("w: {type: spherical"));
  EXPECT_THAT(ball.text, HasSubstr("\"a [1, 0, 0]\", \"b [-1, 0, 0]\""));
  EXPECT_THAT(model(R"(<weld name="w" body1="a" body2="b"/>)").text, testing::Not(HasSubstr("spherical")));
}

TEST(Mjcf, ADcMotorIsADcMotor) {
  const std::string model =
      text(R"(<mujoco><worldbody><body name="a"><joint name="x"/><geom size="0.1"/></body></worldbody>
      <actuator><dcmotor name="m" joint="x" motorconst="0.05" resistance="2" inductance="0.001" gear="20" ctrlrange="-12 12"/></actuator></mujoco>)")
          .text;
  EXPECT_THAT(model, HasSubstr("type: dc_motor"));
  EXPECT_THAT(model, HasSubstr("gear_ratio: 20"));
  EXPECT_THAT(model, HasSubstr("inductance: 0.001"));
  EXPECT_THAT(model, HasSubstr("voltage: \"clamp(m_input, -12, 12)\""));
  EXPECT_NO_THROW(read_model_text(model));
}

TEST(Mjcf, WhatIsNotTakenIsListed) {
  const ImportedModel result =
      text(R"(<mujoco><worldbody><body name="a"><joint name="x"/><geom size="0.1"/></body></worldbody>
    <sensor/><actuator><muscle name="m" joint="x"/></actuator>
    <equality><connect name="c" body1="a" anchor="0 0 1" active="false"/></equality></mujoco>)");
  EXPECT_THAT(result.not_taken,
              testing::UnorderedElementsAre("line 2: <sensor>", "line 2: actuator muscle m: is not taken",
                                            "LOOP NOT KEPT: line 3: connect c: is not active"));
  EXPECT_THAT(result.text, HasSubstr("# Not taken:\n#   LOOP NOT KEPT: line 3: connect c: is not active\n"));
}

// A cube of side 2 about a corner at the origin, as an OBJ file; its inertia is that of a box.
TEST(Mjcf, AMeshGivesItsInertia) {
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

// The bodies of a loop are turned against each other at zero: the joint has two axes, and its value an offset.
TEST(Urdf, AMisspeltLinkIsNamedWithItsLine) {
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

TEST(Urdf, ALoopJointMayHaveTurnedFrames) {
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

TEST(Urdf, ListsLimitsThatItDoesNotTake) {
  const ImportedModel result = text(
      R"(<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/><inertia ixx="1"/></inertial></link>
    <joint name="j" type="revolute"><parent link="base"/><child link="arm"/>
      <limit lower="2" upper="1" effort="5" velocity="3"/></joint></robot>)");
  EXPECT_THAT(result.not_taken, ElementsAre("line 3: joint j: limits from 2 to 1, between which it cannot move",
                                            "line 3: joint j: velocity limit (3 rad/s) is not supported",
                                            "line 3: joint j: the largest effort, 5, since no transmission drives it"));
}

TEST(Urdf, ShapesMayBeTurned) {
  const std::string model =
      text(R"(<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/></inertial>
    <visual><origin rpy="0 0 0.5"/><geometry><box size="1 2 3"/></geometry></visual>
    <visual><origin rpy="0 0 1.5707963267948966"/><geometry><box size="1 2 3"/></geometry></visual></link>
    <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>)")
          .text;
  EXPECT_THAT(model, HasSubstr("shape: [{box: [1, 2, 3], angle: 0.5, axis: z}, {box: [2, 1, 3]}]"));
  EXPECT_NO_THROW(read_model_text(model));
}

TEST(Urdf, NamesStayUnlessTheyCannot) {
  const std::string model =
      text(R"(<robot name="r"><link name="base"/><link name="left-arm"><inertial><mass value="1"/></inertial></link>
    <joint name="left-arm" type="continuous"><parent link="base"/><child link="left-arm"/></joint></robot>)")
          .text;
  EXPECT_THAT(model, HasSubstr("  left_arm: {mass: 1 kg"));
  EXPECT_THAT(model, HasSubstr("  left_arm_joint: {type: revolute, axis: x, between: [ground, left_arm]}"));
}

TEST(Urdf, TheBaseMayMoveFreely) {
  ImportOptions options;
  options.free_base = true;
  const std::string xml =
      R"(<robot name="r"><link name="trunk"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>)";
  EXPECT_THAT(text(xml, options).text, HasSubstr("  trunk_free: {type: free, between: [ground, trunk]}"));
}

TEST(Urdf, MeshesOutsideTheFolderAreNotRead) {
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

// Seconds of this process. What grows with the square of the size takes minutes.
double seconds_of(const std::string& xml) {
  const std::clock_t begin = std::clock();
  import_robot(xml, "r.urdf");
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

TEST(Urdf, ManyWeldsTakeNoTime) {
  std::string star = R"(<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/>
    <inertia ixx="1"/></inertial></link>
    <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>)";
  std::string chain = star;
  for (int k = 0; k < 20000; ++k) {
    const std::string last = k == 0 ? "arm" : "l" + std::to_string(k - 1), name = std::to_string(k);
    const auto weld = [&](const std::string& parent) {
      return "<link name=\"l" + name + "\"/><joint name=\"w" + name + "\" type=\"fixed\"><parent link=\"" + parent +
             "\"/><child link=\"l" + name + "\"/><origin xyz=\"1 0 0\"/></joint>";
    };
    star += weld("arm"), chain += weld(last);
  }
  EXPECT_LT(seconds_of(star + "</robot>"), 2);
  EXPECT_LT(seconds_of(chain + "</robot>"), 2);
  EXPECT_THAT(text(chain + "</robot>").text, HasSubstr("l19999: [2e+04, 0, 0]"));
}

TEST(Urdf, ManyUnknownNamesTakeNoTime) {
  std::string attributes, elements;
  for (int k = 0; k < 100000; ++k) {
    attributes += " a" + std::to_string(k) + "=\"1\"";
    elements += "<e" + std::to_string(k) + "/>";
  }
  const auto robot = [](const std::string& in_link, const std::string& in_robot) {
    return R"(<robot name="r"><link name="base"/><link name="arm")" + in_link +
           R"(><inertial><mass value="1"/><inertia ixx="1"/></inertial></link>
    <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>)" +
           in_robot + "</robot>";
  };
  EXPECT_LT(seconds_of(robot(attributes, "")), 2);
  EXPECT_LT(seconds_of(robot("", elements)), 2);
}

// A pendulum in a folder of its own, placed twice: once as it is, once under another name and turned.
class SdfIncludes : public testing::Test {
 protected:
  SdfIncludes() {
    fs::create_directories(folder_ / "parts");
    std::ofstream(folder_ / "parts/arm.sdf") << arm;
  }
  ImportedModel import(const std::string& includes) {
    return import_robot("<sdf version=\"1.9\"><world name=\"w\">\n" + includes + "</world></sdf>",
                        (folder_ / "w.sdf").string());
  }
  std::string problem(const std::string& includes) {
    try {
      import(includes);
    } catch (const ModelError& error) {
      const std::string sentence = error.what();
      return sentence.substr(sentence.find(": ") + 2);
    }
    return "";
  }
  static constexpr const char* arm = R"(<sdf version="1.9"><model name="arm">
    <link name="bob"><pose>0 0 -1 0 0 0</pose><inertial><mass>2</mass></inertial></link>
    <joint name="hinge" type="revolute"><parent>world</parent><child>bob</child><pose>0 0 1 0 0 0</pose>
      <axis><xyz>0 1 0</xyz></axis></joint></model></sdf>)";
  TemporaryFolder folder_;
};

TEST_F(SdfIncludes, AreModelsWithTheNamesAndPosesThatTheyAreGiven) {
  const ImportedModel two = import(
      "<include><uri>parts/arm.sdf</uri></include>\n"
      "<include><uri>parts/arm.sdf</uri><name>other</name><pose>1 0 0 0 0 0</pose></include>\n");
  EXPECT_THAT(two.text, HasSubstr("arm__hinge: {type: revolute, axis: y, between: [ground,"));
  EXPECT_THAT(two.text, HasSubstr("other__hinge: {type: revolute, axis: y, between: [\"ground [1, 0, 0]\","));
  EXPECT_THAT(two.not_taken, testing::Each(testing::Not(HasSubstr("include"))));
  const Model model = read_model_text(two.text, "w.yaml");
  EXPECT_EQ(prepared(model).system->layout().nv, 2);
}

TEST_F(SdfIncludes, MayBeFoldersOfModels) {
  std::ofstream(folder_ / "parts/model.sdf") << arm;
  EXPECT_THAT(import("<include><uri>parts</uri></include>").text, HasSubstr("hinge"));
  EXPECT_THAT(import("<include><uri>model://parts</uri></include>").text, HasSubstr("hinge"));
}

TEST_F(SdfIncludes, AreRefusedBySentences) {
  EXPECT_EQ(
      problem("<include><uri>model://ground_plane</uri></include>"),
      "include: 'model://ground_plane' is a model of another folder, which is not read; copy it beside this file");
  EXPECT_THAT(problem("<include><uri>../arm.sdf</uri></include>"), HasSubstr("lies outside the folder of the robot"));
  EXPECT_THAT(problem("<include><uri>/etc/passwd</uri></include>"), HasSubstr("is an absolute path"));
  EXPECT_THAT(problem("<include><uri>missing.sdf</uri></include>"), HasSubstr("there is no file 'missing.sdf'"));
  EXPECT_EQ(problem("<include/>"), "include: <uri> is missing");
  std::ofstream(folder_ / "again.sdf")
      << R"(<sdf><model name="a"><include><uri>again.sdf</uri></include></model></sdf>)";
  EXPECT_THAT(problem("<include><uri>again.sdf</uri></include>"), HasSubstr("'again.sdf' includes itself"));
  std::ofstream(folder_ / "no.sdf") << "<robot/>";
  EXPECT_THAT(problem("<include><uri>no.sdf</uri></include>"),
              HasSubstr("is not an SDFormat file with a named <model>"));
}

TEST(Sdf, LinksThatNothingHoldsMoveFreely) {
  const ImportedModel result = text(
      R"(<sdf version="1.9"><model name="m"><pose>0 0 2 0 0 0</pose><link name="a"><inertial><mass>1</mass></inertial></link>
    <link name="b"><pose>1 0 0 0 0 0</pose></link><joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>)");
  EXPECT_THAT(result.text, HasSubstr("  a_free: {type: free, between: [ground, a]}"));
  EXPECT_THAT(result.text, HasSubstr("  j: {type: revolute, axis: z, between: [\"a [1, 0, 0]\", b]}"));
  EXPECT_THAT(result.text, HasSubstr("  keep: {a: {at: [0, 0, 2], angle: 0}}"));
}

}  // namespace
}  // namespace armature::internal
