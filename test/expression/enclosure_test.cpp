// Ranges enclose all values, and shrink onto them.
#include "expression/enclosure.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace armature {
namespace {

struct Formulas {
  Graph graph;
  Expression x = graph.input("x"), w = graph.input("w");
  std::vector<Expression> outputs;
  Formulas() {
    const auto spline = std::make_shared<Table>(Table::spline({-2, -1, 0, 1, 2}, {0, 1, -1, 2, 0}));
    outputs = {x + 0.3,
               1.0 - x,
               x * x * x - x,
               -x,
               x / (2.0 + x * x),
               1.0 / x,
               sqrt(x * x + 0.1),
               sin(3.0 * x),
               cos(x - 0.2),
               tan(0.4 * x),
               asin(0.3 * x),
               acos(0.3 * x),
               atan(x),
               sinh(x),
               cosh(x),
               tanh(x),
               exp(-x),
               log(x * x + 0.01),
               atan2(x, x * x - 1.0),
               pow(x * x + 0.5, x),
               pow(x * x + 0.5, 2.5),
               select(w, sin(x), x),
               graph.lookup(spline, x),
               sin(x) * sin(x) + cos(x) * cos(x)};
  }
};

// x goes from a to b at a rate of one.
void enclose(EnclosureEvaluator& evaluator, double a, double b) {
  evaluator.input(0) = {0.5 * (a + b), {a, b}, Range::point(1)};
  evaluator.input(1) = Enclosure::point(1);
  evaluator.run(0.5 * (b - a));
}

RC_GTEST_PROP(Enclosures, HoldAllValuesAndRates, ()) {
  static Formulas formulas;
  static const Program program({{formulas.x, formulas.w}}, formulas.outputs);
  const double a = *rc::gen::inRange(-2000, 2000) / 1000.0, b = a + *rc::gen::inRange(1, 1500) / 1000.0;
  EnclosureEvaluator ranges(program);
  enclose(ranges, a, b);
  std::vector<double> work(std::size_t(program.work_size())), low(formulas.outputs.size()), high = low;
  program.prepare(work.data());
  constexpr double h = 1e-6;
  for (int k = 0; k <= 40; ++k) {
    const double x = a + (b - a) * k / 40;
    const double before[] = {x - h, 1}, after[] = {x + h, 1};
    program.evaluate(before, low.data(), work.data());
    program.evaluate(after, high.data(), work.data());
    for (std::size_t i = 0; i < low.size(); ++i) {
      const Enclosure& found = ranges.output(int(i));
      const double value = 0.5 * (low[i] + high[i]), rate = (high[i] - low[i]) / (2 * h);
      const double of_value = 1e-9 * (1 + std::abs(value)) + h * h * 1e6, of_rate = 1e-4 * (1 + std::abs(rate));
      if (!std::isfinite(value) || std::abs(x) < 2 * h) continue;
      RC_ASSERT(value >= found.value.low - of_value);
      RC_ASSERT(value <= found.value.high + of_value);
      if (k == 0 || k == 40 || std::abs(rate) > 1e5) continue;  // differences reach beyond the ends, or over a jump
      RC_ASSERT(rate >= found.rate.low - of_rate);
      RC_ASSERT(rate <= found.rate.high + of_rate);
    }
  }
}

// Of second order: over a tenth of the span, what a range is too wide by is a hundredth, also where it is a difference of
// equal numbers.
TEST(Enclosures, ShrinkOntoTheValues) {
  Formulas formulas;
  const Program program({{formulas.x, formulas.w}}, formulas.outputs);
  EnclosureEvaluator ranges(program);
  const int one = int(formulas.outputs.size()) - 1;
  const auto width = [&](double span) {
    enclose(ranges, 0.7 - span, 0.7 + span);
    return ranges.output(one).value.high - ranges.output(one).value.low;
  };
  EXPECT_LT(width(1e-2), 1e-3);
  EXPECT_LT(width(1e-3), 0.02 * width(1e-2));
}

TEST(Enclosures, AreEverythingWhereNothingIsKnown) {
  Formulas formulas;
  const Program program({{formulas.x, formulas.w}}, formulas.outputs);
  EnclosureEvaluator ranges(program);
  enclose(ranges, -0.5, 0.5);
  EXPECT_FALSE(ranges.output(5).value.bounded());  // 1/x
  EXPECT_TRUE(ranges.output(4).value.bounded());
}

}  // namespace
}  // namespace armature
