#include "simulate/rank_dips.hpp"

#include <algorithm>

namespace armature {

namespace {

constexpr double golden = 0.6180339887498949;
constexpr int halvings = 43;     // by the golden section, to 1e-9 of a step
constexpr double further = 1.5;  // the fall may grow steeper

}  // namespace

RankDips::RankDips(Dynamics& dynamics)
    : dynamics_(dynamics),
      rank_(static_cast<int>(dynamics.system().options().independent_rows.size())),
      terms_(dynamics.evaluator().make_sparse_terms()) {
  const Layout& n = dynamics.system().layout();
  rows_.resize(n.nv, n.m);
  rows_.set_groups(row_groups(dynamics.system().equations()));
  x_ = Eigen::VectorXd::Zero(n.nx());
}

void RankDips::note(const Integrator& integrator) {
  before_ = last_, last_ = now_;
  now_ = {integrator.t(), dynamics_.acceleration().smallest};
}

double RankDips::pivot_at(const Integrator& integrator, double t) {
  integrator.interpolate(t, x_);
  if (t < integrator.t()) dynamics_.project(t, x_.data(), nullptr);
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set(t, x_.data());
  evaluator.position(terms_);
  const bool factored = rows_.factor(terms_.M, terms_.Phi);
  return factored && rows_.rank() == rank_ ? rows_.smallest() : 0;
}

void RankDips::find(const Integrator& integrator, double until) {
  const double fall = (before_.pivot - last_.pivot) / (last_.t - before_.t);
  if (!(fall > 0) || last_.pivot - further * fall * (until - last_.t) > near_singular) return;
  double a = std::max(last_.t, integrator.previous_t()), b = until;
  const double width = b - a;
  double c = b - golden * width, d = a + golden * width;
  double fc = pivot_at(integrator, c), fd = pivot_at(integrator, d);
  for (int k = 0; k < halvings; ++k) {
    if (fc < fd)
      b = d, d = c, fd = fc, c = b - golden * (b - a), fc = pivot_at(integrator, c);
    else
      a = c, c = d, fc = fd, d = a + golden * (b - a), fd = pivot_at(integrator, d);
  }
  if (std::min(fc, fd) > near_singular) return;
  pivot_at(integrator, fc < fd ? c : d);
  rows_.factor(terms_.M, terms_.Phi, near_singular);
  smallest_rank_ = smallest_rank_ < 0 ? rows_.rank() : std::min(smallest_rank_, rows_.rank());
}

}  // namespace armature
