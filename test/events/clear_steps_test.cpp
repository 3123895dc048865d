// A step that is called clear has no zero in it, whatever its polynomials are; and most steps far from a zero are called so.
#include "events/clear_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_draws.hpp"

namespace armature::internal {
namespace {

// Polynomials of two states, from step to step.
class Pieces : public Step {
 public:
  StepPath::Polynomial p[2] = {};
  static constexpr int order = 4;

  void set(double from, double length) { previous_t_ = from, t_ = from + length; }
  double at(int entry, double t) const {
    const double u = (t - 0.5 * (previous_t_ + t_)) / (t_ - previous_t_);
    double sum = 0;
    for (int k = order; k >= 0; --k) sum = u * sum + p[entry][std::size_t(k)];
    return sum;
  }
  // Goes on with a value and a rate where the last one ended.
  void go_on(const double (&values)[2], const double (&rates)[2], const double (&bends)[2][3]) {
    const double h = t_ - previous_t_;
    for (int e = 0; e < 2; ++e) {
      for (int k = 2; k <= order; ++k) p[e][std::size_t(k)] = bends[e][k - 2];
      p[e][1] = rates[e] * h;  // at u = -1/2 the rate is off by the bends, which does not matter here
      p[e][0] = 0;
      p[e][0] = values[e] - at(e, previous_t_);
    }
  }
  void interpolate(double, Eigen::VectorXd&) const override {}
  bool path(const std::vector<int>& entries, StepPath& path) const override {
    path.begin(previous_t_, t_, order, entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) path.set(i, [&](int k) { return p[entries[i]][std::size_t(k)]; });
    return true;
  }
};

struct Watched {
  Graph graph;
  Expression t = graph.input("t"), a = graph.input("a"), b = graph.input("b"), c = graph.input("c");
  Layout layout;
  Program program;
  PathRanges ranges;
  ClearSteps clear;
  Pieces step;
  std::vector<double> work;
  double parameter = 0;

  static Layout two_states() {
    Layout n;
    n.nq = 2, n.np = 1;
    return n;
  }
  Watched()
      : layout(two_states()),
        program({{t, a, b, c}}, std::vector<Expression>{sin(a) + 0.5 * cos(a + b) + c, a * b + 0.1 * t + c}),
        ranges(layout, program),
        clear(ranges, program),
        work(std::size_t(program.work_size())) {
    program.prepare(work.data());
  }
  void evaluate(double at, double* out) {
    const double inputs[] = {at, step.at(0, at), step.at(1, at), parameter};
    program.evaluate(inputs, out, work.data());
  }
  // Whether the step is clear for both outputs, as they are at its end.
  bool is_clear(const step::Guard* guards) {
    const double held[] = {0, 0, 0, parameter};
    double end[2];
    ranges.begin(step, held);
    evaluate(step.t(), end);
    return clear.contain(held, end, guards, 2);
  }
};

TEST(ClearSteps, HaveNoZero) {
  int proved = 0, steps = 0;
  for_random_draws(200, [&] {
    Watched watched;
    watched.parameter = random_number(-2, 2);
    double values[2] = {random_number(-3, 3), random_number(-1, 1)}, t = random_number(0, 5);
    double rates[2] = {random_number(-2, 2), random_number(-2, 2)};
    const double roughness = std::pow(10, random_number(-6, 0)), h = std::pow(10, random_number(-3, -0.5));
    for (int k = 0; k < 30; ++k) {
      double bends[2][3];
      for (auto& of_state : bends)
        for (double& bend : of_state) bend = roughness * h * random_number(-1, 1);
      watched.step.set(t, h);
      watched.step.go_on(values, rates, bends);
      double begin[2];
      watched.evaluate(t, begin);
      const step::Guard guards[] = {{0, begin[0] > 0 ? 1.0 : -1.0, 0}, {1, begin[1] > 0 ? 1.0 : -1.0, 0}};
      ++steps;
      if (watched.is_clear(guards)) {
        ++proved;
        for (int i = 0; i <= 100; ++i) {
          double here[2];
          watched.evaluate(t + h * i / 100, here);
          for (const step::Guard& guard : guards) RC_ASSERT(guard.at(here[guard.output]) > 0);
        }
      }
      t += h;
      for (int e = 0; e < 2; ++e) values[e] = watched.step.at(e, t), rates[e] += 0.1 * h * random_number(-1, 1);
    }
  });
  EXPECT_GT(proved, steps / 2);
  EXPECT_LT(proved, steps);
}

// One box serves many steps of a steady motion, and the first step of all is not known to be clear: nothing is known of its beginning.
TEST(ClearSteps, ShareABox) {
  Watched watched;
  watched.parameter = 5;
  const step::Guard guards[] = {{0, 1, 0}, {1, 1, 0}};
  const double rates[2] = {0.3, 0.1}, bends[2][3] = {{1e-5, 0, 0}, {1e-5, 0, 0}};
  for (int k = 0; k < 200; ++k) {
    const double t = 0.01 * k, values[2] = {rates[0] * t, rates[1] * t};
    watched.step.set(t, 0.01);
    watched.step.go_on(values, rates, bends);
    EXPECT_EQ(watched.is_clear(guards), k > 0) << k;
  }
  EXPECT_LT(watched.clear.boxes(), 20);
}

TEST(ClearSteps, AreNotKnownAfterAJumpOrWithOtherParameters) {
  Watched watched;
  watched.parameter = 5;
  const step::Guard guards[] = {{0, 1, 0}, {1, 1, 0}};
  const double rates[2] = {0.3, 0.1}, bends[2][3] = {};
  const auto step_from = [&](double t) {
    watched.step.set(t, 0.01);
    watched.step.go_on({0, 0}, rates, bends);
    return watched.is_clear(guards);
  };
  EXPECT_FALSE(step_from(0));
  EXPECT_TRUE(step_from(0.01));
  watched.clear.forget();
  EXPECT_FALSE(step_from(0.02));
  EXPECT_TRUE(step_from(0.03));
  EXPECT_FALSE(step_from(0.05));  // not where the last one ended
  const long boxes = watched.clear.boxes();
  watched.parameter = 6;
  EXPECT_TRUE(step_from(0.06));
  EXPECT_EQ(watched.clear.boxes(), boxes + 1);
}

}  // namespace
}  // namespace armature::internal
