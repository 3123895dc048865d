// Weights of sliding modes. A comparison slides while both of its branches push the state back to root = 0; its weight w is
// then whatever keeps it there:
//
//   residual(w) = d(root)/dt (w) + rate root = 0
//
// The accelerations are affine in w as a rule, so that one more evaluation for each comparison gives the linear system; its solution
// of least distance from 1/2 is taken (two comparisons may do the same), and corrected once where it was not affine. With friction that
// depends on its load (system/friction_loads.hpp) they are rational functions of w: then Broyden's method goes on.
//
// A weight loses its hold where another comparison or a sampled value switches its term off, or where its branches begin to push
// the root away. No weight is right there. The comparison gets one just outside its range, on the side to which the root moves, so that
// the search for events (step/event_search.hpp) ends the sliding where the hold is lost.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "linear/kinetic_rows.hpp"
#include "step/comparison.hpp"
#include "step/sliding.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

class Sliding {
 public:
  explicit Sliding(const System& system);

  void set(const std::vector<ComparisonStatus>& comparisons);
  void set_rate(double rate) { rate_ = rate; }  // 1/s: how fast roots that are not quite zero return
  double rate() const { return rate_; }
  bool any() const { return !comparisons_.empty(); }
  // The only comparison that slides, where accelerations are affine in its weight; -1: there is none such.
  int single() const { return affine_ && comparisons_.size() == 1 ? comparisons_[0] : -1; }

  // accelerate: sets acceleration and returns whether it could, at the inputs that are set in the evaluator. Whatever weights
  // were before, those of a state are the same.
  bool solve(SystemEvaluator& evaluator, const Eigen::VectorXd& vdot, Eigen::VectorXd& w,
             const std::function<bool()>& accelerate);

 private:
  bool find_residual(SystemEvaluator& evaluator, const Eigen::VectorXd& vdot, const Eigen::VectorXd& w,
                     const std::function<bool()>& accelerate, Eigen::VectorXd& result);
  // The i-th of those that slide, after the solve.
  bool is_pushed(Eigen::Index i) const;
  bool is_lost(Eigen::Index i) const;
  double outside(Eigen::Index i) const;
  bool update_slopes(bool single);

  const std::vector<Graph::Comparison>& all_;
  bool affine_;
  double rate_ = 1;
  std::vector<int> comparisons_;
  Eigen::VectorXd roots_, rates_, residual_, other_, step_, before_;
  Eigen::MatrixXd J_, unit_;
  KineticRows rows_;
};

}  // namespace armature::internal
