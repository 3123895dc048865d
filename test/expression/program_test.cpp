// Programs: the right numbers, slots reused, the same bits for any number of lanes, branches of weight zero not looked at.
#include "expression/program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "expression/derivative.hpp"
#include "expression/elementary.hpp"

namespace armature::internal {
namespace {

// A seeded random expression of three inputs that stays finite.
Expression random_expression(const std::vector<Expression>& leaves, std::mt19937& random, int size) {
  std::vector<Expression> pool(leaves.begin(), leaves.end());
  auto pick = [&] { return pool[random() % pool.size()]; };
  for (int i = 0; i < size; ++i) switch (random() % 8) {
      case 0: pool.push_back(pick() + pick()); break;
      case 1: pool.push_back(pick() - pick()); break;
      case 2: pool.push_back(sin(pick() * pick())); break;
      case 3: pool.push_back(cos(pick())); break;
      case 4: pool.push_back(pick() / (1.5 + sin(pick()))); break;
      case 5: pool.push_back(0.5 * (sin(pick()) * cos(pick()))); break;
      case 6: pool.push_back(sqrt(1.0 + square(sin(pick())))); break;
      default: pool.push_back(exp(sin(pick()) - cos(pick()))); break;
    }
  return pool.back();
}

TEST(Program, EvaluatesAndReusesSlots) {
  Graph graph;
  const Expression x = graph.input("x"), y = graph.input("y");
  Expression sum = x;
  for (int i = 0; i < 100; ++i) sum = sin(sum) + y;
  const std::vector<Expression> inputs{x, y}, outputs{sum, 3.0, y};
  const Program program(inputs, outputs);
  EXPECT_EQ(program.operation_count(), 200);
  EXPECT_LT(program.work_size(), 8);  // two inputs, one plain output, a few live values
  std::vector<double> work(program.work_size());
  program.prepare(work.data());
  const double in[] = {0.3, 0.2};
  double out[3], expected = 0.3;
  program.evaluate(in, out, work.data());
  for (int i = 0; i < 100; ++i) expected = elementary::sin(expected) + 0.2;
  EXPECT_EQ(out[0], expected);
  EXPECT_EQ(out[1], 3);
  EXPECT_EQ(out[2], 0.2);
}

TEST(Program, SameBitsForAnyNumberOfLanes) {
  std::mt19937 random(7);
  Graph graph;
  const std::vector<Expression> inputs{graph.input("x"), graph.input("y"), graph.input("z")};
  std::vector<Expression> outputs;
  for (int i = 0; i < 20; ++i) outputs.push_back(random_expression(inputs, random, 60));
  const Program program(inputs, outputs);
  std::vector<double> work(program.work_size() * 16), in(3 * 16), out(20 * 16);
  std::uniform_real_distribution<double> number(-2, 2);
  for (int W : {2, 4, 8, 16}) {
    for (double& x : in) x = number(random);
    program.prepare_lanes(W, work.data());
    program.evaluate_lanes(W, in.data(), out.data(), work.data());
    std::vector<double> single_work(program.work_size());
    program.prepare(single_work.data());
    for (int lane = 0; lane < W; ++lane) {
      double single_in[3], single[20];
      for (int i = 0; i < 3; ++i) single_in[i] = in[i * W + lane];
      program.evaluate(single_in, single, single_work.data());
      for (int i = 0; i < 20; ++i)
        EXPECT_EQ(std::memcmp(&single[i], &out[i * W + lane], sizeof(double)), 0) << "W " << W << ", lane " << lane;
    }
  }
}

TEST(Program, DoesNotLookAtABranchOfWeightZero) {
  Graph graph;
  const Expression x = graph.input("x"), outcome = unit_step(x);
  const std::vector<Expression> inputs{x, outcome}, outputs{select(outcome, sqrt(x), -x)};
  Evaluator evaluate(std::make_shared<Program>(inputs, outputs));
  double out;
  const double below[] = {-4, 0}, above[] = {4, 1}, sliding[] = {0, 0.25};
  evaluate(below, &out);
  EXPECT_EQ(out, 4);
  evaluate(above, &out);
  EXPECT_EQ(out, 2);
  evaluate(sliding, &out);
  EXPECT_EQ(out, 0);
}

TEST(Program, RefusesALeafThatIsNotAnInput) {
  Graph graph;
  const Expression x = graph.input("x"), y = graph.input("y");
  const std::vector<Expression> inputs{x}, outputs{x * y};
  EXPECT_THROW(Program(inputs, outputs), std::logic_error);
}

// Arguments are gathered for many functions at once; f(f(x)) waits for f(x).
TEST(Program, FunctionsOfThemselvesAreCalledOneAfterTheOther) {
  struct Function {
    const char* name;
    Expression (*expression)(Expression);
    double (*number)(double);
  };
  const Function functions[] = {
      {"sin", [](Expression x) { return sin(x); }, [](double x) { return std::sin(x); }},
      {"cos", [](Expression x) { return cos(x); }, [](double x) { return std::cos(x); }},
      {"tan", [](Expression x) { return tan(x); }, [](double x) { return std::tan(x); }},
      {"asin", [](Expression x) { return asin(x); }, [](double x) { return std::asin(x); }},
      {"acos", [](Expression x) { return acos(x); }, [](double x) { return std::acos(x); }},
      {"atan", [](Expression x) { return atan(x); }, [](double x) { return std::atan(x); }},
      {"sinh", [](Expression x) { return sinh(x); }, [](double x) { return std::sinh(x); }},
      {"cosh", [](Expression x) { return cosh(x); }, [](double x) { return std::cosh(x); }},
      {"tanh", [](Expression x) { return tanh(x); }, [](double x) { return std::tanh(x); }},
      {"exp", [](Expression x) { return exp(x); }, [](double x) { return std::exp(x); }},
      {"log", [](Expression x) { return log(x); }, [](double x) { return std::log(x); }},
      {"sqrt", [](Expression x) { return sqrt(x); }, [](double x) { return std::sqrt(x); }},
      {"pow", [](Expression x) { return pow(x, x + 0.5); }, [](double x) { return std::pow(x, x + 0.5); }},
      {"atan2", [](Expression x) { return atan2(x, Expression(2.0)); }, [](double x) { return std::atan2(x, 2.0); }}};
  constexpr int W = 4;
  for (const Function& f : functions) {
    Graph graph;
    const Expression x = graph.input("x"), twice = f.expression(f.expression(x));
    const Program program({{x}}, {{twice}});
    std::vector<double> work(W * program.work_size());
    const double in[W] = {0.7, 0.71, 0.72, 0.73};
    double out[W];
    program.prepare(work.data());
    program.evaluate(in, out, work.data());
    const double expected = f.number(f.number(in[0]));
    if (std::isnan(expected)) continue;  // log(log(0.7))
    EXPECT_NEAR(out[0], expected, 1e-14 * std::abs(expected)) << f.name;
    program.prepare_lanes(W, work.data());
    program.evaluate_lanes(W, in, out, work.data());
    for (int k = 0; k < W; ++k)
      EXPECT_NEAR(out[k], f.number(f.number(in[k])), 1e-14 * std::abs(expected)) << f.name << ", lane " << k;
  }
}

}  // namespace
}  // namespace armature::internal
