// A formula over a motion whose signal is not a number on the way has no value, and the sentence names the time. In runs, sweeps, maps and
// optimizations, for any number of lanes, on cards, and of rows.
#include "study/undefined_results.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>

#include "read/reader.hpp"
#include "study/map.hpp"
#include "study/motion_results.hpp"
#include "study/optimization.hpp"
#include "study/row_results.hpp"
#include "study/sweep.hpp"
#include "support/host_device.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsNan;
using testing::SizeIs;

// x = cos t
Model cosine() {
  return read_model_text(R"(armature: 1
name: oscillator
gravity: [0, 0, 0]
parameters: {last: 0.5}
bodies: {mass: {mass: 1 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass], spring: {stiffness: 1}}}
start: {keep: {x: 1}}
simulate: {end: 2 s}
)");
}

std::vector<std::uint64_t> all_bits(const std::vector<double>& numbers) {
  std::vector<std::uint64_t> bits;
  for (const double number : numbers) bits.push_back(std::bit_cast<std::uint64_t>(number));
  return bits;
}

NamedNumbers numbers_of(const std::string& formula) {
  const Model model = cosine();
  return MotionResults(model, {{"r", formula}}).compute({});
}

TEST(UndefinedResults, OfARunAreNotNumbersAndSayWhen) {
  for (const char* formula :
       {"max(sqrt(last - t))", "min(sqrt(last - t))", "mean(sqrt(last - t))", "integral(sqrt(last - t))",
        "turns(sqrt(last - t))", "final(sqrt(last - t))", "at(sqrt(last - t), 1)", "max(sqrt(last - t), 0.2, 1)",
        "first(sqrt(last - t) > 9)", "last(sqrt(last - t) > 0.1)", "max(if(sqrt(last - t) > 0.1, 1, 0))",
        "max(min(x, sqrt(last - t)))", "if(max(sqrt(last - t)) > 0.1, 1, 0)", "2*max(x) + min(log(last - t))"}) {
    const NamedNumbers results = numbers_of(formula);
    EXPECT_THAT(results.numbers[0].second, IsNan()) << formula;
    ASSERT_THAT(results.findings, SizeIs(1)) << formula;
    EXPECT_THAT(results.findings[0].sentence, AllOf(HasSubstr(std::string("result r: '") + formula + "' has no value"),
                                                    HasSubstr("is not a number at t = ")));
  }
  const NamedNumbers root = numbers_of("sqrt(min(x))");
  EXPECT_THAT(root.numbers[0].second, IsNan());
  EXPECT_THAT(warnings_among(root.findings),
              ElementsAre("result r: 'sqrt(min(x))' has no value: it is not a number for this motion"));
}

TEST(UndefinedResults, TimesAreThoseOfTheSignal) {
  const std::string warning = numbers_of("final(sqrt(last - t))").findings.at(0).sentence;
  EXPECT_EQ(warning,
            "result r: 'final(sqrt(last - t))' has no value: the signal inside final(…) is not a number at t = 2 s");
  // the sample at which it was met: not before it is undefined, and not a step later
  const std::string late = numbers_of("max(sqrt(last - t))").findings.at(0).sentence;
  const double t = std::stod(late.substr(late.rfind("t = ") + 4));
  EXPECT_GT(t, 0.5);
  EXPECT_LT(t, 1);
}

// A window that ends before, a branch that is not taken, a time that never comes.
TEST(UndefinedResults, AreOnlyThoseThatLookThere) {
  for (const auto& [formula, value] : {std::pair{"max(sqrt(last - t), 0, 0.4)", std::sqrt(0.5)},
                                       {"initial(sqrt(last - t))", std::sqrt(0.5)},
                                       {"at(sqrt(last - t), 0.25)", 0.5},
                                       {"max(if(t < last, sqrt(last - t), 0.1))", std::sqrt(0.5)},
                                       {"max(if(t < last, if(sqrt(last - t) > 0.1, 1, 0), 0))", 1.0},
                                       {"if(first(x > 2) < first(x > 3), 1, 0)", 0.0},
                                       {"if(first(x > 2) >= first(x > 3), 1, 0)", 1.0}}) {
    const NamedNumbers results = numbers_of(formula);
    EXPECT_NEAR(results.numbers[0].second, value, 1e-9) << formula;
    EXPECT_THAT(results.findings, IsEmpty()) << formula;
  }
}

SweepOptions swept_roots() {
  SweepOptions options;
  options.over = {{"last", 0.5, 3, 6}};
  options.results = {{"top", "max(sqrt(last - t))"}, {"late", "last(sqrt(last - t) > 0.1)"}, {"end", "final(x)"}};
  return options;
}

TEST(UndefinedResults, OfASweepAreCountedAndHaveTheSameBitsInAnyLane) {
  const Model model = cosine();
  SweepOptions options = swept_roots();
  const auto swept = [&](int lanes) {
    options.lanes = lanes;
    CellSession session({.threads = 2});
    return sweep_motions(model, options, session);
  };
  const SweepResult alone = swept(1);
  EXPECT_THAT(alone.values[0][0], IsNan());
  EXPECT_THAT(alone.values[1][0], IsNan());
  EXPECT_NEAR(alone.values[0][5], std::sqrt(3), 1e-9);  // last = 3 s: after the end
  EXPECT_NEAR(alone.values[2][0], std::cos(2), 1e-5);   // other results of the same motion are as ever
  ASSERT_THAT(alone.warnings.kinds, SizeIs(1));
  EXPECT_EQ(alone.warnings.kinds[0].code, "undefined");
  EXPECT_EQ(alone.warnings.count, 3);  // last = 0.5, 1, 1.5 s; at 2 s the motion ends
  EXPECT_THAT(alone.warnings.kinds[0].sentence, HasSubstr("'max(sqrt(last - t))' has no value"));
  for (const int lanes : {2, 8}) {
    const SweepResult beside = swept(lanes);
    for (std::size_t k = 0; k < alone.values.size(); ++k)
      EXPECT_EQ(all_bits(alone.values[k]), all_bits(beside.values[k])) << lanes;
    EXPECT_EQ(all_bits(alone.warning_bits), all_bits(beside.warning_bits)) << lanes;
  }
}

TEST(UndefinedResults, OfACardAreThoseOfTheProcessor) {
  const Model model = cosine();
  SweepOptions options;
  options.over = {{"last", 0.5, 3, 6}};
  options.results = {{"end", "final(sqrt(last - t))"}, {"widest", "max(x)"}, {"root", "sqrt(final(x))"}};
  const auto swept = [&] {
    CellSession session({.threads = 2});
    return sweep_motions(model, options, session);
  };
  const SweepResult here = swept();
  options.cards = {.devices = {std::make_shared<HostDevice>(3)}, .helped = false};
  const SweepResult there = swept();
  for (std::size_t k = 0; k < here.values.size(); ++k)
    for (std::size_t cell = 0; cell < 6; ++cell)
      EXPECT_EQ(std::isnan(here.values[k][cell]), std::isnan(there.values[k][cell])) << k << " " << cell;
  EXPECT_EQ(all_bits(here.values[1]), all_bits(there.values[1]));
  EXPECT_EQ(all_bits(here.warning_bits), all_bits(there.warning_bits));
  EXPECT_EQ(here.warnings.count, 6);  // sqrt(cos 2) in every cell
}

TEST(UndefinedResults, MakeAMotionThatBelongsToNoClass) {
  const Model model = cosine();
  MapOptions options;
  options.over = {{"last", 0.5, 3, 6}};
  options.classify = "late: max(x) > 2; high: min(sqrt(last - t)) > 0.5; low";
  CellSession session({.threads = 2});
  const MapResult map = map_motions(model, options, session);
  EXPECT_THAT(map.motion_class, ElementsAre(-1, -1, -1, 2, 1, 1));
  EXPECT_EQ(map.failures.count, 3);
  EXPECT_THAT(
      map.failures.kinds.at(0).sentence,
      HasSubstr("the motion belongs to no class: 'min(sqrt(last - t)) > 0.5' has no value: the signal inside min(…)"));
  // a class that does not depend on it
  options.classify = "early: min(x) < 0.9; high: min(sqrt(last - t)) > 0.5; low";
  CellSession again({.threads = 2});
  EXPECT_THAT(map_motions(model, options, again).motion_class, ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(UndefinedResults, AreNoOptimum) {
  const Model model = cosine();
  OptimizationOptions options;
  options.over = {{"last", 0.5, 3, 0}};
  options.objective = "max(sqrt(last - t))";  // smallest at 2 s; below, it has no value
  options.method = "direct";
  CellSession session({.threads = 1});
  const OptimizationResult result = optimize_motion(model, options, session);
  ASSERT_NE(result.best(), nullptr);
  EXPECT_GE(result.best()->point[0], 2);
  EXPECT_GT(result.warnings.count, 0);
  EXPECT_EQ(result.warnings.kinds.at(0).code, "undefined");
}

TEST(UndefinedResults, OfRowsAreNotNumbersEither) {
  const std::vector<double> t = {0, 1, 2, 3}, y = {1, 2, std::nan(""), 4};
  using Kind = Functional::Kind;
  for (const Kind kind : {Kind::max, Kind::min, Kind::mean, Kind::integral, Kind::turns, Kind::first, Kind::last}) {
    const Functional whole{{kind, 0}};
    EXPECT_THAT(value_of_rows(whole, t, y), IsNan()) << name_of(kind);
    EXPECT_EQ(time_undefined(whole, t, y), 2) << name_of(kind);
  }
  EXPECT_EQ(value_of_rows(Functional{{Kind::initial, 0}}, t, y), 1);
  EXPECT_EQ(value_of_rows(Functional{{Kind::final, 0}}, t, y), 4);
  Functional early{{Kind::max, 0}};
  early.from = 0, early.to = 1;
  EXPECT_EQ(value_of_rows(early, t, y), 2);
}

}  // namespace
}  // namespace armature::internal
