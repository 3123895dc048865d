#include "simulate/turns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace armature {

Turns::Turns(const Prepared& prepared)
    : bounds_(prepared.turn_bounds),
      from_(prepared.start.x.head(prepared.system->layout().nq)),
      configuration_(prepared.system->equations()),
      qdot_(Eigen::VectorXd::Zero(from_.size())),
      beside_(prepared.start.x),
      reference_(prepared.start.d),
      reference_beside_(prepared.start.d),
      most_(prepared.system->equations().quaternions.empty() ? 2.5 : 1.0) {}

template <class Change>
double Turns::longest_way(const Change& change) const {
  double longest = 0;
  for (const std::vector<int>& list : bounds_->coordinates) {
    double way = 0;
    for (const int i : list) way += bounds_->turn[i] * std::abs(change(i));
    longest = std::max(longest, way);
  }
  return longest;
}

// No list has moved by `share` where the coordinate that turned most has moved by less than its part of the longest one.
bool Turns::moved(const Eigen::VectorXd& x) const {
  const auto most = [&] { return ((x.head(from_.size()) - from_).array().abs() * bounds_->turn.array()).maxCoeff(); };
  if (bounds_->longest == 0 || bounds_->longest * most() <= share) return false;
  return longest_way([&](int i) { return x[i] - from_[i]; }) > share;
}

double Turns::longest_step(const State& state, double h, SystemEvaluator& evaluator) {
  constexpr double any = std::numeric_limits<double>::infinity();
  if (!far_) return any;
  configuration_.rate(state.x.data(), state.x.data() + from_.size(), qdot_.data());
  const double longest_rate = longest_way([&](int i) { return qdot_[i]; });
  if (longest_rate * h <= most_) return any;
  const double rate = fastest(state, longest_rate, evaluator);
  return rate * h <= most_ ? any : most_ / rate;
}

double Turns::fastest(const State& state, double longest_rate, SystemEvaluator& evaluator) {
  const double dt = 1e-3 / longest_rate;  // turns by a thousandth of a rad at most
  beside_ = state.x;
  beside_.head(from_.size()) += dt * qdot_;
  reference_ = reference_beside_ = state.d;
  evaluator.set(state.t, state.x.data());
  evaluator.next_discrete(reference_);
  evaluator.set(state.t + dt, beside_.data());
  evaluator.next_discrete(reference_beside_);
  return (reference_beside_ - reference_).cwiseAbs().maxCoeff() / dt;
}

// Along the step, from one place to the next of which no angle turns by more than about a rad. (Quaternions need not be looked
// at: with either sign they are the same rotation.)
bool Turns::too_far(const State& start, const Step& step, SystemEvaluator& evaluator) {
  constexpr double half_a_turn = 3;    // rad, nearly
  constexpr double most_places = 1e4;  // a step over more turns than these is too long whatever the cut joints do
  far_ = false;
  if (bounds_->coordinates.empty() || !bounds_->known || !moved(step.x())) return false;
  const double way = longest_way([&](int i) { return step.x()[i] - start.x[i]; });
  if (way <= most_) return false;
  far_ = true;
  const double places = std::ceil(way);
  if (!(places < most_places)) return true;
  reference_ = start.d;
  for (double k = 1; k <= places; ++k) {
    const double t = start.t + (step.t() - start.t) * (k / places);
    step.interpolate(t, beside_);
    evaluator.set(t, beside_.data());
    reference_beside_ = start.d;
    evaluator.next_discrete(reference_beside_);
    for (Eigen::Index i = 0; i < reference_.size(); ++i) {
      reference_[i] += std::remainder(reference_beside_[i] - reference_[i], 2 * std::numbers::pi);
      if (std::abs(reference_[i] - start.d[i]) > half_a_turn) return true;
    }
  }
  return false;
}

bool Turns::due(const Eigen::VectorXd& x) {
  if (bounds_->coordinates.empty() || (bounds_->known && !moved(x))) return false;
  from_ = x.head(from_.size());
  return true;
}

}  // namespace armature
