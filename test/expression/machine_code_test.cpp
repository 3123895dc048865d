// Machine code gives the interpreter's bits: for every operation, for programs larger than the registers, on any number of
// lanes; and a program that is evaluated often changes over without a trace.
#include "expression/machine_code.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "expression/straight_line.hpp"

namespace armature::internal {
namespace {

// Compares bits, so that -0 is not 0; one NaN is as good as another.
void expect_same_bits(double expected, double got, const std::string& where) {
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(got)) << where;
  else
    EXPECT_EQ(std::bit_cast<std::uint64_t>(expected), std::bit_cast<std::uint64_t>(got)) << where;
}

// in: input_count() x lanes numbers
void expect_agreement(const Program& program, int lanes, const std::vector<double>& in) {
  const auto code = MachineCode::translate(program, lanes);
  if (!code) GTEST_SKIP() << "this machine has no AVX2, or the build no assembler";
  std::vector<double> work(program.work_size() * lanes), code_work(code->work_size());
  std::vector<double> expected(program.output_count() * lanes), got(expected.size(), -1);
  program.prepare_lanes(lanes, work.data());
  if (lanes == 1)
    program.evaluate(in.data(), expected.data(), work.data());
  else
    program.evaluate_lanes(lanes, in.data(), expected.data(), work.data());
  (*code)(in.data(), got.data(), code_work.data());
  for (std::size_t i = 0; i < got.size(); ++i)
    expect_same_bits(
        expected[i], got[i],
        "output " + std::to_string(i / lanes) + ", lane " + std::to_string(i % lanes) + " of " + std::to_string(lanes));
}

std::vector<double> random_numbers(std::size_t n, double low, double high) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(low, high);
  std::vector<double> numbers(n);
  for (double& x : numbers) x = number(random);
  return numbers;
}

class MachineCodeLanes : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(, MachineCodeLanes, testing::Values(1, 2, 4, 8, 16));

TEST_P(MachineCodeLanes, EveryOperation) {
  Graph graph;
  const Expression x = graph.input("x"), y = graph.input("y"), w = graph.input("w");
  const auto table = std::make_shared<Table>(Table::spline({-2, -1, 0, 1, 2}, {0, 1, -1, 2, 0}));
  const std::vector<Expression> outputs{x + y,
                                        x - y,
                                        x * y,
                                        x / y,
                                        -x,
                                        sqrt(x),
                                        sin(x),
                                        cos(x),
                                        tan(x),
                                        asin(x),
                                        acos(x),
                                        atan(x),
                                        sinh(x),
                                        cosh(x),
                                        tanh(x),
                                        exp(x),
                                        log(x),
                                        x,
                                        2.5,
                                        x,
                                        w,
                                        sin(y),
                                        atan2(x, y),
                                        pow(x, 2.5),
                                        select(w, x, y),
                                        kept_above(x, y),
                                        kept_below(x, y),
                                        kept_above(0.5, x),
                                        kept_below(y, 0.25),
                                        graph.lookup(table, x),
                                        -sin(x),
                                        x + x,
                                        x * 3.0,
                                        1.0 / x,
                                        x - x * y,
                                        sin(cos(sin(x))),
                                        exp(-sqrt(y * y))};
  const Program program({{x, y, w}}, outputs);
  std::vector<double> in = random_numbers(3 * GetParam(), -1.5, 1.5);
  const double weights[] = {0, 1, 0.25, 1, 0};
  for (int k = 0; k < GetParam(); ++k) in[2 * GetParam() + k] = weights[k % 5];
  expect_agreement(program, GetParam(), in);
}

// Of equals, of zeros of either sign, and of what is no number, the second counts.
TEST_P(MachineCodeLanes, BoundsThatAreMetOrNotANumber) {
  Graph graph;
  const Expression x = graph.input("x"), y = graph.input("y");
  const Program program({{x, y}}, std::vector<Expression>{kept_above(x, y), kept_below(x, y)});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double pairs[][2] = {{0.0, -0.0}, {-0.0, 0.0}, {nan, 1}, {1, nan}, {2, 2}, {1, 2}, {2, 1}};
  std::vector<double> work(program.work_size()), got(2);
  program.prepare(work.data());
  for (const auto& pair : pairs) {
    std::vector<double> in(2 * GetParam(), pair[0]);
    std::fill(in.begin() + GetParam(), in.end(), pair[1]);
    expect_agreement(program, GetParam(), in);
    program.evaluate(pair, got.data(), work.data());
    expect_same_bits(pair[0] > pair[1] ? pair[0] : pair[1], got[0], "above");
    expect_same_bits(pair[0] < pair[1] ? pair[0] : pair[1], got[1], "below");
  }
}

// mod(x, y) at the ends of its turns, where round-off decides.
TEST_P(MachineCodeLanes, RemaindersAtTheEndsOfTurns) {
  Graph graph;
  const Expression x = graph.input("x"), y = graph.input("y"), value = remainder(x, y), n = graph.outcome(0);
  const Program program({{x, y, n}}, std::vector<Expression>{value, sqrt(value)});
  for (int turn = -30; turn <= 30; ++turn) {
    std::vector<double> in(3 * GetParam());
    for (int k = 0; k < GetParam(); ++k) {
      in[k] = std::nextafter(turn * 0.05, k % 2 ? 10 : -10);
      in[GetParam() + k] = 0.05;
      in[2 * GetParam() + k] = turn - k % 3 / 2;
    }
    expect_agreement(program, GetParam(), in);
  }
}

TEST_P(MachineCodeLanes, BranchesOfWeightZeroMayBeNaN) {
  Graph graph;
  const Expression x = graph.input("x"), w = graph.input("w");
  const std::vector<Expression> outputs{select(w, sqrt(x), 1.0 + x), select(w, x, log(x))};
  const Program program({{x, w}}, outputs);
  for (double weight : {0.0, 1.0, 0.5}) {
    std::vector<double> in(2 * GetParam(), -2.0);
    std::fill(in.begin() + GetParam(), in.end(), weight);
    expect_agreement(program, GetParam(), in);
  }
}

// Forty values alive at once are more than there are registers; functions are called in between.
TEST_P(MachineCodeLanes, MoreValuesThanRegisters) {
  std::mt19937 random(3);
  Graph graph;
  std::vector<Expression> inputs, pool;
  for (int i = 0; i < 40; ++i) inputs.push_back(graph.input("x" + std::to_string(i)));
  pool = inputs;
  for (int i = 0; i < 3000; ++i) {
    const Expression a = pool[random() % pool.size()], b = pool[pool.size() - 1 - random() % 60 % pool.size()];
    switch (random() % 9) {
      case 0: pool.push_back(sin(a + b)); break;
      case 1: pool.push_back(cos(a - b)); break;
      case 2: pool.push_back(a / (3.0 + cos(b))); break;
      case 3: pool.push_back(select(inputs[random() % 40], a, b)); break;
      case 4: pool.push_back(-a); break;
      case 5: pool.push_back(0.5 * (a + b)); break;
      default: pool.push_back(a * 0.3 - b * 0.6); break;
    }
  }
  std::vector<Expression> outputs(pool.end() - 300, pool.end());
  outputs.push_back(outputs.front());  // one value may be several outputs
  const Program program(inputs, outputs);
  std::vector<double> in = random_numbers(40 * GetParam(), 0, 1);
  expect_agreement(program, GetParam(), in);
}

// Four vectors that go through the same operations, with members used by themselves, as arguments and as outputs, more of
// them than there are registers.
TEST(MachineCode, PacksGiveTheSameBits) {
  std::mt19937 random(7);
  Graph graph;
  std::vector<Expression> inputs, singles, outputs;
  for (int i = 0; i < 60; ++i) inputs.push_back(graph.input("x" + std::to_string(i)));
  singles = inputs;
  std::vector<Pack> known, packs;
  for (int i = 0; i < 10; ++i)
    known.push_back({inputs[4 * i], inputs[4 * i + 1], inputs[4 * i + 2], inputs[4 * i + 3]});
  const auto any = [&](auto& list) { return list[random() % list.size()]; };
  for (int i = 0; i < 1500; ++i) {
    const Pack x = any(known), y = any(known);
    const Expression factor = any(singles);
    Pack result;
    const unsigned kind = random() % 5;
    for (int k = 0; k < pack_width; ++k)
      result[k] = kind == 0   ? x[k] - 0.5 * y[k]
                  : kind == 1 ? x[k] + 0.5 * y[k]
                  : kind == 2 ? x[k] * y[k]
                              : factor * (x[k] - y[(k + kind) % 4]);
    packs.push_back(result);
    known.push_back(result);
    if (kind == 2) singles.push_back(sin(result[i % 4]));
    if (kind == 3) singles.push_back(result[i % 4] / (2.0 + singles.back()));
    if (kind == 4) outputs.push_back(result[i % 4]);
    if (i > 30) known.erase(known.begin() + static_cast<std::ptrdiff_t>(random() % known.size()));
  }
  outputs.insert(outputs.end(), singles.end() - 50, singles.end());
  outputs.insert(outputs.end(), packs.back().begin(), packs.back().end());
  const Program program(inputs, outputs, packs);
  EXPECT_GT(StraightLine(program, true).packs.size(), 300u);
  expect_agreement(program, 1, random_numbers(60, -1, 1));
  expect_agreement(program, 8, random_numbers(60 * 8, -1, 1));
}

// (a, b) waits for (c, d) in its first member, and the other way round in its second.
TEST(StraightLine, PacksThatWaitForOneAnotherAreTakenApart) {
  Graph graph;
  std::vector<Expression> x;
  for (int i = 0; i < 8; ++i) x.push_back(graph.input("x" + std::to_string(i)));
  const Expression a = x[0] * x[1], c = x[2] * a, d = x[3] * x[4], b = x[5] * d, e = x[6] * x[7], f = x[0] * x[2],
                   g = x[3] * x[5], h = x[4] * x[6];
  const std::vector<Expression> outputs{a, b, c, d, e, f, g, h};
  const std::vector<Pack> packs{{a, b, e, f}, {c, d, g, h}};
  const Program program(x, outputs, packs);
  EXPECT_TRUE(StraightLine(program, true).packs.empty());
  expect_agreement(program, 1, random_numbers(8, -1, 1));
}

TEST(MachineCode, EvaluatorChangesOverWithoutATrace) {
  Graph graph;
  const Expression x = graph.input("x");
  const auto program =
      std::make_shared<Program>(std::vector{x}, std::vector{sin(x) * exp(-x), x / 3.0, Expression(2.0)});
  allow_machine_code(false);
  Evaluator interpreted(program);
  std::vector<double> expected;
  double out[3];
  for (int i = 0; i < 200; ++i) {
    const double in = 0.01 * i;
    interpreted(&in, out);
    expected.insert(expected.end(), out, out + 3);
  }
  allow_machine_code(true);
  Evaluator evaluator(program);
  for (int i = 0; i < 200; ++i) {
    const double in = 0.01 * i;
    evaluator(&in, out);
    for (int k = 0; k < 3; ++k) expect_same_bits(expected[3 * i + k], out[k], "evaluation " + std::to_string(i));
  }
}

TEST(StraightLine, CallsOfOneStageAreMadeTogether) {
  Graph graph;
  const Expression x = graph.input("x"), y = graph.input("y");
  const std::vector<Expression> outputs{sin(x) + cos(y) * sin(x + y), exp(sin(x))};
  const StraightLine line(Program({{x, y}}, outputs));
  ASSERT_EQ(line.blocks.size(), 3u);  // x + y | sin, cos | sum, product | exp
  EXPECT_EQ(line.blocks[0].arithmetic.size(), 1u);
  EXPECT_EQ(line.blocks[1].calls.size(), 3u);
  EXPECT_EQ(line.blocks[1].arithmetic.size(), 2u);
  EXPECT_EQ(line.blocks[2].calls.size(), 1u);
}

}  // namespace
}  // namespace armature::internal
