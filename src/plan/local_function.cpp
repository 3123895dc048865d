#include "plan/local_function.hpp"

#include <memory>
#include <unordered_map>

#include "expression/derivative.hpp"
#include "expression/interruption.hpp"
#include "expression/reverse_gradient.hpp"

namespace armature::internal {

namespace {

using List = std::vector<Expression>;

// Which of the leaves each expression depends on: leaf numbers by expression.
std::vector<std::vector<int>> dependence(const List& expressions, const List& leaves) {
  std::unordered_map<std::int32_t, int> number;
  for (std::size_t k = 0; k < leaves.size(); ++k) number[leaves[k].id()] = static_cast<int>(k);
  std::vector<std::vector<int>> result;
  for (const Expression& x : expressions) {
    result.emplace_back();
    for (const std::int32_t leaf : leaves_of(x))
      if (const auto found = number.find(leaf); found != number.end()) result.back().push_back(found->second);
  }
  return result;
}

// d(expressions)/d(leaves) where it is not zero; of a symmetric matrix the lower half.
List derivatives(const List& expressions, const List& leaves, bool lower, std::vector<LocalFunction::Entry>& entries) {
  // Only pairs of an expression and a leaf that it contains; a column at a time, so that one sweep serves all rows of
  // a leaf.
  const auto depends = dependence(expressions, leaves);
  std::vector<std::vector<int>> rows(leaves.size());
  for (std::size_t r = 0; r < depends.size(); ++r)
    for (const int k : depends[r])
      if (!lower || static_cast<int>(r) >= k) rows[static_cast<std::size_t>(k)].push_back(static_cast<int>(r));
  List result;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    stop_if_interrupted();
    Derivative along({{leaves[k].id(), 1.0}});
    for (const int r : rows[k]) {
      const Expression derivative = along(expressions[static_cast<std::size_t>(r)]);
      if (derivative.is(0)) continue;
      entries.push_back({r, static_cast<int>(k)});
      result.push_back(derivative);
    }
  }
  return result;
}

}  // namespace

LocalFunction::LocalFunction(const List& leaves, const List& outputs)
    : inputs_(static_cast<int>(leaves.size())), outputs_(static_cast<int>(outputs.size())) {
  values_ = Evaluator(std::make_shared<const Program>(leaves, outputs));
  jacobian_ =
      Evaluator(std::make_shared<const Program>(leaves, derivatives(outputs, leaves, false, jacobian_entries_)));
  // the weighted sum and its gradient
  Graph& graph = *leaves.front().graph();
  List all = leaves;
  Expression sum = 0.0;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    all.push_back(graph.input("weight"));
    sum += all.back() * outputs[k];
  }
  const List gradient = reverse_gradient(sum, leaves);
  hessian_ = Evaluator(std::make_shared<const Program>(all, derivatives(gradient, leaves, true, hessian_entries_)));
}

Eigen::VectorXd LocalFunction::values(const Eigen::VectorXd& in) const {
  Eigen::VectorXd out(outputs_);
  values(in.data(), out.data());
  return out;
}

Eigen::MatrixXd LocalFunction::jacobian(const Eigen::VectorXd& in) const {
  Eigen::VectorXd entries(static_cast<Eigen::Index>(jacobian_entries_.size()));
  jacobian(in.data(), entries.data());
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(outputs_, inputs_);
  for (std::size_t k = 0; k < jacobian_entries_.size(); ++k)
    J(jacobian_entries_[k].row, jacobian_entries_[k].column) = entries[static_cast<Eigen::Index>(k)];
  return J;
}

}  // namespace armature::internal
