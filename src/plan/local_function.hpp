// Some expressions of some leaves as programs: values, the entries of their Jacobian that are not zero, and of the Hessian of a weighted
// sum of them. A plan evaluates one such function at every point of its mesh.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "expression/graph.hpp"
#include "expression/program.hpp"

namespace armature::internal {

class LocalFunction {
 public:
  struct Entry {
    int row, column;
  };

  LocalFunction() = default;
  // Throws std::logic_error where an output depends on another leaf.
  LocalFunction(const std::vector<Expression>& leaves, const std::vector<Expression>& outputs);

  int inputs() const { return inputs_; }
  int outputs() const { return outputs_; }
  const std::vector<Entry>& jacobian_entries() const { return jacobian_entries_; }  // output, input
  const std::vector<Entry>& hessian_entries() const { return hessian_entries_; }    // inputs; row >= column

  void values(const double* in, double* out) const { values_(in, out); }
  void jacobian(const double* in, double* out) const { jacobian_(in, out); }
  // in: the inputs, then the weights of the outputs.
  void hessian(const double* in_and_weights, double* out) const { hessian_(in_and_weights, out); }

  // For single points: allocated.
  Eigen::VectorXd values(const Eigen::VectorXd& in) const;
  Eigen::MatrixXd jacobian(const Eigen::VectorXd& in) const;

 private:
  int inputs_ = 0, outputs_ = 0;
  std::vector<Entry> jacobian_entries_, hessian_entries_;
  mutable Evaluator values_, jacobian_, hessian_;
};

}  // namespace armature::internal
