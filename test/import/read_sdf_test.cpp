// SDFormat: worlds, models, includes.
#include <gmock/gmock.h>

#include <fstream>

#include "import/robot_texts.hpp"
#include "temporary_folder.hpp"

namespace armature::internal::imports {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

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

TEST(ReadSdf, LinksThatNothingHoldsMoveFreely) {
  const ImportedModel result = text(
      R"(<sdf version="1.9"><model name="m"><pose>0 0 2 0 0 0</pose><link name="a"><inertial><mass>1</mass></inertial></link>
    <link name="b"><pose>1 0 0 0 0 0</pose></link><joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>)");
  EXPECT_THAT(result.text, HasSubstr("  a_free: {type: free, between: [ground, a]}"));
  EXPECT_THAT(result.text, HasSubstr("  j: {type: revolute, axis: z, between: [\"a [1, 0, 0]\", b]}"));
  EXPECT_THAT(result.text, HasSubstr("  keep: {a: {at: [0, 0, 2], angle: 0}}"));
}

TEST(ReadSdf, LimitsThatNothingObeysAreListed) {
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

TEST(ReadSdf, AModelIsPlacedByItsPose) {
  EXPECT_THAT(problem(sdf("placement_frame=\"bob\"")),
              HasSubstr("model m: 'placement_frame' is not read; place the model by <pose>"));
}

// Joints and frames of the world: a pendulum on a frame, and a joint that closes a loop between two models.
TEST(ReadSdf, WorldsHaveJointsAndFrames) {
  const std::string arm = "<link name=\"l\"><inertial><mass>1</mass></inertial></link>";
  const ImportedModel result = text(
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

TEST(ReadSdf, PluginsOfIncludesAreListed) {
  const TemporaryFolder folder;
  std::ofstream(folder / "arm.sdf") << sdf("");
  const ImportedModel result = import_robot(
      "<sdf version=\"1.9\"><world name=\"w\">\n<include><uri>arm.sdf</uri><plugin name=\"p\" "
      "filename=\"f\"/></include></world></sdf>",
      (folder / "w.sdf").string(), {});
  EXPECT_THAT(result.not_taken, Contains(HasSubstr("model m: <plugin>")));
}

}  // namespace
}  // namespace armature::internal::imports
