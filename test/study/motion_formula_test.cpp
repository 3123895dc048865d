// Numbers of a motion against closed forms.
#include <gmock/gmock.h>

#include <cmath>

#include "read/reader.hpp"
#include "study/motion_gradient.hpp"
#include "study/study.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

// x = amplitude cos(w t), one period of 2 s: w = pi.
const char* const one_period = R"(armature: 1
name: oscillator
gravity: [0, 0, 0]
parameters: {amplitude: 0.5 m, half: amplitude/2}
bodies: {mass: {mass: 1 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass], spring: {stiffness: pi^2}}}
start: {keep: {x: amplitude}}
simulate: {end: 2 s, rtol: 1e-11}
)";

// The numbers of formulas over the motion at a point.
class OfTheMotion : public testing::Test {
 protected:
  std::vector<double> numbers(const std::vector<std::string>& texts, const std::vector<std::string>& names = {},
                              const std::vector<double>& point = {}, double step = 0) {
    Model model = read_model_text(one_period);
    if (step > 0) model.simulate.integrator = "rk4", model.simulate.step = step;
    const Varied varied = vary(model, names);
    MotionFormulas formulas(varied.model, varied.parameters);
    for (const std::string& text : texts) formulas.add_number(text);
    const Study study(varied, formulas);
    StopFlag stop = false;
    StudyRun run(study, nullptr, stop);
    EXPECT_EQ(run.run(point), MotionStatus::finished) << run.sentence();
    return run.values();
  }

  std::string complaint(const std::string& text) {
    const Model model = read_model_text(one_period);
    MotionFormulas formulas(model, {});
    try {
      formulas.add_number(text);
    } catch (const FormulaError& error) {
      return error.what();
    }
    return "none";
  }
};

TEST_F(OfTheMotion, FunctionalsAreThoseOfACosine) {
  const auto value = numbers({"initial(x)", "final(x)", "at(x, 0.5)", "max(x)", "min(x)", "mean(x^2)", "integral(x)",
                              "max(x')", "first(x < 0)", "last(x < 0)", "first(x > 1)", "last(x > 1)", "turns(x)"});
  const double tolerance = 1e-9;  // 100 rtol
  EXPECT_NEAR(value[0], 0.5, 1e-15);
  EXPECT_NEAR(value[1], 0.5, tolerance);
  EXPECT_NEAR(value[2], 0, tolerance);
  EXPECT_NEAR(value[3], 0.5, tolerance);
  EXPECT_NEAR(value[4], -0.5, tolerance);  // between steps
  EXPECT_NEAR(value[5], 0.125, tolerance);
  EXPECT_NEAR(value[6], 0, tolerance);
  EXPECT_NEAR(value[7], 0.5 * M_PI, tolerance);
  EXPECT_NEAR(value[8], 0.5, tolerance);  // an event
  EXPECT_NEAR(value[9], 1.5, tolerance);
  EXPECT_EQ(value[10], INFINITY);
  EXPECT_EQ(value[11], 0);
  EXPECT_NEAR(value[12], 1 / (2 * M_PI), tolerance);
}

TEST_F(OfTheMotion, WindowsOfTimeCutTheMotion) {
  const auto value = numbers({"max(x, 0.8 s, 1.2 s)", "min(x, 0.8, 1.2)", "mean(x, 0, 0.5)", "integral(x, 0.25, 0.5)",
                              "first(x < 0, 1 s, 2 s)", "last(x < 0, 0 s, 1 s)", "turns(x, 0.5, 1)",
                              "first(x > 1, 1, 2)", "max(final(x), 1, half)", "max(x, 1.9, 2)"});
  const double tolerance = 1e-9;                                 // 100 rtol
  EXPECT_NEAR(value[0], 0.5 * std::cos(0.8 * M_PI), tolerance);  // at an end of the window
  EXPECT_NEAR(value[1], -0.5, tolerance);
  EXPECT_NEAR(value[2], 1 / M_PI, tolerance);
  EXPECT_NEAR(value[3], 0.5 / M_PI * (1 - std::sqrt(0.5)), tolerance);
  EXPECT_EQ(value[4], 1);
  EXPECT_EQ(value[5], 1);
  EXPECT_NEAR(value[6], 0.5 / (2 * M_PI), tolerance);
  EXPECT_EQ(value[7], INFINITY);
  EXPECT_EQ(value[8], 1);  // the ordinary function of three numbers
  EXPECT_NEAR(value[9], 0.5, tolerance);
}

// Conditions that hold for much less than a step.
TEST_F(OfTheMotion, ShortConditionsAreNotMissed) {
  const auto value = numbers({"first(sin(4000*t) > 0.999)", "mean(if(sin(2*pi*50.5*t) > 0, 1, 0))",
                              "last(mod(t, 0.3) < 1e-4)", "integral(mod(t, 0.05))"});
  EXPECT_NEAR(value[0], std::asin(0.999) / 4000, 1e-10);
  EXPECT_NEAR(value[1], 0.5, 1e-9);  // 101 periods
  EXPECT_NEAR(value[2], 1.8001, 1e-9);
  EXPECT_NEAR(value[3], 40 * 0.5 * 0.05 * 0.05, 1e-9);
}

// Fixed steps do not stop at a comparison; it is looked up at the samples, four to a step.
TEST_F(OfTheMotion, ComparisonsAreThoseOfTheSamplesWithFixedSteps) {
  const double step = 0.01;
  const auto value =
      numbers({"first(x < 0)", "last(x < 0)", "first(x > 1)", "first(x < -1)", "first(t > 0.503)"}, {}, {}, step);
  EXPECT_NEAR(value[0], 0.5, step / 4);
  EXPECT_NEAR(value[1], 1.5, step / 4);
  EXPECT_EQ(value[2], INFINITY);
  EXPECT_EQ(value[3], INFINITY);
  EXPECT_NEAR(value[4], 0.505, 1e-12);
}

// A rate has two names, as where start values are varied.
TEST_F(OfTheMotion, RatesAreNamedWithVOrAPrime) {
  const auto value = numbers({"max(x')", "max(x.v)", "min(2*x.v + 1)", "min(2*x' + 1)"});
  EXPECT_EQ(value[0], value[1]);
  EXPECT_EQ(value[2], value[3]);
  EXPECT_GT(value[0], 0);
  EXPECT_THAT(complaint("max(half.v)"), HasSubstr("unknown name 'half.v'"));
}

TEST_F(OfTheMotion, FormulasMixFunctionalsParametersAndFunctions) {
  const auto value = numbers({"max(max(x), 3)", "sqrt(mean(x^2))/half", "if(max(x) > 1, 1, -1)"});
  EXPECT_EQ(value[0], 3);
  EXPECT_NEAR(value[1], std::sqrt(0.125) / 0.25, 1e-9);
  EXPECT_EQ(value[2], -1);
}

TEST_F(OfTheMotion, VariedParametersReachTheMotionAndWhatFollowsFromThem) {
  const auto value = numbers({"max(x)", "half", "max(x)/half"}, {"amplitude"}, {2});
  EXPECT_NEAR(value[0], 2, 1e-9);
  EXPECT_EQ(value[1], 1);
  EXPECT_NEAR(value[2], 2, 1e-9);
}

TEST_F(OfTheMotion, StartValuesAndSpeedsCanBeVaried) {
  EXPECT_NEAR(numbers({"initial(x)"}, {"x"}, {0.25})[0], 0.25, 1e-14);
  for (const char* speed : {"x.v", "x'"})  // x = 0.5 cos + speed/w sin
    EXPECT_NEAR(numbers({"max(x)"}, {speed}, {M_PI})[0], std::hypot(0.5, 1), 1e-9) << speed;
}

TEST_F(OfTheMotion, AParameterThatShapesTheModelIsFound) {
  std::string text = one_period;
  text.replace(text.find("end: 2 s"), 8, "end: amplitude*4");
  const Varied varied = vary(read_model_text(text), {"amplitude"});
  MotionFormulas formulas(varied.model, varied.parameters);
  formulas.add_number("max(x)");
  const Study study(varied, formulas);
  const std::vector<double> point{1};
  EXPECT_THAT(study.differs_from(read_model_text(text, "model", {{"amplitude", "1"}}), point),
              HasSubstr("cannot be varied inside the compiled model: amplitude"));
  const Varied plain = vary(read_model_text(one_period), {"amplitude"});
  const Study other(plain, formulas);
  EXPECT_EQ(other.differs_from(read_model_text(one_period, "model", {{"amplitude", "1"}}), point), "");
}

// p = p(0) exp(-t), from half of the amplitude that is varied.
TEST_F(OfTheMotion, AStartOfAStateFollowsWhatIsVaried) {
  const Model model = read_model_text(std::string(one_period) + "states: {p: {rate: -p/(1 s), start: half}}\n");
  const Varied varied = vary(model, {"amplitude"});
  MotionFormulas formulas(varied.model, varied.parameters);
  formulas.add_number("final(p)");
  const Study study(varied, formulas);
  StopFlag stop = false;
  StudyRun run(study, nullptr, stop);
  for (const double amplitude : {0.5, 3.0}) {
    ASSERT_EQ(run.run(std::vector<double>{amplitude}), MotionStatus::finished) << run.sentence();
    EXPECT_NEAR(run.values()[0], amplitude / 2 * std::exp(-2), 1e-9);
  }
  ASSERT_EQ(GradientStudy::missing(study), "");
  const GradientStudy gradients(study, {1.0});
  GradientRun derivative(gradients, stop);
  ASSERT_EQ(derivative.run(std::vector<double>{0.5}), MotionStatus::finished);
  EXPECT_NEAR(derivative.gradients()(0, 0), std::exp(-2) / 2, 1e-9);
}

TEST_F(OfTheMotion, WrongFormulasAreRefusedWithASentence) {
  EXPECT_THAT(complaint("x"), HasSubstr("'x' changes during the motion"));
  EXPECT_THAT(complaint("max(y)"), HasSubstr("unknown name 'y'"));
  EXPECT_THAT(complaint("max(x) + amplitud"), HasSubstr("did you mean 'amplitude'?"));
  EXPECT_THAT(complaint("max(min(x))"), HasSubstr("min(…) cannot be used inside max(…)"));
  EXPECT_THAT(complaint("first(x)"), HasSubstr("first takes a condition"));
  EXPECT_THAT(complaint("max(x > 1)"), HasSubstr("max takes a number"));
  EXPECT_THAT(complaint("at(x)"), HasSubstr("at takes a formula and a time"));
  EXPECT_THAT(complaint("at(x, 3)"), HasSubstr("the motion lasts from 0 to 2 s"));
  EXPECT_THAT(complaint("mean(x, 1)"),
              HasSubstr("mean takes one formula, or one formula and two times: mean(x, 2 s, 3 s)"));
  EXPECT_THAT(complaint("max(x, 1.5, 1)"), HasSubstr("max(…, 1.5, 1): the second time must come after the first"));
  EXPECT_THAT(complaint("max(x, 1, 3)"), HasSubstr("the motion lasts from 0 to 2 s"));
  EXPECT_THAT(complaint("max(x, 1 m, 2 m)"), HasSubstr("expected a time, in s, not m"));
  EXPECT_THAT(complaint("max(x) > 1"), HasSubstr("is not a number"));
  EXPECT_THAT(complaint("max(x) + 1 s"), HasSubstr("adds"));
}

// A block that the pull V t does not move: friction F sign(x') balances it at every time, so that sign(x') is V t/F. One cell alone, and many in lanes.
TEST(MotionFormulas, OfWhatSticksAreFoundAtEveryTime) {
  const Model model = read_model_text(R"model(armature: 1
name: block held by friction
gravity: [0, 0, 0]
parameters: {F: 5 N, V: 2}
bodies: {block: {mass: 1 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, block]}}
forces: {friction: {type: effort, on: x, is: "-F*sign(x')"}, pull: {type: effort, on: x, is: V*t}}
simulate: {end: 2 s}
)model");
  const Varied varied = vary(model, {"V"});
  MotionFormulas formulas(varied.model, varied.parameters);
  for (const char* text : {"integral(sign(x'))", "integral(sign(x')^2)", "max(sign(x')*(2 - t))"})
    formulas.add_number(text);
  const Study study(varied, formulas);
  StopFlag stop = false;
  StudyRun run(study, nullptr, stop);
  ASSERT_EQ(run.run(std::vector<double>{2.0}), MotionStatus::finished) << run.sentence();
  EXPECT_NEAR(run.values()[0], 2 * 4 / (2 * 5.0), 1e-9);
  EXPECT_NEAR(run.values()[1], 4 * 8 / (3 * 25.0), 1e-9);
  EXPECT_NEAR(run.values()[2], 0.4, 1e-9);
}

}  // namespace
}  // namespace armature::internal
