// Actuators of MJCF.
#include <gmock/gmock.h>

#include "import/robot_texts.hpp"

namespace armature::internal::imports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(MjcfActuators, ADcMotorIsADcMotor) {
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

TEST(MjcfActuators, ForcesKeepTheNarrowerOfTwoRanges) {
  const auto force = [](const std::string& motors) {
    return text(
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

// A class has one default actuator, whichever element speaks of it.
TEST(MjcfActuators, ActuatorsShareTheirDefaults) {
  const std::string model = text(
                                "<mujoco><default><motor ctrlrange=\"-3 3\" gear=\"7\"/></default><worldbody><body "
                                "name=\"a\"><joint name=\"x\"/>"
                                "<geom size=\"0.1\"/></body></worldbody><actuator><velocity name=\"m\" joint=\"x\" "
                                "kv=\"5\"/></actuator></mujoco>")
                                .text;
  EXPECT_THAT(model, HasSubstr("clamp(m_input, -3, 3)"));
  EXPECT_THAT(model, HasSubstr("7*"));
}

// gear * clamp(kp (u - l) - kv l'), l = gear times the angle.
TEST(MjcfActuators, AServoIsItsLaw) {
  const std::string robot =
      "<mujoco><compiler angle=\"radian\"/><worldbody><body name=\"a\"><joint name=\"x\" axis=\"0 1 0\"/>"
      "<inertial pos=\"1 0 0\" mass=\"1\" diaginertia=\"0.1 0.1 0.1\"/></body></worldbody>"
      "<actuator><ACTUATOR name=\"m\" joint=\"x\" gear=\"2\"/></actuator></mujoco>";
  const auto with = [&](const std::string& actuator) {
    std::string xml = robot;
    return xml.replace(xml.find("ACTUATOR"), 8, actuator);
  };
  const std::string own =
      "gravity: [0, 0, -9.81]\nbodies: {a: {mass: 1, center: [1, 0, 0], inertia: {yy: 0.1}}}\n"
      "joints: {x: {type: revolute, axis: y, between: [ground, a]}}\nforces: {f: {type: effort, on: x, is: \"";
  expect_same(with("position kp=\"3\" kv=\"0.5\""), own + "2*(-3*2*x - 0.5*2*x')\"}}\n");
  expect_same(with("velocity kv=\"0.7\""), own + "2*(-0.7*2*x')\"}}\n");
}

}  // namespace
}  // namespace armature::internal::imports
