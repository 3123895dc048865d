// Whether a beam that bends far has enough elements for its curvature. In each element the curvature is a sum of Legendre polynomials of
// degree 0 to 3, which share the strain energy between them. Where a force acts inside an element the curvature has a kink; the shares then
// fall slowly with the degree, and what is missing is a little less than the last of them,
//
//   e = 0.6 max(E_3, E_2^2/(8 E_1))/E ,
//
// as a part of the whole. The second term is for a kink whose third degree happens to be small. A load deflects the beam too little by that
// part. What a kink misses falls with the third power of the length of elements. Of a smooth curvature, as of a force at the tip, far less is
// missing than e says; but e is far below what is worth a warning there.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "prepare/prepare.hpp"

namespace armature::internal {

// Which coordinates have which part of the energy.
std::vector<Prepared::Beam::Share> beam_shares(const Beam& beam, const std::string& name, const Model& model,
                                               const Equations& equations);

// The largest error of each beam in what it is shown, as a part of the largest energy.
class BeamCurvatures {
 public:
  explicit BeamCurvatures(const std::vector<Prepared::Beam>& beams) : beams_(beams), largest_(beams.size()) {}
  void look(double t, const Eigen::VectorXd& x);
  Findings findings() const;

  double error(std::size_t beam) const;  // from 0 to 1

 private:
  struct Largest {
    double energy = 0, missing = 0, t = 0;  // t: of what is missing
    double turn = 0;                        // of one element, rad
  };
  const std::vector<Prepared::Beam>& beams_;
  std::vector<Largest> largest_;
};

}  // namespace armature::internal
