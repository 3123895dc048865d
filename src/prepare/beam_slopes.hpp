// How far beams bend, and by how much their theory then errs. It is that of small deflections: with w along the arc s the
// curvature is w''/sqrt(1 - w'^2), and the strain energy has w'' in its place. What is missing of the energy,
// 1/2 int EI w''^2 w'^2, is of fourth order. It stiffens the beam: a load that deflects it by q in the linear theory deflects
// it by q (1 - e),
//
//   e = 2 int w''^2 w'^2 / int w''^2
//
// to second order in the slopes, if the shape stays the same. For a force at the tip of a cantilever e = 16/35 slope^2, as the
// series of the elastica gives it. Loads by moments err less.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "prepare/prepare.hpp"

namespace armature::internal {

// At the nodes and in the middle between them, of each plane of bending.
std::vector<Prepared::Beam::Slope> beam_slopes(const Beam& beam, const std::string& name, const Model& model,
                                               const Equations& equations);

// The largest slope and error of each beam in what it is shown.
class BeamSlopes {
 public:
  explicit BeamSlopes(const std::vector<Prepared::Beam>& beams);
  void look(double t, const Eigen::VectorXd& x);
  Findings findings() const;  // of each beam that errs by a noticeable part

 private:
  struct Largest {
    double slope = 0, t = 0;  // rad, s
    double error = 0;         // of the deflection
  };
  const std::vector<Prepared::Beam>& beams_;
  std::vector<Largest> largest_;
  std::vector<double> slopes_;
};

}  // namespace armature::internal
