// Results of signals that change much faster than the steps: what a rotor's angle is put into has closed forms. They are right for any number
// of periods, in runs, sweeps, maps and optimizations, on cards; or have no value, and say since when.
#include <gmock/gmock.h>

#include <bit>
#include <cmath>

#include "model/joint_components.hpp"
#include "read/reader.hpp"
#include "study/map.hpp"
#include "study/motion_results.hpp"
#include "study/optimization.hpp"
#include "study/row_results.hpp"
#include "study/sweep.hpp"
#include "support/host_device.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsNan;
using testing::SizeIs;

// turn = w t
Model rotor(double w = 314, double end = 10, const std::string& integrator = "dopri5") {
  Model model = read_model_text(R"(armature: 1
name: rotor
plane: xy
gravity: [0, 0, 0]
parameters: {w: 314 rad/s}
bodies: {rotor: {mass: 1, inertia: {zz: 1}, points: {rim: [0.1, 0, 0]}}}
joints: {turn: {type: revolute, between: [ground, rotor]}}
start: {speed: {turn: w}}
simulate: {end: 10 s, record: 0.1 s}
)",
                                "rotor", {{"w", std::to_string(w)}});
  model.simulate.end = end, model.simulate.integrator = integrator, model.simulate.step = 0.01;
  return model;
}

NamedNumbers results_of(const Model& model, const std::string& formula) {
  return MotionResults(model, {{"r", formula}}).compute({});
}

// x = w T, the angle at the end.
struct ClosedForm {
  const char* formula;
  double (*value)(double x);
};
const ClosedForm means[] = {
    {"mean(sin(turn)^2)", [](double x) { return 0.5 - std::sin(2 * x) / (4 * x); }},
    {"mean(cos(turn)^4)", [](double x) { return 0.375 + std::sin(2 * x) / (4 * x) + std::sin(4 * x) / (32 * x); }},
    {"mean(sin(turn)*cos(3.3*turn))",
     [](double x) { return ((1 - std::cos(4.3 * x)) / 4.3 - (1 - std::cos(2.3 * x)) / 2.3) / (2 * x); }},
    {"mean((rotor.rim.x/(0.1 m))^2)", [](double x) { return 0.5 + std::sin(2 * x) / (4 * x); }},
    {"mean(3 + sin(turn))", [](double x) { return 3 + (1 - std::cos(x)) / x; }}};

TEST(ResolvedResults, OfARotorAreRightForAnyNumberOfPeriods) {
  for (const auto& [w, end] : {std::pair{314.0, 1.0}, {314.0, 10.0}, {1000.0, 10.0}, {3.0, 600.0}, {1e4, 10.0}})
    for (const ClosedForm& mean : means) {
      const NamedNumbers results = results_of(rotor(w, end), mean.formula);
      EXPECT_NEAR(results.numbers[0].second, mean.value(w * end), 1e-6) << mean.formula << " " << w << " " << end;
      EXPECT_THAT(results.findings, IsEmpty());
    }
}

TEST(ResolvedResults, AreThoseOfAnyIntegrator) {
  for (const char* integrator : {"dop853", "rk4", "radau5", "cvode_bdf", "cvode_adams", "ida"})
    for (const ClosedForm& mean : means)
      EXPECT_NEAR(results_of(rotor(314, 10, integrator), mean.formula).numbers[0].second, mean.value(3140), 1e-6)
          << mean.formula << " " << integrator;
}

// sin(a)^2 with a = (30 t)^2: after 1/2, a Fresnel integral by its asymptotic series; the frequency grows to 18 000 rad/s.
TEST(ResolvedResults, FollowAFrequencyThatGrows) {
  const double a = 2 * 900, T = 10;
  const double fresnel = 0.5 * std::sqrt(M_PI / (2 * a)) + std::sin(a * T * T) / (2 * a * T);
  EXPECT_NEAR(results_of(rotor(30), "mean(sin(turn^2)^2)").numbers[0].second, 0.5 - fresnel / (2 * T), 1e-6);
}

// Tops of two frequencies, by samples of a common period of 20 pi at distances of 1e-5.
TEST(ResolvedResults, OfExtremesLookAtEveryPeriod) {
  double top = 0, bottom = 0;
  for (int k = 0; k < 6283186; ++k) {
    const double x = 1e-5 * k, y = std::sin(x) + 0.3 * std::sin(3.1 * x);
    top = std::max(top, y), bottom = std::min(bottom, y);
  }
  const Model model = rotor(1000);
  EXPECT_NEAR(results_of(model, "max(sin(turn) + 0.3*sin(3.1*turn))").numbers[0].second, top, 1e-8);
  EXPECT_NEAR(results_of(model, "min(sin(turn) + 0.3*sin(3.1*turn))").numbers[0].second, bottom, 1e-8);
  EXPECT_NEAR(results_of(model, "turns(2*pi*(sin(turn) + 0.3*sin(3.1*turn)))").numbers[0].second,
              std::max(top, -bottom), 1e-8);
  // a pulse between them, by samples around it
  double pulse = 0;
  for (int k = -100000; k <= 100000; ++k) {
    const double dt = 1e-8 * k;
    pulse = std::max(pulse, std::sin(1000 * (7.1234 + dt)) + 3 * std::exp(-std::pow(dt / 1e-4, 2)));
  }
  EXPECT_NEAR(results_of(model, "max(sin(turn) + 3*exp(-((t - 7.1234)/1e-4)^2))").numbers[0].second, pulse, 1e-7);
}

// Long silence, then a pulse; and what cancels altogether.
TEST(ResolvedResults, OfQuietSignalsAreFound) {
  const auto value = [](const std::string& formula) {
    const NamedNumbers results = results_of(rotor(), formula);
    EXPECT_THAT(results.findings, IsEmpty()) << formula;
    return results.numbers[0].second;
  };
  EXPECT_NEAR(value("integral(exp(-((t - 7.1234)/1e-4)^2))"), 1e-4 * std::sqrt(M_PI), 1e-10);
  EXPECT_NEAR(value("mean(turn - 314*t)"), 0, 1e-6);
  EXPECT_NEAR(value("max((turn - 314*t)^2)"), 0, 1e-9);
  EXPECT_EQ(value("integral(0*turn)"), 0);
  EXPECT_NEAR(value("mean(sqrt(sin(turn)^2))"), 2 / M_PI, 2e-4);  // half a period of 1000 is left over
}

TEST(ResolvedResults, OfWhatIsTooFastHaveNoValueAndSaySinceWhen) {
  for (const char* formula : {"sqrt(mean(cos(turn)^2))", "max(sin(turn) + 0.3*sin(3.1*turn))"}) {
    const NamedNumbers results = results_of(rotor(1e9), formula);
    EXPECT_THAT(results.numbers[0].second, IsNan()) << formula;
    ASSERT_THAT(results.findings, SizeIs(1)) << formula;
    EXPECT_THAT(results.findings[0].sentence,
                AllOf(HasSubstr(std::string("'") + formula + "' has no value: the signal inside m"),
                      HasSubstr("(…) is not resolved from t = "), HasSubstr("max_step")));
  }
}

TEST(ResolvedResults, OfPolesHaveNoValue) {
  for (const char* formula : {"integral(1/(t - 0.5123))", "mean(tan(turn))", "max(1/(t - 0.5123))"}) {
    const NamedNumbers results = results_of(rotor(1, 2), formula);
    EXPECT_THAT(results.numbers[0].second, IsNan()) << formula;
    ASSERT_THAT(results.findings, SizeIs(1)) << formula;
  }
  // a root of it can be integrated: 2 (sqrt(0.5123) + sqrt(2 - 0.5123))
  EXPECT_NEAR(results_of(rotor(1, 2), "integral(((t - 0.5123)^2)^0.25)").numbers[0].second,
              2.0 / 3 * (std::pow(0.5123, 1.5) + std::pow(1.4877, 1.5)), 1e-6);
}

SweepOptions swept_speeds(double from, double to) {
  SweepOptions options;
  options.over = {{"w", from, to, 5}};
  options.results = {{"m", "mean(sin(turn)^2)"}, {"i", "integral(cos(turn)^4)/(10 s)"}, {"top", "max(3*sin(turn))"}};
  return options;
}

TEST(ResolvedResults, OfSweepsAreThoseOfRunsInAnyLaneAndOnCards) {
  for (const double from : {3.0, 300.0}) {
    SweepOptions options = swept_speeds(from, from + 20);
    const auto swept = [&] {
      CellSession session({.threads = 2});
      return sweep_motions(rotor(), options, session);
    };
    const SweepResult found = swept();
    for (int cell = 0; cell < 5; ++cell) {
      const double x = 10 * (from + 5 * cell);
      EXPECT_NEAR(found.values[0][static_cast<std::size_t>(cell)], means[0].value(x), 1e-6);
      EXPECT_NEAR(found.values[1][static_cast<std::size_t>(cell)], means[1].value(x), 1e-6);
    }
    options.lanes = 1;
    const SweepResult alone = swept();
    options.cards = {.devices = {std::make_shared<HostDevice>(3)}, .helped = false};
    const SweepResult there = swept();
    for (std::size_t k = 0; k < found.values.size(); ++k)
      for (std::size_t cell = 0; cell < 5; ++cell) {
        const auto bits = std::bit_cast<std::uint64_t>(found.values[k][cell]);
        EXPECT_EQ(bits, std::bit_cast<std::uint64_t>(alone.values[k][cell]));
        EXPECT_EQ(bits, std::bit_cast<std::uint64_t>(there.values[k][cell]));
      }
    EXPECT_EQ(there.shares.left, from > 100 ? 5 : 0);  // long searches are the processor's
  }
}

TEST(ResolvedResults, OfMapsAndOptimizationsAreRight) {
  MapOptions map;
  map.over = {{"w", 300, 320, 5}};
  map.classify = "low: mean(sin(turn)^2) < 0.49; high";
  CellSession session({.threads = 2});
  EXPECT_THAT(map_motions(rotor(), map, session).motion_class, Each(1));
  OptimizationOptions options;
  options.over = {{"w", 300, 320, 0}};
  options.objective = "0 - mean(sin(turn)^2)";
  CellSession search({.threads = 1});
  const OptimizationResult result = optimize_motion(rotor(), options, search);
  ASSERT_NE(result.best(), nullptr);
  EXPECT_NEAR(result.best()->objective, -0.5, 1 / (4 * 3000.0));
}

TEST(ResolvedResults, OfAStudyThatHaveNoneAreCounted) {
  SweepOptions options;
  options.over = {{"w", 100, 1e9, 2}};
  options.results = {{"m", "mean(sin(turn)^2)"}};
  CellSession session({.threads = 2});
  const SweepResult found = sweep_motions(rotor(), options, session);
  EXPECT_NEAR(found.values[0][0], means[0].value(1000), 1e-6);
  EXPECT_THAT(found.values[0][1], IsNan());
  ASSERT_THAT(found.warnings.kinds, SizeIs(1));
  EXPECT_EQ(found.warnings.kinds[0].code, "undefined");
  EXPECT_THAT(found.warnings.kinds[0].sentence, HasSubstr("is not resolved from t = "));
}

// What never holds held last where it is looked for first.
TEST(ResolvedResults, OfAConditionThatNeverHoldsAreTheStart) {
  const Model model = rotor(1);
  EXPECT_EQ(results_of(model, "last(turn < 0, 2.5, 3)").numbers[0].second, 2.5);
  EXPECT_EQ(results_of(model, "last(turn > 20)").numbers[0].second, 0);
  EXPECT_EQ(results_of(model, "first(turn < 0, 2.5, 3)").numbers[0].second, INFINITY);
  EXPECT_NEAR(results_of(model, "last(turn < 2.7, 2.5, 3)").numbers[0].second, 2.7, 1e-9);
  Functional last{{Functional::Kind::last, 0}};
  EXPECT_EQ(value_of_rows(last, {0, 1, 2, 3}, {0, 0, 0, 0}), 0);
  last.from = 1.5, last.to = 2.5;
  EXPECT_EQ(value_of_rows(last, {0, 1, 2, 3}, {0, 0, 0, 0}), 1.5);
}

// Shipped machines over their first fifth of a second: what is located agrees with rows that lie close together.
TEST(ResolvedResults, OfShippedMachinesAreThoseOfRowsThatLieClose) {
  constexpr double end = 0.2, apart = 1e-5;
  for (const char* name : {"four_bar", "crane", "press", "slider_crank", "pendulum", "lead_screw", "two_joint_arm"}) {
    Model model = shipped(name);
    model.simulate.end = end, model.simulate.record = apart, model.simulate.rtol = 1e-10;
    const Simulation run = simulated(model);
    const std::vector<double> t = run.column("t");
    const std::string q = coordinate_names(model).at(0);
    std::vector<double> y = run.column(q), square, above;
    const auto [least, most] = std::ranges::minmax(y);
    const double middle = 0.5 * (least + most), size = std::max(std::abs(least), std::abs(most));
    for (const double x : y) square.push_back(x * x), above.push_back(x > middle ? 1 : 0);
    using Kind = Functional::Kind;
    const std::string limit = std::to_string(middle);
    for (const auto& [kind, formula, rows, tolerance] :
         {std::tuple{Kind::max, "max(" + q + ")", &y, 1e-7 * size},
          {Kind::min, "min(" + q + ")", &y, 1e-7 * size},
          {Kind::integral, "integral(" + q + ")", &y, 1e-7 * size},
          {Kind::mean, "mean(" + q + ")", &y, 1e-7 * size},
          {Kind::mean, "mean((" + q + ")^2)", &square, 1e-7 * size * size},
          {Kind::first, "first(" + q + " > " + limit + ")", &above, 0.0},
          {Kind::last, "last(" + q + " > " + limit + ")", &above, 0.0}}) {
      const double found = results_of(model, formula).numbers[0].second;
      const double by_rows = value_of_rows(Functional{{kind, 0}}, t, *rows);
      // the limit has six digits
      const double near = tolerance > 0 ? tolerance : 2 * apart + 1e-6 * end / std::max(1e-9, most - least);
      EXPECT_NEAR(found, by_rows, near) << name << " " << formula;
    }
  }
}

}  // namespace
}  // namespace armature::internal
