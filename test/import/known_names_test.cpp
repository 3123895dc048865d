// Names that a format does not have are listed, with those that may have been meant.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "import/robot_texts.hpp"

namespace armature::internal::imports {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(KnownNames, OfMjcfListWhatItDoesNotHave) {
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

TEST(KnownNames, OfUrdfListWhatItDoesNotHave) {
  EXPECT_THAT(lost(urdf(inertial)), IsEmpty());
  EXPECT_THAT(lost(urdf(inertial, "<limits lower=\"-1\" upper=\"1\"/><dynamics dampin=\"3\"/>")),
              ElementsAre("line 1: joint j: <limits> (did you mean 'limit'?)",
                          "line 1: dynamics: 'dampin' (did you mean 'damping'?)"));
  EXPECT_THAT(lost(urdf(inertial, "", "continuous", "<loops/>")),
              ElementsAre("line 1: robot r: <loops> (did you mean 'loop'?)"));
}

TEST(KnownNames, OfSdfListWhatItDoesNotHave) {
  EXPECT_THAT(lost(sdf("")), IsEmpty());
  EXPECT_THAT(lost(sdf("", "<kinematic>true</kinematic><enable_wind>false</enable_wind><inertia/>")),
              ElementsAre("line 1: link bob: <kinematic>", "line 1: link bob: <inertia> (did you mean 'inertial'?)"));
  EXPECT_THAT(lost(sdf("", "", "<initial_position>0.4</initial_position>")),
              ElementsAre("line 1: axis: <initial_position>"));
}

// Words of formulas and of YAML get an ending; units, keys and truths are names like others.
TEST(KnownNames, NamesMayBeWordsOfOthers) {
  std::string xml = "<robot name=\"r\"><link name=\"world\"/>";
  for (const char* name : {"null", "ground", "quintic", "and", "pi", "t", "deg", "kg", "true", "bodies", "start", "if"})
    xml += fmt::format(
        "<link name=\"{0}\">{1}</link><joint name=\"{0}_j\" type=\"continuous\"><parent link=\"world\"/><child "
        "link=\"{0}\"/>"
        "</joint>",
        name, inertial);
  const Model model = read_model_text(text(xml + "</robot>").text, "r.yaml");
  std::vector<std::string> names;
  for (const Body& body : model.bodies) names.push_back(body.name);
  EXPECT_THAT(names, ElementsAre("null_body", "ground_body", "quintic_body", "and_body", "pi_body", "t_body", "deg",
                                 "kg", "true", "bodies", "start", "if_body"));
}

}  // namespace
}  // namespace armature::internal::imports
