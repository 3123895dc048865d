// What a robot's file says is taken, refused, or named in the list of what is not: small files, each with one thing that is easily lost.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

#include "import/import.hpp"
#include "model/file_kind.hpp"
#include "support/run_model.hpp"
#include "temporary_folder.hpp"

namespace armature::internal::losses {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ImportedModel imported(const std::string& xml) { return import_robot(xml, "r.xml", {}); }
std::vector<std::string> lost(const std::string& xml) { return imported(xml).not_taken; }

std::string problem(const std::string& xml) {
  try {
    imported(xml);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

// --- MJCF: a bob on a hinge, with more in the body, in the hinge, and around them

std::string mjcf(const std::string& hinge, const std::string& around = "", const std::string& body = "") {
  return "<mujoco>" + around + "<worldbody><body name=\"a\" " + body + "><joint name=\"x\" axis=\"0 1 0\" " + hinge +
         "/><geom size=\"0.1\" pos=\"1 0 0\"/></body></worldbody></mujoco>";
}

TEST(Mjcf, NamesThatItDoesNotKnowAreListed) {
  EXPECT_THAT(lost(mjcf("")), IsEmpty());
  EXPECT_THAT(lost(mjcf("dampng=\"3\"")), ElementsAre("line 1: joint x: 'dampng' (did you mean 'damping'?)"));
  EXPECT_THAT(
      lost("<mujoco><worldbody><body name=\"a\"><joint name=\"x\" dampng=\"1\"/><geom size=\"1\"/><body name=\"b\">"
           "<joint name=\"y\" dampng=\"2\"/><geom size=\"1\"/></body></body></worldbody></mujoco>"),
      ElementsAre("line 1: joint x: 'dampng' (did you mean 'damping'?); 1 more"));
  EXPECT_THAT(lost(mjcf("", "<actuators/>")), ElementsAre("line 1: mujoco: <actuators> (did you mean 'actuator'?)"));
  EXPECT_THAT(
      lost(mjcf("",
                "<option viscosity=\"0.1\" density=\"0\"><flag frictionloss=\"disable\" limit=\"enable\"/></option>")),
      ElementsAre("line 1: option: 'viscosity'", "line 1: flag: 'frictionloss'"));
  EXPECT_THAT(lost(mjcf("", "", "gravcomp=\"1\"")), ElementsAre("line 1: body a: 'gravcomp'"));
  EXPECT_THAT(lost(mjcf("", "<default><joint dampng=\"3\"/></default>")),
              ElementsAre("line 1: joint: 'dampng' (did you mean 'damping'?)"));
}

TEST(Mjcf, GravityMayBeOff) {
  EXPECT_THAT(imported(mjcf("", "<option><flag gravity=\"disable\"/></option>")).text, HasSubstr("gravity: [0, 0, 0]"));
}

// Frames move and turn the joints in them as well.
TEST(Mjcf, JointsMayBeInFrames) {
  const ImportedModel result = imported(
      "<mujoco><worldbody><body name=\"a\"><frame pos=\"0 0 1\" euler=\"0 0 90\"><joint name=\"x\" axis=\"1 0 0\" "
      "pos=\"1 0 0\"/></frame>"
      "<geom size=\"0.1\"/></body></worldbody></mujoco>");
  EXPECT_THAT(result.text, HasSubstr("x: {type: revolute, axis: y, between: [\"ground [0, 1, 1]\", \"a [0, 1, 1]\"]}"));
}

TEST(Mjcf, ForcesKeepTheNarrowerOfTwoRanges) {
  const auto force = [](const std::string& motors) {
    return imported(
        "<mujoco><worldbody><body name=\"a\"><joint name=\"x\" actuatorfrcrange=\"-2 5\"/><geom "
        "size=\"0.1\"/></body></worldbody>"
        "<actuator>" +
        motors + "</actuator></mujoco>");
  };
  EXPECT_THAT(force("<motor name=\"m\" joint=\"x\" gear=\"10\" forcerange=\"-1 0.3\"/>").text,
              HasSubstr("clamp(m_input, -0.2, 0.3)"));
  EXPECT_THAT(force("<motor name=\"m\" joint=\"x\"/><motor name=\"n\" joint=\"x\"/>").not_taken,
              ElementsAre("joint x: actuatorfrcrange of several actuators together: it limits each of them"));
}

TEST(Mjcf, DefaultClassesMustBeThere) {
  EXPECT_EQ(problem(mjcf("class=\"thick\"")), "r.xml:1: joint x: there is no default class 'thick'");
}

// A class has one default actuator, whichever element speaks of it.
TEST(Mjcf, ActuatorsShareTheirDefaults) {
  const std::string text = imported(
                               "<mujoco><default><motor ctrlrange=\"-3 3\" gear=\"7\"/></default><worldbody><body "
                               "name=\"a\"><joint name=\"x\"/>"
                               "<geom size=\"0.1\"/></body></worldbody><actuator><velocity name=\"m\" joint=\"x\" "
                               "kv=\"5\"/></actuator></mujoco>")
                               .text;
  EXPECT_THAT(text, HasSubstr("clamp(m_input, -3, 3)"));
  EXPECT_THAT(text, HasSubstr("7*"));
}

TEST(Mjcf, EqualitiesHaveDefaults) {
  EXPECT_THAT(
      lost("<mujoco><default><equality active=\"false\"/></default><worldbody><body name=\"a\"><joint name=\"x\"/>"
           "<geom size=\"0.1\"/></body></worldbody><equality><connect name=\"c\" body1=\"a\" anchor=\"0 0 "
           "1\"/></equality></mujoco>"),
      ElementsAre("LOOP NOT KEPT: line 1: connect c: is not active"));
}

// Half as wide and as deep as its first size says, as long as from end to end: 2 m of 0.2 m by 0.2 m, 1000 kg/m^3.
TEST(Mjcf, BoxesMayGoFromEndToEnd) {
  const std::string text = imported(
                               "<mujoco><worldbody><body name=\"a\"><joint name=\"x\"/>"
                               "<geom type=\"box\" size=\"0.1\" fromto=\"0 0 0 2 0 0\"/></body></worldbody></mujoco>")
                               .text;
  EXPECT_THAT(text, HasSubstr("mass: 80 kg"));
  EXPECT_THAT(text, HasSubstr("center: [1, 0, 0]"));
  EXPECT_THAT(text, HasSubstr("yy: 26.9333333333333, zz: 26.9333333333333}"));
}

TEST(Mjcf, TheMassOfAMeshThatIsNotReadIsNamed) {
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

TEST(Mjcf, AMassWithoutInertiaIsNamed) {
  EXPECT_THAT(lost("<mujoco><worldbody><body name=\"a\"><joint name=\"x\"/><inertial pos=\"1 0 0\" "
                   "mass=\"2\"/></body></worldbody></mujoco>"),
              ElementsAre("line 1: body a: has a mass, but no inertia: a mass at a point is taken"));
}

// --- URDF: an arm on a joint

const std::string inertial =
    "<inertial><origin xyz=\"0.5 0 0\"/><mass value=\"1\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" "
    "ixz=\"0\" iyz=\"0\"/></inertial>";

std::string urdf(const std::string& arm, const std::string& joint = "", const std::string& type = "continuous",
                 const std::string& more = "") {
  return "<robot name=\"r\"><link name=\"base\"/><link name=\"arm\">" + arm + "</link><joint name=\"j\" type=\"" +
         type + "\"><parent link=\"base\"/><child link=\"arm\"/><axis xyz=\"0 1 0\"/>" + joint + "</joint>" + more +
         "</robot>";
}

TEST(Urdf, NamesThatItDoesNotKnowAreListed) {
  EXPECT_THAT(lost(urdf(inertial)), IsEmpty());
  EXPECT_THAT(lost(urdf(inertial, "<limits lower=\"-1\" upper=\"1\"/><dynamics dampin=\"3\"/>")),
              ElementsAre("line 1: joint j: <limits> (did you mean 'limit'?)",
                          "line 1: dynamics: 'dampin' (did you mean 'damping'?)"));
  EXPECT_THAT(lost(urdf(inertial, "", "continuous", "<loops/>")),
              ElementsAre("line 1: robot r: <loops> (did you mean 'loop'?)"));
}

// Words of formulas and of YAML get an ending; units, keys and truths are names like others.
TEST(Urdf, NamesMayBeWordsOfOthers) {
  std::string xml = "<robot name=\"r\"><link name=\"world\"/>";
  for (const char* name : {"null", "ground", "quintic", "and", "pi", "t", "deg", "kg", "true", "bodies", "start", "if"})
    xml += fmt::format(
        "<link name=\"{0}\">{1}</link><joint name=\"{0}_j\" type=\"continuous\"><parent link=\"world\"/><child "
        "link=\"{0}\"/>"
        "</joint>",
        name, inertial);
  const Model model = read_model_text(imported(xml + "</robot>").text, "r.yaml");
  std::vector<std::string> names;
  for (const Body& body : model.bodies) names.push_back(body.name);
  EXPECT_THAT(names, ElementsAre("null_body", "ground_body", "quintic_body", "and_body", "pi_body", "t_body", "deg",
                                 "kg", "true", "bodies", "start", "if_body"));
}

TEST(Urdf, MacrosAreRefused) {
  EXPECT_THAT(problem(urdf(inertial, "", "continuous", "<xacro:leg side=\"left\"/>")),
              HasSubstr("this file has macros of xacro; write it out first: xacro FILE > robot.urdf"));
}

// Without a center of its own the mass is where the shape is.
TEST(Urdf, AMassWithoutInertiaIsSpreadOverTheShape) {
  const std::string box = "<visual><origin xyz=\"1 0 0\"/><geometry><box size=\"2 0.1 0.1\"/></geometry></visual>";
  const std::string spread = imported(urdf("<inertial><mass value=\"2\"/></inertial>" + box)).text;
  EXPECT_THAT(spread, HasSubstr("center: [1, 0, 0]"));
  EXPECT_THAT(spread, HasSubstr("yy: 0.668333333333333"));
  EXPECT_THAT(imported(urdf("<inertial><origin xyz=\"0.5 0 0\"/><mass value=\"2\"/></inertial>" + box)).text,
              HasSubstr("center: [0.5, 0, 0]"));
  EXPECT_THAT(
      lost(urdf("<inertial><mass value=\"2\"/></inertial><visual><geometry><mesh "
                "filename=\"gone.stl\"/></geometry></visual>")),
      ElementsAre("line 1: mesh: there is no file 'gone.stl'",
                  "line 1: link arm: has a mass, but neither an inertia nor a shape: a mass at a point is taken"));
}

// A capsule of radius 1/2 and length 1 between its centers: 2 kg; about an axis across, a cylinder and two half balls.
TEST(Urdf, ACapsuleIsNoCylinder) {
  const std::string text = imported(urdf("<inertial><mass value=\"2\"/></inertial><visual><geometry><capsule "
                                         "radius=\"0.5\" length=\"1\"/></geometry></visual>"))
                               .text;
  const double volume = 5.0 / 12, share = 2 / volume;  // in units of pi: 1/4 of the cylinder and 1/6 of the ball
  const double along = share * (0.25 / 8 + 1.0 / 6 * 0.4 * 0.25);
  EXPECT_THAT(text, HasSubstr(fmt::format("zz: {:.15g}", along)));
}

TEST(Urdf, SizesAndShapesAreRequiredOrListed) {
  EXPECT_THAT(problem(urdf(inertial + "<visual><geometry><box/></geometry></visual>")),
              HasSubstr("box: 'size' is missing"));
  EXPECT_THAT(lost(urdf(inertial + "<visual><geometry><cone/></geometry></visual>")),
              ElementsAre("line 1: link arm: the shape <cone>"));
}

TEST(Urdf, ElementsOfSeveralCoordinatesAreListed) {
  EXPECT_THAT(
      lost(urdf(inertial, "<dynamics damping=\"1\"/><limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/>",
                "planar")),
      ElementsAre("line 1: joint j: <dynamics> on several coordinates at once",
                  "line 1: joint j: <limit> on several coordinates at once"));
}

TEST(Urdf, LoopsHaveNamesOfTheirOwn) {
  EXPECT_THAT(problem(urdf(
                  inertial, "", "continuous",
                  "<loop name=\"j\" type=\"continuous\"><predecessor link=\"base\"/><successor link=\"arm\"/></loop>")),
              HasSubstr("loop j: another joint has this name"));
}

TEST(ClosedLoops, GiveMotorsThatKeepTheLimitsOfEffort) {
  const TemporaryFolder folder;
  std::ofstream(folder / "r.yaml") << "closed_loop: []\nname_mot: [j]\n";
  const ImportedModel result = import_robot(
      urdf(inertial, "<limit lower=\"-1\" upper=\"1\" effort=\"5\"/>", "revolute"), (folder / "r.urdf").string(), {});
  EXPECT_THAT(result.text, HasSubstr("clamp(j_motor_input, -5, 5)"));
  EXPECT_THAT(result.not_taken, IsEmpty());
}

TEST(ClosedLoops, HaveAsManyTypesAsPairs) {
  const TemporaryFolder folder;
  const auto found = [&](const char* beside) -> std::string {
    std::ofstream(folder / "r.yaml") << beside;
    try {
      import_robot(urdf(inertial), (folder / "r.urdf").string(), {});
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(found("closed_loop: [[arm, base]]\ntype: [3d, 6d]\n"),
              HasSubstr("r.yaml:2: type: has 2 entries, but closed_loop has 1"));
  EXPECT_THAT(found("closed_loop: [[arm, base]]\njoint_name: [j]\njoint_type: [SPHERICAL, SPHERICAL]\n"),
              HasSubstr("joint_type: has 2 entries, but joint_name has 1"));
}

// --- SDFormat: a bob on a hinge

std::string sdf(const std::string& model, const std::string& link = "", const std::string& axis = "",
                const std::string& joint = "", const std::string& type = "revolute") {
  return "<sdf version=\"1.9\"><model name=\"m\" " + model +
         "><link name=\"bob\"><pose>0 0 -1 0 0 0</pose><inertial><mass>2</mass></inertial>" + link +
         "</link><joint name=\"hinge\" type=\"" + type +
         "\"><parent>world</parent><child>bob</child><axis><xyz>0 1 0</xyz>" + axis + "</axis>" + joint +
         "</joint></model></sdf>";
}

TEST(Sdf, NamesThatItDoesNotKnowAreListed) {
  EXPECT_THAT(lost(sdf("")), IsEmpty());
  EXPECT_THAT(lost(sdf("", "<kinematic>true</kinematic><enable_wind>false</enable_wind><inertia/>")),
              ElementsAre("line 1: link bob: <kinematic>", "line 1: link bob: <inertia> (did you mean 'inertial'?)"));
  EXPECT_THAT(lost(sdf("", "", "<initial_position>0.4</initial_position>")),
              ElementsAre("line 1: axis: <initial_position>"));
}

TEST(Sdf, LimitsThatNothingObeysAreListed) {
  EXPECT_THAT(
      lost(sdf("", "", "<limit><lower>-1</lower><upper>1</upper><effort>3</effort><velocity>2</velocity></limit>")),
      ElementsAre("line 1: joint hinge: effort limit (3) is not supported",
                  "line 1: joint hinge: velocity limit (2) is not supported"));
  EXPECT_THAT(lost(sdf("", "", "<limit><effort>-1</effort><velocity>1e16</velocity></limit>")), IsEmpty());
  EXPECT_THAT(lost(sdf("", "", "<dynamics><damping>3</damping></dynamics>", "", "ball")),
              ElementsAre("line 1: joint hinge: dynamics and limits of three axes"));
  EXPECT_THAT(lost(sdf("", "", "", "<axis2><xyz>1 0 0</xyz></axis2>")), ElementsAre("line 1: joint hinge: <axis2>"));
  EXPECT_THAT(lost(sdf("", "<visual name=\"v\"><geometry><cone/></geometry></visual>")),
              ElementsAre("line 1: link bob: the shape <cone>"));
}

TEST(Sdf, AModelIsPlacedByItsPose) {
  EXPECT_THAT(problem(sdf("placement_frame=\"bob\"")),
              HasSubstr("model m: 'placement_frame' is not read; place the model by <pose>"));
}

// Joints and frames of the world: a pendulum on a frame, and a joint that closes a loop between two models.
TEST(Sdf, WorldsHaveJointsAndFrames) {
  const std::string arm = "<link name=\"l\"><inertial><mass>1</mass></inertial></link>";
  const ImportedModel result = imported(
      "<sdf version=\"1.10\"><world name=\"w\"><frame name=\"f\"><pose>2 0 0 0 0 0</pose></frame>"
      "<model name=\"a\"><pose relative_to=\"f\">0 0 1 0 0 0</pose>" +
      arm + "</model><model name=\"b\">" + arm +
      "</model>"
      "<joint name=\"first\" type=\"revolute\"><parent>f</parent><child>a</child><axis><xyz>0 1 0</xyz></axis></joint>"
      "<joint name=\"second\" type=\"revolute\"><parent>a::l</parent><child>b::l</child><axis><xyz>0 1 "
      "0</xyz></axis></joint>"
      "</world></sdf>");
  EXPECT_THAT(result.text, HasSubstr("first: {type: revolute, axis: y, between: [\"ground [2, 0, 1]\", a__l]}"));
  EXPECT_THAT(result.text, HasSubstr("second: {type: revolute, axis: y, between: [\"a__l [-2, 0, -1]\", b__l]}"));
  EXPECT_THAT(result.text, testing::Not(HasSubstr("free")));
  EXPECT_THAT(result.not_taken, IsEmpty());
}

TEST(Sdf, PluginsOfIncludesAreListed) {
  const TemporaryFolder folder;
  std::ofstream(folder / "arm.sdf") << sdf("");
  const ImportedModel result = import_robot(
      "<sdf version=\"1.9\"><world name=\"w\">\n<include><uri>arm.sdf</uri><plugin name=\"p\" "
      "filename=\"f\"/></include></world></sdf>",
      (folder / "w.sdf").string(), {});
  EXPECT_THAT(result.not_taken, Contains(HasSubstr("model m: <plugin>")));
}

}  // namespace
}  // namespace armature::internal::losses
