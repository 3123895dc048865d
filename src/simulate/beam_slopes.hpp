// How far beams bend. Their theory is that of small deflections: in place of the curvature y''/(1 + y'^2)^(3/2) stands y'',
// which is too large by a tenth at a slope y' of 0.26 and by a seventh at 0.3; beyond, results are no longer those of a beam.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "simulate/prepare.hpp"

namespace armature {

// At the nodes and in the middle between them, of each plane of bending.
std::vector<Prepared::Beam::Slope> beam_slopes(const Beam& beam, const std::string& name, const Model& model,
                                               const Equations& equations);

// Beams that bend in two planes or twist turn in other ways, too; and of one whose length is not known yet slopes are not.
bool turns_by_slopes(const Beam& beam, const Model& model);

// The largest slope of each beam in what it is shown.
class BeamSlopes {
 public:
  explicit BeamSlopes(const std::vector<Prepared::Beam>& beams);
  void look(double t, const Eigen::VectorXd& x);
  std::vector<std::string> warnings() const;  // a sentence for each beam that bends too far

 private:
  struct Largest {
    double slope = 0, t = 0;  // rad, s
  };
  const std::vector<Prepared::Beam>& beams_;
  std::vector<Largest> largest_;
};

}  // namespace armature
