// Whether beams have enough elements for the way they are held.
#include "prepare/beam_elements.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "read/reader.hpp"

namespace armature::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> warnings_of_text(const std::string& text) {
  return warnings_among(
      beam_element_findings(read_model_text("armature: 1\nplane: xy\ngravity: [0, -9.81, 0]\n" + text)));
}

std::string thin_link(const std::string& more) {
  return "{beam: {length: 0.5, section: {rectangle: [3 mm, 30 mm]}, E: 71 GPa, rho: 2712" + more + "}}";
}

std::string elastic_four_bar(const std::string& more) {
  return "bodies:\n  crank: {mass: 1, inertia: {zz: 0.1}}\n  rocker: {mass: 1, inertia: {zz: 0.1}}\n  link: " +
         thin_link(more) +
         R"(
joints:
  a: {type: revolute, between: [ground, crank]}
  b: {type: revolute, between: ["crank [0.2, 0, 0]", link]}
  c: {type: revolute, between: ["link [0.5, 0, 0]", "rocker [0.4, 0, 0]"]}
  d: {type: revolute, between: ["ground [0.5, 0, 0]", rocker]}
)";
}

// One cubic element pinned at both ends: sqrt(120)/pi^2 = 1.1099; two: 1.0039 (Gavin, consistent masses).
TEST(BeamElements, OfACouplerAreTwo) {
  const std::string sentence =
      "link: with elements: 1, and supported by its joints, its first bending frequency is 11 % too high; elements: "
      "2 "
      "brings the error below 1 %";
  EXPECT_THAT(warnings_of_text(elastic_four_bar("")), ElementsAre(sentence));
  EXPECT_THAT(warnings_of_text(elastic_four_bar(", frame: chord")), ElementsAre(sentence));
  EXPECT_THAT(warnings_of_text(elastic_four_bar(", elements: 2")), IsEmpty());
  EXPECT_THAT(warnings_of_text(elastic_four_bar(", modes: 1, frame: chord")), IsEmpty());  // just this mode
}

// Clamped at one end, one element is 0.5 % off; a load at its tip hangs on the beam and holds nothing.
TEST(BeamElements, OfACantileverIsOne) {
  const std::string load = "bodies:\n  load: {mass: 0.2, inertia: none}\n  link: " + thin_link("") +
                           "\njoints:\n  root: {type: ROOT, between: [ground, link]}\n"
                           "  tip: {type: fixed, between: [\"link [0.5, 0, 0]\", load]}\n";
  const auto rooted = [&](const std::string& type) {
    std::string text = load;
    return text.replace(text.find("ROOT"), 4, type);
  };
  EXPECT_THAT(warnings_of_text(rooted("fixed")), IsEmpty());
  EXPECT_THAT(warnings_of_text(rooted("revolute")).size(), 1u);  // swings freely
  EXPECT_THAT(warnings_of_text(rooted("revolute") + "forces: {drive: {type: effort, on: root, is: 1}}\n"), IsEmpty());
}

TEST(BeamElements, SayWhereABeamCannotBendAtAll) {
  EXPECT_THAT(warnings_of_text("bodies:\n  link: " + thin_link("") +
                               "\njoints:\n  a: {type: fixed, between: [ground, link]}\n"
                               "  b: {type: fixed, between: [\"link [0.5, 0, 0]\", \"ground [0.5, 0, 0]\"]}\n"),
              ElementsAre("link: with elements: 1, and supported by its joints, it cannot bend; elements: 3 brings the "
                          "error below 1 %"));
}

// Beams fixed to each other make one link.
TEST(BeamElements, OfALinkOfSeveralBeamsAreNotJudged) {
  EXPECT_THAT(warnings_of_text("bodies:\n  one: " + thin_link("") + "\n  two: " + thin_link("") +
                               "\njoints:\n  a: {type: revolute, between: [ground, one]}\n"
                               "  b: {type: fixed, between: [\"one [0.5, 0, 0]\", two]}\n"
                               "  c: {type: revolute, between: [\"two [0.5, 0, 0]\", \"ground [1, 0, 0]\"]}\n"),
              IsEmpty());
}

}  // namespace
}  // namespace armature::internal
