// Expressions of a model's state, differentiated backwards: what a weighted sum of them owes to everything that can move.
//
//   lambda += y_x' w + y_d' w + y_t' w + y_p' w        (rows as those of a direction: x, d, t, p, see directional.hpp)
//
// This is the transpose of Directional. One program, a reverse sweep over the expressions (expression/reverse_gradient.hpp), gives all
// rows at once, for a few times the operations of y, however many parameters there are.
//
// The weights of comparisons that slide, further leaves and the points of tables move as well where they are asked for.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "expression/program.hpp"
#include "expression/reverse_gradient.hpp"
#include "sensitivity/table_gradient.hpp"
#include "system/system.hpp"

namespace armature::internal {

// d(sum_k weight_k y_k) as expressions, of which those that are zero are left out.
struct TransposedExpressions {
  std::vector<Expression> weights;  // leaves, one for each y
  std::vector<Expression> outputs;  // rows, then sliders, then further, then argument and adjoint of each look-up
  std::vector<int> rows, sliders, further;  // places of the outputs among all of their kind
  std::vector<TableUse> tables;

  // sliders: comparisons whose weights move; by_further: leaves to differentiate by; tables: those whose points move, by their numbers in
  // the graph. Writes into the graph.
  TransposedExpressions(const System& system, const std::vector<Expression>& y, const std::vector<int>& sliders = {},
                        const std::vector<Expression>& by_further = {}, const std::vector<int>& tables = {});
};

class Transposed {
 public:
  Transposed() = default;
  // further: leaves besides those of the state; the sum is differentiated by them, too.
  Transposed(const System& system, const std::vector<Expression>& y, const std::vector<Expression>& further = {},
             const std::vector<int>& sliders = {}, const std::vector<int>& tables = {});

  // All stay until they are set again.
  void set(const State& state);
  void set_parameters(const Eigen::VectorXd& parameters);
  void set_further(const Eigen::VectorXd& values);

  int size() const { return size_; }  // of the weights
  // lambda gains what it is to the weighted sum.
  void add(const Eigen::VectorXd& weights, Eigen::Ref<Eigen::VectorXd> lambda);
  // The same of the k-th expression alone.
  void add_one(int k, double weight, Eigen::Ref<Eigen::VectorXd> lambda);
  // Of the last sum: what tables are to it, and its derivatives by the weights of the sliders and by the further leaves.
  const std::vector<TableLookUp>& look_ups() const { return look_ups_; }
  const Eigen::VectorXd& by_slider() const { return by_slider_; }
  const Eigen::VectorXd& by_further() const { return by_further_; }

 private:
  Layout n_;
  int size_ = 0;
  std::vector<int> rows_, sliders_, further_;
  std::vector<TableLookUp> look_ups_;
  Evaluator program_;
  Eigen::VectorXd in_, out_, one_, by_slider_, by_further_;
};

}  // namespace armature::internal
