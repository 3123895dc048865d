// Velocities of the centers of mass of a mechanism's bodies, by the rates of its coordinates:
//
//   r' = (dr/dq) N(q) v + dr/dt
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "expression/program.hpp"
#include "model/model.hpp"
#include "record/recorder.hpp"

namespace armature::internal::plot {

class CenterVelocities {
 public:
  // Channels of the rows, which name coordinates and rates.
  CenterVelocities(const Model& model, const std::vector<Channel>& channels);

  // By body, m/s, in ground axes; NaN where the row lacks a rate.
  std::vector<Eigen::Vector3d> at(std::span<const double> row);

 private:
  std::vector<int> columns_;  // of the program's inputs; -1: not recorded
  Evaluator evaluate_;
  std::vector<double> in_, out_;
};

}  // namespace armature::internal::plot
