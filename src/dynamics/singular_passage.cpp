#include "dynamics/singular_passage.hpp"

#include <algorithm>
#include <array>

#include "step/passed_pose.hpp"

namespace armature::internal {

namespace {

using Numbers = Eigen::Map<const Eigen::VectorXd>;

static_assert(step::unreadable == SingularPassage::reach / 8);
constexpr std::array interpolation = {0.75, -0.3, 0.05};  // at 0, from the values at +-1, +-2, +-3
constexpr double on_branch =
    1e-12;  // phi of its size, that of the interpolated positions: round-off and what interpolation adds

// A pose upon which the motion hardly moves may be left to any side: there nothing is known of what lies beyond it.
constexpr double least_motion = 1.2e-4;  // rad, or lengths, within which the velocity must stay what it is to a tenth

}  // namespace

SingularPassage::SingularPassage(SystemEvaluator& evaluator, Formulation& formulation, Projection& projection,
                                 const Configuration& configuration, const Stabilization& stabilization)
    : evaluator_(evaluator),
      formulation_(formulation),
      projection_(projection),
      configuration_(configuration),
      stabilization_(stabilization),
      n_(evaluator.system().layout()),
      rows_(static_cast<int>(evaluator.system().options().independent_rows.size())),
      terms_(evaluator.make_sparse_terms()),
      side_(n_.nv, n_.m) {
  b_ = Eigen::VectorXd::Zero(n_.m);
  force_ = step_ = Eigen::VectorXd::Zero(n_.nv);
  beside_ = Eigen::VectorXd::Zero(n_.nx());
  branch_ = Eigen::VectorXd::Zero(n_.nq);
}

bool SingularPassage::is_singular(const Acceleration& acceleration) const {
  return formulation_.is_auto() && (acceleration.rank < rows_ || acceleration.smallest < step::unreadable);
}

bool SingularPassage::accelerate(double t, const double* x, double farthest, Acceleration& result) {
  projection_.begin(t, x);
  const MachineSize& size = projection_.size();
  const double speed = size.of_velocities(x + n_.nq);
  if (speed == 0) return false;
  // from both sides, where these are regular, if they are sides of one branch
  bool found = false;
  for (double away = reach; !found && away <= farthest; away *= 2) found = interpolate(t, x, away / speed, result);
  found = found && branch_leads_through(t, x);
  evaluator_.set(t, x);
  // and if the motion does not turn round within the pose
  const double change = size.of_velocities(result.vdot.data()) / speed;  // of the speed, 1/s
  constexpr double turned_little = 0.1;                                  // of the direction, along the least motion
  return found && change * least_motion / speed < turned_little;
}

// With the forces of x on all sides: what drives the motion may change faster than the branch. Time stands still, but where
// constraints move with it: then it goes on with the positions.
bool SingularPassage::interpolate(double t, const double* x, double dt, Acceleration& result) {
  // forces of x itself
  const bool moving = constraints_move(t, x, dt);
  evaluator_.set(t, x);
  evaluator_.all(terms_);
  force_ = terms_.f;
  // accelerations, multipliers and positions at three points on each side, and the polynomial through them at x
  result.vdot.setZero(), result.lambda.setZero(), branch_.setZero();
  for (std::size_t k = 0; k < interpolation.size(); ++k) {
    const double away = dt * static_cast<double>(k + 1);
    for (const double side : {-away, away}) {
      if (!accelerate_beside(moving ? t + side : t, x, side)) return false;
      result.vdot += interpolation[k] * side_.vdot;
      result.lambda += interpolation[k] * side_.lambda;
      branch_ += interpolation[k] * beside_.head(n_.nq);
    }
  }
  return true;
}

bool SingularPassage::constraints_move(double t, const double* x, double dt) {
  evaluator_.set(t, x);
  evaluator_.position(terms_);
  b_ = terms_.phi;
  evaluator_.set(t + dt, x);
  evaluator_.position(terms_);
  return b_ != terms_.phi;
}

// At x moved on by dt; false: it is singular there, too.
bool SingularPassage::accelerate_beside(double t, const double* x, double dt) {
  // the nearest state on the constraints
  beside_ = Numbers(x, n_.nx());
  step_ = dt * beside_.segment(n_.nq, n_.nv);
  configuration_.advance(beside_.data(), step_.data());
  const double* nearest = projection_.nearest(t, beside_.data());
  if (!nearest) return false;
  // and the acceleration there, with the forces of x
  beside_ = Numbers(nearest, n_.nx());
  evaluator_.set(t, nearest);
  evaluator_.all(terms_);
  b_ = terms_.gamma - stabilization_.alpha * terms_.phidot - stabilization_.beta * terms_.phi;
  terms_.f = force_;
  formulation_.solve(terms_, b_, side_);
  return side_.ok && !is_singular(side_);
}

// Where branches only come near each other, the points on both sides lie on two of them, and the curve through them leaves
// the constraints in between.
bool SingularPassage::branch_leads_through(double t, const double* x) {
  beside_ = Numbers(x, n_.nx());
  beside_.head(n_.nq) = branch_;
  configuration_.normalize(beside_.data());
  evaluator_.set(t, beside_.data());
  evaluator_.position(terms_);
  const MachineSize& size = projection_.size();
  return size.of_rows(terms_.phi) <= on_branch * std::max(1.0, size.of_positions(branch_.data()));
}

}  // namespace armature::internal
