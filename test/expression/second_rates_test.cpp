// Second rates hold all second derivatives along time.
#include "expression/second_rates.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expression/derivative.hpp"
#include "support/random_draws.hpp"

namespace armature::internal {
namespace {

struct Moved {
  Graph graph;
  Expression x = graph.input("x"), y = graph.input("y"), w = graph.input("w");
  // with bounds, and without: the last two
  std::vector<Expression> outputs = {x + 2.0 * y,
                                     x - y,
                                     -x,
                                     x* y,
                                     x* x* x,
                                     x / (3.0 + y),
                                     sqrt(x* x + 0.3 * y + 1.0),
                                     sin(2.0 * x + y),
                                     cos(x* y),
                                     select(w, sin(x), y),
                                     pow(3.0 + w, 1.5) * x,
                                     exp(x),
                                     atan2(x, y)};
  int bounded = 11;

  // Second derivatives by time of all outputs, of x and y with rates and second rates as inputs.
  Expression rate_x = graph.input("rate_x"), rate_y = graph.input("rate_y"), second_x = graph.input("second_x"),
             second_y = graph.input("second_y");
  Program second_derivatives() {
    Derivative along({{x.id(), rate_x}, {y.id(), rate_y}, {rate_x.id(), second_x}, {rate_y.id(), second_y}});
    std::vector<Expression> all;
    for (const Expression& output : outputs) all.push_back(along(along(output)));
    return Program({{x, y, w, rate_x, rate_y, second_x, second_y}}, all);
  }
};

Range random_range(double low, double high) {
  const double a = random_number(low, high);
  return {a, a + random_number(0, 0.7)};
}
double inside(Range range) { return range.low + (range.high - range.low) * random_number(0, 1); }

TEST(SecondRates, HoldAllSecondDerivatives) {
  Moved moved;
  const Program program({{moved.x, moved.y, moved.w}}, moved.outputs), truth = moved.second_derivatives();
  SecondRates ranges(program);
  std::vector<double> work(std::size_t(truth.work_size())), found(moved.outputs.size());
  truth.prepare(work.data());
  for_random_draws(300, [&] {
    const SecondRates::Moving x{random_range(-1, 1), random_range(-2, 2), random_range(-3, 3)},
        y{random_range(-1, 1), random_range(-2, 2), random_range(-3, 3)};
    ranges.set(0, x), ranges.set(1, y);
    ranges.input(2) = Enclosure::point(1);
    ranges.run();
    for (int k = 0; k < 30; ++k) {
      const double inputs[] = {inside(x.value),  inside(y.value), 1, inside(x.rate), inside(y.rate),
                               inside(x.second), inside(y.second)};
      truth.evaluate(inputs, found.data(), work.data());
      for (std::size_t i = 0; i < found.size(); ++i) RC_ASSERT(!(std::abs(found[i]) > ranges.largest(int(i))));
    }
    for (int i = 0; i < moved.bounded; ++i) RC_ASSERT(std::isfinite(ranges.largest(i)));
  });
}

TEST(SecondRates, AreZeroOfWhatStaysAsItIs) {
  Moved moved;
  const Program program({{moved.x, moved.y, moved.w}}, moved.outputs);
  SecondRates ranges(program);
  for (int i : {0, 1, 2}) ranges.input(i) = Enclosure::point(0.4);
  ranges.run();
  for (std::size_t i = 0; i < moved.outputs.size(); ++i)
    if (int(i) != 9) EXPECT_EQ(ranges.largest(int(i)), 0) << i;  // a weight between two outcomes has no bound
}

}  // namespace
}  // namespace armature::internal
