// How an assembled start changes with the free parameters: dx(0) for each column of a direction in them.
//
// Assembly satisfies rows exactly: the loops phi = 0 and the kept values. Where these rows determine every coordinate that they touch, their
// derivative determines the change (implicit differentiation): with J the derivative of the rows along v,
//
//   J dq = - (rows)_p dp          q moves by N dq
//
// `near` values that are met count as kept ones. Velocities follow likewise from phidot = 0 and the given speeds, which depend on q; states z
// start at expressions of the parameters, which are differentiated.
//
// A start that is only near to what the file asks for is the nearest one that closes the loops: the rows do not determine it, and its change
// is taken from assembling four starts around (differences of fourth order).
#pragma once

#include <Eigen/Core>
#include <optional>

#include "prepare/known_positions.hpp"
#include "prepare/prepare.hpp"
#include "sensitivity/directional.hpp"

namespace armature::internal {

// Made once (it writes expressions into the graph), then copied, one per thread.
class StartSensitivity {
 public:
  explicit StartSensitivity(const std::shared_ptr<const System>& system);

  // Why there is none: a sentence without its subject. Empty: there is.
  static std::string missing(const Prepared& prepared);

  // prepared: with its start assembled. S: its rows of dp are given, those of dx are set. scales: how far each parameter may go for
  // differences, a thousandth of it. False: there is no start at the four points around.
  bool operator()(const Prepared& prepared, KnownPositions& known, const Eigen::VectorXd& scales, Eigen::MatrixXd& S);

  bool by_differences() const { return by_differences_; }  // the last one

 private:
  bool differentiate(const Prepared& prepared, Eigen::MatrixXd& S);
  bool differentiate_positions(const State& start, Eigen::MatrixXd& S);
  bool differentiate_velocities(const State& start, Eigen::MatrixXd& S);
  bool take_differences(const Prepared& prepared, KnownPositions& known, const Eigen::VectorXd& scales,
                        Eigen::MatrixXd& S);

  Layout n_;
  SystemEvaluator evaluator_;
  Directional positions_, velocities_, states_;
  SparseTerms terms_;
  Eigen::VectorXd residual_;
  SparseMatrix J_;
  Eigen::MatrixXd changes_;
  bool by_differences_ = false;
};

}  // namespace armature::internal
