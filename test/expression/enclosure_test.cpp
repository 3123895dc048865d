// Ranges enclose all values, and shrink onto them.
#include "expression/enclosure.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expression/derivative.hpp"
#include "support/random_draws.hpp"

namespace armature::internal {
namespace {

struct Formulas {
  Graph graph;
  Expression x = graph.input("x"), w = graph.input("w");
  std::vector<Expression> outputs;
  Formulas() {
    const auto spline = std::make_shared<Table>(Table::spline({-2, -1, 0, 1, 2}, {0, 1, -1, 2, 0}));
    const auto periodic = std::make_shared<Table>(Table::periodic_spline({0, 0.2, 0.4, 0.7}, {0, 1, -1, 0}));
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
               graph.lookup(periodic, x),
               sin(x) * sin(x) + cos(x) * cos(x)};
  }
};

// x goes from a to b at a rate of one.
void enclose(EnclosureEvaluator& evaluator, double a, double b) {
  evaluator.input(0) = {0.5 * (a + b), {a, b}, Range::point(1)};
  evaluator.input(1) = Enclosure::point(1);
  evaluator.run(0.5 * (b - a));
}

// Values and rates of the formulas at a point, x growing at a rate of one.
class Truth {
 public:
  explicit Truth(Formulas& formulas)
      : program_({{formulas.x, formulas.w}}, with_rates(formulas)), work_(std::size_t(program_.work_size())) {
    program_.prepare(work_.data());
    found_.resize(2 * formulas.outputs.size());
  }
  void set(double x) {
    const double inputs[] = {x, 1};
    program_.evaluate(inputs, found_.data(), work_.data());
  }
  double value(std::size_t i) const { return found_[i]; }
  double rate(std::size_t i) const { return found_[found_.size() / 2 + i]; }

 private:
  static std::vector<Expression> with_rates(Formulas& formulas) {
    std::vector<Expression> all = formulas.outputs;
    Derivative rate({{formulas.x.id(), 1.0}});
    for (const Expression& output : formulas.outputs) all.push_back(rate(output));
    return all;
  }
  Program program_;
  std::vector<double> work_, found_;
};

// Without any tolerance: the ranges allow for round-off themselves.
TEST(Enclosures, HoldAllValuesAndRates) {
  Formulas formulas;
  Truth truth(formulas);
  const Program program({{formulas.x, formulas.w}}, formulas.outputs);
  EnclosureEvaluator ranges(program);
  for_random_draws(100, [&] {
    const double a = random_number(-2, 2), b = a + random_number(0.001, 1.5);
    enclose(ranges, a, b);
    for (int k = 0; k <= 40; ++k) {
      truth.set(std::min(a + (b - a) * k / 40, b));
      for (std::size_t i = 0; i < formulas.outputs.size(); ++i) {
        if (!std::isfinite(truth.value(i))) continue;  // 1/x at zero
        const Enclosure& found = ranges.output(int(i));
        RC_ASSERT(truth.value(i) >= found.value.low);
        RC_ASSERT(truth.value(i) <= found.value.high);
        RC_ASSERT(truth.rate(i) >= found.rate.low);
        RC_ASSERT(truth.rate(i) <= found.rate.high);
      }
    }
  });
}

// Where the sum of large numbers is small, the round-off of these is not.
TEST(Enclosures, AllowForTheRoundOffOfWhatCancels) {
  Graph graph;
  const Expression x = graph.input("x"), w = graph.input("w");
  const std::vector<Expression> outputs = {(x + 1e8 * w) - 1e8 * w};
  const Program program({{x, w}}, outputs);
  EnclosureEvaluator ranges(program);
  std::vector<double> work(std::size_t(program.work_size()));
  program.prepare(work.data());
  for_random_draws(100, [&] {
    const double a = random_number(-2, 2), b = a + 1e-9;
    enclose(ranges, a, b);
    double found = 0;
    for (const double x0 : {a, b}) {
      const double inputs[] = {x0, 1};
      program.evaluate(inputs, &found, work.data());
      RC_ASSERT(found >= ranges.output(0).value.low);
      RC_ASSERT(found <= ranges.output(0).value.high);
    }
  });
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
}  // namespace armature::internal
