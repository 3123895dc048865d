// Beams that bend further than the theory of small deflections holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// A plastic strip, clamped at one end, that gravity pulls down; rows at every millisecond.
std::string strip(const std::string& thickness, const std::string& more, const std::string& plane = "plane: xy\n") {
  return plane + "gravity: [0, -9.81, 0]\nbodies: {strip: {beam: {length: 1, section: {rectangle: [" + thickness +
         ", 20 mm]}, E: 2 GPa, nu: 0.3, rho: 1200, elements: 4, " + more +
         "}}}\njoints: {root: {type: fixed, between: [ground, strip]}}\nsimulate: {end: 1, record: 1 ms}\n";
}

double largest(const Simulation& run, const std::string& channel) {
  double largest = 0;
  for (double slope : run.column(channel)) largest = std::abs(slope) > std::abs(largest) ? slope : largest;
  return largest;
}

// The run's sentences about slopes; others tell of steps.
std::vector<std::string> about_slopes(const Simulation& run) {
  std::vector<std::string> sentences;
  for (const std::string& warning : run.outcome.warnings())
    if (warning.find("bends") != std::string::npos) sentences.push_back(warning);
  return sentences;
}

TEST(BeamSlopes, SaysWhereABeamBendsTooFar) {
  const Simulation run = simulated_text(strip("2 mm", "damping: {ratio: 0.05}"));
  const std::string begins =
      fmt::format("strip bends too far: its slope reaches {:.3g} rad at t = 1 s", largest(run, "strip.slope4"));
  EXPECT_THAT(about_slopes(run), ElementsAre(AllOf(StartsWith(begins), HasSubstr("shorter beams"))));
  EXPECT_THAT(about_slopes(simulated_text(strip("20 mm", "damping: {ratio: 0.05}"))), IsEmpty());
}

// A force Q at the tip of a cantilever, l = 1 and EI = 1: the linear theory deflects it by Q/3 and turns it by Q/2. Exact is the
// elastica, theta'' = -Q cos(theta) with theta(0) = theta'(1) = 0, solved by shooting: 0.0333 and 0.1924 at Q = 0.1 and 0.6.
TEST(BeamSlopes, EstimateTheErrorOfTheDeflection) {
  const auto bent = [](double force) {
    return simulated_text(
        fmt::format("plane: xy\ngravity: [0, 0, 0]\nbodies: {{rod: {{beam: {{length: 1, section: {{A: 1e-4, I_z: 1e-9, "
                    "I_y: 1e-9}}, E: "
                    "1e9, rho: 1000}}}}}}\njoints: {{root: {{type: fixed, between: [ground, rod]}}}}\nforces: {{push: "
                    "{{type: force, on: "
                    "\"rod [1, 0, 0]\", is: [0, {0}, 0]}}}}\nstart: {{keep: {{rod.w1: {1}, rod.slope1: {2}}}}}\n"
                    "simulate: {{end: 1e-6, record: 1e-6}}\n",
                    force, force / 3, force / 2));
  };
  EXPECT_NEAR(0.2 / 0.19235028 - 1, 16.0 / 35 * 0.3 * 0.3, 0.04 * 0.0412);  // exact, and the estimate: 3.98 and 4.11 %
  EXPECT_THAT(about_slopes(bent(0.6)), ElementsAre(AllOf(StartsWith("rod bends too far: its slope reaches 0.3 rad"),
                                                         HasSubstr("its deflection is too large by about 4.1 %"),
                                                         HasSubstr("into 3 shorter beams"))));
  EXPECT_THAT(about_slopes(bent(0.28)), IsEmpty());  // 0.9 %
}

// All modes together span what the nodes do, and a spatial beam bends as a planar one: the same slopes.
TEST(BeamSlopes, AreThoseOfModesAndOfSpatialBeams) {
  const Simulation nodes = simulated_text(strip("2 mm", "damping: {ratio: 0.05}"));
  const std::string reaches = fmt::format("reaches {:.3g} rad", largest(nodes, "strip.slope4"));
  for (const std::string& text : {strip("2 mm", "damping: {ratio: 0.05}, modes: 8"),
                                  strip("2 mm", "damping: {ratio: 0.05}, modes: {y: 8}", "")}) {
    const Simulation run = simulated_text(text);
    ASSERT_EQ(run.prepared.beams[0].slopes.size(), 9u);  // five nodes and four middles
    EXPECT_THAT(about_slopes(run), ElementsAre(HasSubstr(reaches)));
  }
}

}  // namespace
}  // namespace armature::internal
