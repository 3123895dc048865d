#include "dynamics/contact_rows.hpp"

#include <algorithm>
#include <cmath>

#include "linear/decompositions.hpp"

namespace armature::internal {

namespace {

Eigen::VectorXd one_per_contact(const step::Row<1>* out, Eigen::Index count) {
  return Eigen::Map<const Eigen::VectorXd>(out->lane, count);
}

}  // namespace

ContactRows::ContactRows(SystemEvaluator& evaluator) : evaluator_(evaluator) {
  const System& system = evaluator.system();
  gap = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(system.equations().contacts.size()));
  int rows = 2 * count();
  for (const RigidContact& contact : system.equations().contacts)
    second.push_back(contact.has_two_tangents() ? rows++ : -1);
  if (count() == 0) return;
  terms_ = evaluator.make_terms();
  rows_.resize(system.layout().nv, system.layout().m);
  rows_.set_groups(row_groups(system.equations()));
}

bool ContactRows::evaluate(double t, const double* x) {
  const Eigen::Index n = count(), nv = evaluator_.system().layout().nv;
  evaluator_.set(t, x);
  const step::KernelOutputs<1>& out = evaluator_.kernels().run(Kernel::contact_rows);
  gap = one_per_contact(out.gaps, n), gap_rate = one_per_contact(out.gap_rates, n);
  sliding = one_per_contact(out.slidings, n);
  gap_bias = one_per_contact(out.gap_biases, n), sliding_bias = one_per_contact(out.sliding_biases, n);
  restitution = one_per_contact(out.restitutions, n), friction = one_per_contact(out.frictions, n);
  tangential_restitution = one_per_contact(out.tangential_restitutions, n);
  const Eigen::Index rows = 2 * n + std::ranges::count_if(second, [](int row) { return row >= 0; });
  G.resize(rows, nv);
  velocity.resize(rows), bias.resize(rows);
  const auto take = [&](Eigen::Index row, Eigen::Index i, const step::Row<1>* along, const step::Row<1>* rate,
                        const step::Row<1>* rest) {
    G.row(row) = Eigen::Map<const Eigen::RowVectorXd>(along->lane + i * nv, nv);
    velocity[row] = rate->lane[i], bias[row] = rest->lane[i];
  };
  for (Eigen::Index i = 0; i < n; ++i) {
    take(2 * i, i, out.normals, out.gap_rates, out.gap_biases);
    take(2 * i + 1, i, out.tangents, out.slidings, out.sliding_biases);
    if (const int row = second[static_cast<std::size_t>(i)]; row >= 0)
      take(row, i, out.second_tangents, out.second_slidings, out.second_sliding_biases);
  }
  // the velocities that a unit of each impulse leaves, along the constraints
  evaluator_.position(terms_);
  if (!G.allFinite() || !rows_.factor(terms_)) return false;
  response_.resize(nv, rows);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(rows_.rows());
  Eigen::VectorXd dv(nv), mu(rows_.rows()), force;
  for (Eigen::Index k = 0; k < rows; ++k) {
    force = G.row(k);
    rows_.solve(force, none, dv, mu);
    response_.col(k) = dv;
  }
  A = G * response_;
  A = (0.5 * (A + A.transpose())).eval();
  return A.allFinite();
}

}  // namespace armature::internal
