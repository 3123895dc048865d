// What moves in a model, by name: coordinates and quantities y(t, q), with their rates and accelerations
//
//   y' = J v + y_t,   y'' = J vdot + (dJ/dt v + dy_t/dt),   J = dy'/dv.
//
// Two models of one machine may differ in their coordinates; what they name alike can be compared.
#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "expression/program.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

// Names of everything that depends on positions, coordinates first.
std::vector<std::string> names_of_motion(const Equations& equations);

class NamedMotion {
 public:
  NamedMotion(const Equations& equations, const std::vector<std::string>& names);

  struct Values {
    Eigen::VectorXd y, rate, acceleration;
    Eigen::MatrixXd J;
  };
  void evaluate(const State& state, const Eigen::VectorXd& vdot, Values& values);
  int size() const { return size_; }

 private:
  int size_, nv_;
  Evaluator evaluator_;
  std::vector<double> in_, out_;
};

}  // namespace armature::internal
