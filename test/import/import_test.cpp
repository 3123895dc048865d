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

ImportedModel text(const std::string& xml) { return import_robot(xml, "r.xml", {}); }

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

}  // namespace
}  // namespace armature::internal
