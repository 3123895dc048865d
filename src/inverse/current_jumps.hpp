// Currents that a wanted motion makes jump: where its acceleration does, or at a reversal with Coulomb friction or gear
// losses. Through an inductance a jump needs infinite voltage, of which the rows on both sides show nothing.
//
// A jump is looked for between two rows where the current changes otherwise than its rates at both say, by halving the
// interval towards the larger change: that of a continuous current shrinks with it.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "model/finding.hpp"

namespace armature::internal {

class CurrentJumps {
 public:
  explicit CurrentJumps(const std::vector<std::string>& motors);

  // The currents a share s, 0 to 1, of the way from the row before to this one. False: they have no value.
  using Between = std::function<bool(double s, Eigen::VectorXd& currents)>;
  // The next row: currents and their rates, A and A/s.
  void add_row(double t, const Eigen::VectorXd& current, const Eigen::VectorXd& rate, const Between& between);
  Findings findings() const;

 private:
  struct Jump {
    double t, size;
  };
  struct Motor {
    std::string name;
    double largest;  // current so far
    std::vector<Jump> jumps;
  };
  void look_between(Eigen::Index k, double t, double current, double by_rates, const Between& between);

  std::vector<Motor> motors_;
  bool begun_ = false;
  double t_ = 0;
  Eigen::VectorXd current_, rate_, middle_;
};

}  // namespace armature::internal
