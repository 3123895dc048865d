// Positions at equally spaced times of a run, by dense output.
#pragma once

#include <Eigen/Core>

#include "observe/watcher.hpp"

namespace armature::internal::bench {

class Samples : public StepWatcher {
 public:
  Samples(double end, Eigen::MatrixXd& q) : end_(end), q_(q) {}  // one column a sample
  void begin(Dynamics&, const Integrator&, const State&) override { next_ = 0; }
  bool step(const Integrator& integrator, double until) override {
    for (; next_ < q_.cols() && due() <= until; ++next_) {
      integrator.interpolate(due(), x_);
      q_.col(next_) = x_.head(q_.rows());
    }
    return true;
  }

 private:
  double due() const { return end_ * static_cast<double>(next_ + 1) / static_cast<double>(q_.cols()); }
  double end_;
  Eigen::MatrixXd& q_;
  Eigen::Index next_ = 0;
  Eigen::VectorXd x_;
};

}  // namespace armature::internal::bench
