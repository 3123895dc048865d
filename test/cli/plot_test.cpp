#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using testing::Not;

class Plot : public Program {
 protected:
  Plot() {
    write("pendulum.yaml", pendulum);
    armature("run pendulum.yaml --no-report -o first");
    armature("run pendulum.yaml --no-report --rtol 1e-3 -o second");
  }
  int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};

TEST_F(Plot, DrawsTheCoordinatesIfNothingIsAskedFor) {
  const Answer answer = armature("plot first -o a.svg");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.out, "a.svg\n");
  const std::string svg = read("a.svg");
  EXPECT_THAT(svg, HasSubstr(">theta (rad)</text>"));
  EXPECT_THAT(svg, HasSubstr(">t (s)</text>"));
  EXPECT_THAT(svg, Not(HasSubstr("energy")));
}

TEST_F(Plot, PutsUnitsIntoPanels) {
  ASSERT_EQ(armature("plot first -o a.svg --channels theta,\"theta'\",'energy.*'").code, 0);
  const std::string svg = read("a.svg");
  EXPECT_EQ(count(svg, "<clipPath"), 3);
  EXPECT_THAT(svg, HasSubstr(">energy.kinetic</text>"));
  EXPECT_THAT(svg, HasSubstr(">energy (J)</text>"));
}

TEST_F(Plot, DrawsSeveralRunsOnTopOfEachOther) {
  ASSERT_EQ(armature("plot first second/ -o a.svg --channels energy.error --log").code, 0);
  const std::string svg = read("a.svg");
  EXPECT_THAT(svg, HasSubstr(">first</text>"));
  EXPECT_THAT(svg, HasSubstr(">second</text>"));
  EXPECT_THAT(svg, HasSubstr(">|energy.error| (J)</text>"));
  // one run that lies on the other hides nothing of it
  ASSERT_EQ(armature("plot first -o one.svg --channels theta").code, 0);
  ASSERT_EQ(armature("plot first second/ -o two.svg --channels theta").code, 0);
  EXPECT_EQ(count(read("two.svg"), "stroke-dasharray"),
            count(read("one.svg"), "stroke-dasharray") + 2);  // curve and legend
}

TEST_F(Plot, WritesPngAndPdf) {
  EXPECT_EQ(armature("plot first -o a.png --dpi 100 --width 80").code, 0);
  EXPECT_EQ(armature("plot first -o a.pdf").code, 0);
  EXPECT_THAT(read("a.png").substr(1, 3), "PNG");
  EXPECT_THAT(read("a.pdf").substr(0, 5), "%PDF-");
}

TEST_F(Plot, SaysWhatDoesNotExist) {
  EXPECT_EQ(armature("plot first -o a.svg --channels thta").err,
            "first/trajectory.csv: there is no channel 'thta' (did you mean 'theta'?)\n");
  EXPECT_EQ(armature("plot first -o a.svg --x time").code, 2);
  EXPECT_THAT(armature("plot none -o a.svg").err, HasSubstr("none: there is no such run"));
  EXPECT_THAT(armature("plot first -o a.gif").err, HasSubstr("a figure ends in .svg, .png or .pdf"));
  EXPECT_EQ(armature("plot first -o a.svg --from 2 --to 1").err, "--from must be less than --to\n");
  EXPECT_EQ(armature("plot first").code, 2);
  EXPECT_EQ(armature("plot . -o a.svg").err, ".: is not the results folder of a run: it has no run.json\n");
  write("bad.json", "{\"armature\":");
  EXPECT_EQ(armature("plot bad.json -o a.svg").err,
            "bad.json: is not a run: it is not JSON from line 1, column 13 on\n");
  write("bad.json", "{}");
  EXPECT_EQ(armature("plot bad.json -o a.svg").err, "bad.json: is not a run: key 'armature' not found\n");
}

TEST_F(Plot, DrawsNoEmptyFigure) {
  const Answer late = armature("plot first -o a.svg --from 1e6");
  EXPECT_EQ(late.code, 2);
  EXPECT_THAT(late.err, HasSubstr("first/trajectory.csv: t goes from 0 to "));
  EXPECT_THAT(late.err, HasSubstr("; there is nothing after --from 1e+06\n"));
  EXPECT_THAT(armature("plot first -o a.svg --to -1").err, HasSubstr("there is nothing before --to -1\n"));
  EXPECT_FALSE(exists("a.svg"));
}

}  // namespace
}  // namespace armature::internal
