#include "sensitivity/singular_bridge.hpp"

#include <algorithm>

#include "step/regularity.hpp"

namespace armature::internal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr int samples_of_piece = 4, samples_of_last_piece = 16;
constexpr std::size_t most_samples = 128;
constexpr std::size_t most_nodes = 6, fewest_nodes = 5;
constexpr double least_spacing = 0.6;  // of the width, between nodes
constexpr double tangent = 1e-3;       // of S: what brings it back to the constraints behind the pose

}  // namespace

void SingularBridge::note(SensitivityPath& path, double from, double until) {
  const double sine = path.regularity();
  if (sine >= regular && sine < step::Regularity::regular) take_samples(path, from, until, samples_of_piece);
}

void SingularBridge::note_last(SensitivityPath& path, double from, double until) {
  take_samples(path, from, until, samples_of_last_piece);
}

void SingularBridge::take_samples(SensitivityPath& path, double from, double until, int count) {
  for (int k = 1; k <= count; ++k) {
    Sample sample{from + (until - from) * k / count, {}};
    path.at(sample.t, sample.S);
    samples_.push_back(std::move(sample));
  }
  if (samples_.size() <= most_samples) return;
  // every other one of the older half is enough
  std::vector<Sample> kept;
  for (std::size_t k = 0; k < samples_.size(); ++k)
    if (k % 2 == 0 || k > most_samples / 2) kept.push_back(std::move(samples_[k]));
  samples_ = std::move(kept);
}

// As far behind the pose as it is known before it.
bool SingularBridge::open(double t, double most) {
  nodes_.clear();
  for (auto sample = samples_.rbegin(); sample != samples_.rend() && nodes_.size() < most_nodes; ++sample) {
    if (sample->t > t) continue;
    const double width = nodes_.empty() ? 0 : 2 * (most - nodes_.front().t);
    if (nodes_.empty() || sample->t <= nodes_.back().t - least_spacing * width) nodes_.push_back(*sample);
  }
  if (nodes_.size() >= fewest_nodes) return true;
  nodes_.clear();
  return false;
}

// Lagrange's form.
void SingularBridge::at(double t, MatrixXd& S) const {
  S = MatrixXd::Zero(nodes_[0].S.rows(), nodes_[0].S.cols());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    double weight = 1;
    for (std::size_t j = 0; j < nodes_.size(); ++j)
      if (j != i) weight *= (t - nodes_[j].t) / (nodes_[i].t - nodes_[j].t);
    S += weight * nodes_[i].S;
  }
}

bool SingularBridge::close(MotionSensitivity& motion, double t, MatrixXd& S) {
  at(t, S);
  const MatrixXd before = S;
  motion.make_tangent(S);
  begin();
  const Index nx = motion.layout().nx();
  for (Index k = 0; k < S.cols(); ++k)
    if (!((S - before).col(k).head(nx).norm() <= tangent * before.col(k).head(nx).norm())) return false;
  return true;
}

}  // namespace armature::internal
