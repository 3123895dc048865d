#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using testing::Not;

class DrawVerb : public Program {
 protected:
  DrawVerb() { write("pendulum.yaml", pendulum); }
};

TEST_F(DrawVerb, ShowsTheStartOfAModel) {
  const Answer answer = armature("draw pendulum.yaml -o a.svg");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.out, "a.svg\n");
  const std::string svg = read("a.svg");
  EXPECT_THAT(svg, HasSubstr("class=\"pin\""));
  EXPECT_THAT(svg, HasSubstr("class=\"ground\""));
  EXPECT_THAT(svg, Not(HasSubstr("</text>")));
}

TEST_F(DrawVerb, ShowsTimesOfAModelAndOfARunAlike) {
  ASSERT_EQ(armature("run pendulum.yaml --no-report --end 1 --set simulate.record=1e-3 -o run").code, 0);
  ASSERT_EQ(armature("draw run -o a.svg --at 0,0.5").code, 0);
  ASSERT_EQ(armature("draw pendulum.yaml -o b.svg --at 0,0.5").code, 0);
  EXPECT_EQ(read("a.svg"), read("b.svg"));
  EXPECT_THAT(read("a.svg"), HasSubstr(">0.5 s</text>"));
}

TEST_F(DrawVerb, WritesPngAndPdf) {
  EXPECT_EQ(armature("draw pendulum.yaml -o a.png --dpi 60 --names --centers --frames").code, 0);
  EXPECT_EQ(armature("draw pendulum.yaml -o a.pdf --title 'a pendulum'").code, 0);
  EXPECT_THAT(read("a.png").substr(1, 3), "PNG");
  EXPECT_THAT(read("a.pdf").substr(0, 5), "%PDF-");
}

TEST_F(DrawVerb, SaysWhatDoesNotExist) {
  ASSERT_EQ(armature("run pendulum.yaml --no-report --end 1 -o run").code, 0);
  EXPECT_THAT(armature("draw run -o a.svg --at 3").err, HasSubstr("there is nothing at 3 s"));
  EXPECT_EQ(armature("draw run -o a.svg --set length=2").err, "run: is a run; --set and --branch belong to a model\n");
  EXPECT_EQ(armature("draw pendulum.yaml -o a.svg --view behind").err,
            "there is no view 'behind'; expected front, top, side or iso\n");
  EXPECT_THAT(armature("draw pendulum.yaml -o a.bmp").err, HasSubstr("a figure ends in .svg, .png or .pdf"));
  EXPECT_THAT(armature("draw nothing.yaml -o a.svg").err, HasSubstr("nothing.yaml"));
  EXPECT_FALSE(exists("a.svg"));
}

}  // namespace
}  // namespace armature::internal
