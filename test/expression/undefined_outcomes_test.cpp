// What compares something that is not a number is not a number itself; branches that are not looked at do not count.
#include "expression/undefined_outcomes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expression/program.hpp"

namespace armature::internal {
namespace {

// A formula of x, with its outcomes as the roots have them.
class MarkedFormula {
 public:
  explicit MarkedFormula(const std::function<Expression(Expression)>& f) {
    const Expression value = f(x_);
    UndefinedOutcomes defined;
    std::vector<Expression> inputs = {x_}, outputs = {value, defined(value)};
    for (std::size_t k = 0; k < graph_.comparisons().size(); ++k) {
      inputs.push_back(graph_.outcome(static_cast<int>(k)));
      outputs.push_back(graph_.comparisons()[k].root);
    }
    is_as_before_ = outputs[0] == outputs[1];
    program_ = Evaluator(std::make_shared<Program>(inputs, outputs));
    in_.resize(inputs.size()), out_.resize(outputs.size());
  }
  bool is_as_before() const { return is_as_before_; }

  // As it was, and as it is marked.
  std::pair<double, double> at(double x) {
    in_[0] = x;
    for (std::size_t pass = 0; pass <= graph_.comparisons().size(); ++pass) {
      program_(in_.data(), out_.data());
      for (std::size_t k = 0; k < graph_.comparisons().size(); ++k)
        in_[1 + k] = graph_.comparisons()[k].outcome(out_[2 + k]);
    }
    return {out_[0], out_[1]};
  }

 private:
  Graph graph_;
  Expression x_ = graph_.input("x");
  Evaluator program_;
  std::vector<double> in_, out_;
  bool is_as_before_ = false;
};

TEST(UndefinedOutcomes, LeaveNoNumber) {
  MarkedFormula chosen([](Expression x) { return select(above(sqrt(x) - 1.0), 2.0, 3.0); });
  EXPECT_EQ(chosen.at(4), std::pair(2.0, 2.0));
  EXPECT_EQ(chosen.at(0.25), std::pair(3.0, 3.0));
  EXPECT_EQ(chosen.at(1), std::pair(3.0, 3.0));  // where the root is zero
  EXPECT_EQ(chosen.at(-1).first, 3);
  EXPECT_TRUE(std::isnan(chosen.at(-1).second));
  MarkedFormula smaller([](Expression x) { return min(log(x), Expression(5.0)); });
  EXPECT_EQ(smaller.at(1), std::pair(0.0, 0.0));
  EXPECT_TRUE(std::isnan(smaller.at(-1).second));
  MarkedFormula whole([](Expression x) { return floor(sqrt(x)); });
  EXPECT_EQ(whole.at(10), std::pair(3.0, 3.0));
  EXPECT_TRUE(std::isnan(whole.at(-10).second));
}

TEST(UndefinedOutcomes, OfBranchesThatAreNotLookedAtDoNotCount) {
  MarkedFormula guarded([](Expression x) { return select(above(x), select(above(sqrt(x) - 1.0), 1.0, 2.0), 3.0); });
  EXPECT_EQ(guarded.at(4), std::pair(1.0, 1.0));
  EXPECT_EQ(guarded.at(0.25), std::pair(2.0, 2.0));
  EXPECT_EQ(guarded.at(-4), std::pair(3.0, 3.0));
}

TEST(UndefinedOutcomes, AreThoseOfRootsThatDependOnOthers) {
  MarkedFormula nested([](Expression x) { return select(above(select(above(sqrt(x) - 1.0), 1.0, -1.0)), 5.0, 6.0); });
  EXPECT_EQ(nested.at(4), std::pair(5.0, 5.0));
  EXPECT_EQ(nested.at(0.25), std::pair(6.0, 6.0));
  EXPECT_TRUE(std::isnan(nested.at(-1).second));
}

TEST(UndefinedOutcomes, ChangeNothingWhereRootsAreAlwaysNumbers) {
  EXPECT_TRUE(MarkedFormula([](Expression x) { return sqrt(x) + 1.0; }).is_as_before());
  EXPECT_TRUE(MarkedFormula([](Expression x) { return select(above(sin(x) - 0.5 * x), x, -x); }).is_as_before());
  EXPECT_TRUE(MarkedFormula([](Expression x) { return abs(x) * 2.0 + x; }).is_as_before());
}

}  // namespace
}  // namespace armature::internal
