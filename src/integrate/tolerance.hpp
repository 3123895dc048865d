// The tolerance of error control (step/tolerance.hpp), with its own numbers.
#pragma once

#include <Eigen/Core>

#include "step/tolerance.hpp"

namespace armature::internal {

struct Tolerance {
  double rtol = 0;
  Eigen::VectorXd atol;

  step::Tolerance of_step() const { return {rtol, atol.data()}; }  // as long as this lives
  double norm(const Eigen::VectorXd& error, const Eigen::VectorXd& x0, const Eigen::VectorXd& x1) const {
    const auto row = [](const Eigen::VectorXd& x) { return reinterpret_cast<const step::Row<1>*>(x.data()); };
    step::Row<1> result;
    of_step().norm<1>(static_cast<int>(error.size()), row(error), row(x0), row(x1), result);
    return result[0];
  }
};

}  // namespace armature::internal
