// By how much the beams of a machine err in what they are shown: those of small deflections where they bend far (beam_slopes.hpp),
// those that may bend far where they have too few elements (beam_curvatures.hpp).
#pragma once

#include "prepare/beam_curvatures.hpp"
#include "prepare/beam_slopes.hpp"

namespace armature::internal {

class BeamErrors {
 public:
  explicit BeamErrors(const std::vector<Prepared::Beam>& beams) : slopes_(beams), curvatures_(beams) {}
  void look(double t, const Eigen::VectorXd& x) { slopes_.look(t, x), curvatures_.look(t, x); }
  Findings findings() const;  // of each beam that errs by a noticeable part

 private:
  BeamSlopes slopes_;
  BeamCurvatures curvatures_;
};

}  // namespace armature::internal
