// S across a singular pose that the motion passes (docs/theory/singular_passage.md).
//
// Next to the pose the rows of the constraints are nearly dependent, and the rates of S have no digits. What does not change the loops (masses,
// forces, speeds) has an S that is smooth there: beyond the last regular time it goes on as the polynomial through values before it, until
// the pose is regular again. There S must be tangent to the constraints by itself. If it is not, motions nearby do not pass this pose.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "sensitivity/sensitivity_path.hpp"

namespace armature::internal {

class SingularBridge {
 public:
  static constexpr double regular = 2e-3;  // sine between a row and the others: below it rates of S have few digits

  void begin() { samples_.clear(), nodes_.clear(); }
  bool active() const { return !nodes_.empty(); }

  // After a piece: what is needed of it, which is nothing far away from a singular pose.
  void note(SensitivityPath& path, double from, double until);
  void note_last(SensitivityPath& path, double from, double until);  // up to the last regular time
  // The polynomial from t on; most: when the pose is most singular. False: too little is known before.
  bool open(double t, double most);
  void at(double t, Eigen::MatrixXd& S) const;
  // S at t, where the pose is regular again and `motion` is. False: it is not tangent.
  bool close(MotionSensitivity& motion, double t, Eigen::MatrixXd& S);

 private:
  struct Sample {
    double t;
    Eigen::MatrixXd S;
  };
  void take_samples(SensitivityPath& path, double from, double until, int count);

  std::vector<Sample> samples_;
  std::vector<Sample> nodes_;
};

}  // namespace armature::internal
