// Expressions in two parts: what all lanes have in common is computed once, and the rest gives the same numbers.
#include "expression/common_part.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "expression/machine_code.hpp"
#include "expression/program.hpp"

namespace armature::internal {
namespace {

using List = std::vector<Expression>;

TEST(CommonPart, IsTheLargestPartsThatDoNotVary) {
  Graph graph;
  const Expression p = graph.input("p"), q = graph.input("q"), x = graph.input("x");
  const CommonPart part = split_common(List{sin(p * q) * x + p / q, 3.0, p + 1, x}, List{x});
  // sin(p q), p/q and p + 1; not p, q or p q
  ASSERT_EQ(part.values.size(), 3U);
  ASSERT_EQ(part.leaves.size(), 3U);
  EXPECT_TRUE(part.rest[1].is(3));
  EXPECT_EQ(part.rest[3], x);
  List inputs = part.leaves;
  inputs.push_back(x);
  EXPECT_EQ(Program(inputs, part.rest).operation_count(), 2);  // one product, one sum
}

TEST(CommonPart, OfNumbersIsEmpty) {
  Graph graph;
  const CommonPart part = split_common(List{1.0, 2.0}, List{graph.input("x")});
  EXPECT_TRUE(part.values.empty());
  EXPECT_TRUE(part.rest[1].is(2));
}

// A program with common inputs, interpreted and as machine code, against the expressions themselves.
class CommonInputs : public testing::TestWithParam<int> {
 protected:
  Graph graph;
  Expression p = graph.input("p"), q = graph.input("q"), x = graph.input("x"), y = graph.input("y");
  // common values as factors, summands, divisors, arguments of functions, weights, and as outputs
  List outputs{p * x + q * y,          sin(p) * x - y,     y / (p * q), (p + q) / x, atan2(p, y) + sin(p* x),
               -(p* q) * x*(p* q) * y, select(p, x, q* y), p + q,       sqrt(p),     exp(q) * x + exp(q) * y};

  std::vector<double> known(int lanes, const std::vector<double>& in, double first, double second) const {
    const Program whole(List{p, q, x, y}, outputs);
    std::vector<double> out(outputs.size() * static_cast<std::size_t>(lanes)), one(outputs.size());
    Evaluator evaluate(std::make_shared<const Program>(whole));
    for (int lane = 0; lane < lanes; ++lane) {
      const double numbers[] = {first, second, in[static_cast<std::size_t>(lane)],
                                in[static_cast<std::size_t>(lanes + lane)]};
      evaluate(numbers, one.data());
      for (std::size_t i = 0; i < one.size(); ++i)
        out[i * static_cast<std::size_t>(lanes) + static_cast<std::size_t>(lane)] = one[i];
    }
    return out;
  }
};
INSTANTIATE_TEST_SUITE_P(, CommonInputs, testing::Values(2, 4, 8, 16));

TEST_P(CommonInputs, GiveTheSameBits) {
  const int lanes = GetParam();
  const CommonPart part = split_common(outputs, List{x, y});
  List inputs = part.leaves;
  inputs.push_back(x), inputs.push_back(y);
  const Program rest(inputs, part.rest, {}, static_cast<int>(part.leaves.size()));
  EXPECT_EQ(rest.common_count(), static_cast<int>(part.values.size()));
  // the common part on eight lanes, of which one is taken
  const auto values = std::make_shared<const Program>(List{p, q}, part.values);
  std::vector<LaneRow> in(2), common(part.values.size());
  const int taken = 5;
  in[0][taken] = 0.7, in[1][taken] = -1.3;
  Evaluator(values, lane_count)(in.data()->lane, common.data()->lane);
  // columns
  std::vector<double> columns(static_cast<std::size_t>(2 * lanes));
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = std::sin(1.0 + static_cast<double>(i));
  const std::vector<double> expected = known(lanes, columns, 0.7, -1.3);
  std::vector<double> work(static_cast<std::size_t>(rest.work_size() * lanes)), got(expected.size());
  rest.prepare_lanes(lanes, work.data());
  rest.evaluate_lanes(lanes, columns.data(), got.data(), work.data(), common.data()->lane + taken);
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(got[i]), std::bit_cast<std::uint64_t>(expected[i])) << i;
  const auto code = MachineCode::translate(rest, lanes);
  if (!code) GTEST_SKIP() << "this machine has no AVX2, or the build no assembler";
  std::vector<double> code_work(code->work_size()), by_code(expected.size());
  (*code)(columns.data(), by_code.data(), code_work.data(), common.data()->lane + taken);
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(by_code[i]), std::bit_cast<std::uint64_t>(expected[i])) << i;
}

}  // namespace
}  // namespace armature::internal
