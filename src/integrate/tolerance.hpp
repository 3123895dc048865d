// The tolerance of error control (step/tolerance.hpp), with its own numbers.
#pragma once

#include <Eigen/Core>

#include "step/tolerance.hpp"

namespace armature::internal {

struct Tolerance {
  double rtol = 0;
  Eigen::VectorXd atol;

  step::Tolerance<1> of_step() const { return {rtol, row(atol)}; }  // as long as this lives
  double norm(const Eigen::VectorXd& error, const Eigen::VectorXd& x0, const Eigen::VectorXd& x1) const {
    step::Row<1> result;
    of_step().norm(static_cast<int>(error.size()), row(error), row(x0), row(x1), result);
    return result[0];
  }

 private:
  static const step::Row<1>* row(const Eigen::VectorXd& x) { return reinterpret_cast<const step::Row<1>*>(x.data()); }
};

}  // namespace armature::internal
