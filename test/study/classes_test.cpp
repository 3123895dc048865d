#include "study/classes.hpp"

#include <gmock/gmock.h>

#include "read/reader.hpp"
#include "study/study.hpp"

namespace armature::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr double infinite = std::numeric_limits<double>::infinity();

// x = cos t over 100 s
const char* const long_oscillation = R"(armature: 1
name: oscillator
gravity: [0, 0, 0]
parameters: {limit: 0.5}
bodies: {mass: {mass: 1 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass], spring: {stiffness: 1}}}
start: {keep: {x: 1}}
simulate: {end: 100 s, rtol: 1e-9}
)";

class ClassesOf : public testing::Test {
 protected:
  Classes classes(const std::string& text) { return Classes(text, formulas); }
  std::optional<int> decided(const Classes& all, std::vector<Interval> functionals) {
    return all.decided(functionals, {});
  }

  const Model model = read_model_text(long_oscillation);
  MotionFormulas formulas{model, {}};
};

TEST_F(ClassesOf, TheFirstConditionThatHoldsIsTaken) {
  const Classes all = classes("a: max(x) > 1; b: min(x) < 0; c");
  EXPECT_THAT(all.names(), ElementsAre("a", "b", "c"));
  EXPECT_EQ(all.of({1, 1}), 0);
  EXPECT_EQ(all.of({0, 1}), 1);
  EXPECT_EQ(all.of({0, 0}), 2);
  EXPECT_THAT(classes("a: max(x) > 1").names(), ElementsAre("a", "other"));
}

TEST_F(ClassesOf, AreDecidedOnceNothingCanChangeThem) {
  const Classes all = classes("a: max(x) > 2*limit; b: final(x) > 0; c");
  EXPECT_EQ(decided(all, {{0, infinite}, {}}), std::nullopt);
  EXPECT_EQ(decided(all, {{1, infinite}, {}}), std::nullopt);  // may still become more
  EXPECT_EQ(decided(all, {{1.01, infinite}, {}}), 0);
  EXPECT_EQ(decided(all, {{0, 0.9}, {0.1, 0.1}}), 1);
  EXPECT_EQ(decided(all, {{0, 0.9}, {-1, 0}}), 2);
}

TEST_F(ClassesOf, LogicAndArithmeticOfBounds) {
  const Classes both = classes("a: max(x) > 1 and min(x) < 0; c");
  EXPECT_EQ(decided(both, {{2, infinite}, {-infinite, 1}}), std::nullopt);
  EXPECT_EQ(decided(both, {{2, infinite}, {-infinite, -1}}), 0);
  EXPECT_EQ(decided(both, {{0, 1}, {}}), 1);
  const Classes either = classes("a: max(x) > 1 or not (min(x) < 0); c");
  EXPECT_EQ(decided(either, {{}, {}, {2, infinite}, {}}), 0);
  EXPECT_EQ(decided(either, {{}, {}, {0, 1}, {-3, -1}}), 1);
  const Classes sums = classes("a: -2*max(x)/4 + abs(min(x)) < 1; c");
  EXPECT_EQ(decided(sums, {{}, {}, {}, {}, {1, 2}, {-0.5, 0.25}}), 0);               // at most -0.5 + 0.5
  EXPECT_EQ(decided(sums, {{}, {}, {}, {}, {1, 2}, {-1.75, -1.75}}), std::nullopt);  // from 0.75 to 1.25
  EXPECT_EQ(decided(sums, {{}, {}, {}, {}, {1, 2}, {-3, -3}}), 1);
}

TEST_F(ClassesOf, EndTheMotionEarly) {
  const Varied varied = vary(model, {});
  MotionFormulas own(varied.model, {});
  const Classes all("back: min(x) < -limit; no", own);
  const Study study(varied, own);
  StopFlag stop = false;
  StudyRun run(study, &all, stop);
  ASSERT_EQ(run.run({}), MotionStatus::finished);
  EXPECT_EQ(run.motion_class(), 0);
  EXPECT_GT(run.t(), 2.09);  // cos t = -1/2
  EXPECT_LT(run.t(), 4);
}

TEST_F(ClassesOf, RefusesWhatIsNoClass) {
  const auto complaint = [&](const std::string& text, const std::string& sentence) {
    EXPECT_THAT([&] { Classes(text, formulas); }, ThrowsMessage<FormulaError>(HasSubstr(sentence))) << text;
  };
  complaint("", "expected classes");
  complaint("a", "expected classes");
  complaint("a; b: max(x) > 1", "'a' has no condition");
  complaint("a: max(x) > 1; a: max(x) > 2", "two classes 'a'");
  complaint("a: max(x)", "is a number, not a condition");
}

}  // namespace
}  // namespace armature::internal
