// Whether a beam that bends far has enough elements for its curvature. In each element the curvature is a sum of Legendre polynomials of
// degree 0 to 3, which share the strain energy between them. Of a smooth curvature the shares fall from degree to degree by about the
// same factor; so the two highest, against the two lowest, tell what the next two would have had:
//
//   e = ((E_2 + E_3)/(E_0 + E_1))^2
//
// is the energy that is missing, as a part of the whole. A load deflects the beam too little by that part.
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
  std::vector<std::string> warnings() const;

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
