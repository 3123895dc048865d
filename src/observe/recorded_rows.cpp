#include "observe/recorded_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace armature::internal {

namespace {

constexpr int largest_svd = 40;  // rows of Phi; beyond, a singular value decomposition a row would dominate the run
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

RecordedRows::RecordedRows(Dynamics& dynamics, Recorder& recorder, Known known)
    : dynamics_(dynamics),
      recorder_(recorder),
      system_(dynamics.system()),
      energy_(dynamics.system(), known == Known::all),
      terms_(dynamics.evaluator().make_sparse_terms()) {
  const Layout& n = system_.layout();
  content_.forces = known != Known::positions;
  content_.energy_error = content_.forces && energy_.possible();
  content_.singular_values = n.m > 0 && n.m <= largest_svd;
  columns_ = row_columns(system_, content_);
  if (content_.singular_values) smallest_singular_value_.resize(n.m, n.nv);
}

// References of angles are not recorded; the angles are, and a reference is put where its angle is.
Eigen::VectorXd state_of_row(std::span<const double> row, const Equations& e, const Eigen::VectorXd& d) {
  const std::size_t nx = e.q.size() + e.v.size() + e.z.size(), recorded = nx - e.references.size();
  Eigen::VectorXd x(static_cast<Eigen::Index>(nx));
  std::copy_n(row.begin() + 1, recorded, x.begin());
  for (std::size_t i = 0; i < e.references.size(); ++i) {
    const auto angle = std::ranges::find(e.quantities, e.references[i].name, &Quantity::name) - e.quantities.begin();
    const auto turns = std::ranges::find(e.discrete, e.references[i].name, &Discrete::name) - e.discrete.begin();
    x[static_cast<Eigen::Index>(recorded + i)] = row[1 + recorded + static_cast<std::size_t>(angle)] - d[turns];
  }
  return x;
}

void RecordedRows::begin(const State& start) {
  std::vector<Channel> channels;
  for (const RowColumns& columns : columns_)
    channels.insert(channels.end(), columns.channels.begin(), columns.channels.end());
  recorder_.begin(channels);
  evaluate(start.t, start.x);
  energy_.begin(observables_, start.x);
}

void RecordedRows::evaluate(double t, const Eigen::VectorXd& x) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set(t, x.data());
  evaluator.set_outcomes(dynamics_.weights());
  evaluator.motion(terms_);
  evaluator.observables(observables_);
}

bool RecordedRows::write(double t, const Eigen::VectorXd& x) {
  const bool solved = !content_.forces || dynamics_.solve_multipliers(t, x.data());
  evaluate(t, x);
  row_.clear();
  for (const RowColumns& columns : columns_) add(columns.part, t, x, solved);
  if (system_.layout().m > 0) note_constraint_errors();
  ++statistics_.rows;
  recorder_.row(row_);
  return solved;
}

void RecordedRows::add(RowPart part, double t, const Eigen::VectorXd& x, bool solved) {
  const Equations& e = system_.equations();
  const Acceleration& acceleration = dynamics_.acceleration();
  const auto add = [&](double value) { row_.push_back(value); };
  const auto add_if_solved = [&](double value) { row_.push_back(solved ? value : unknown); };
  switch (part) {
    case RowPart::time: return add(t);
    case RowPart::state:
      row_.insert(row_.end(), x.begin(), x.end() - static_cast<std::ptrdiff_t>(e.references.size()));
      return;
    case RowPart::quantities:
      row_.insert(row_.end(), observables_.quantities.begin(), observables_.quantities.end());
      return;
    case RowPart::efforts:
      for (std::size_t r = 0; r < e.rows.size(); ++r)
        if (e.rows[r].effort) add_if_solved(-acceleration.lambda[r]);
      return;
    case RowPart::multipliers:
      for (std::size_t r = 0; r < e.rows.size(); ++r) add_if_solved(acceleration.lambda[r]);
      return;
    case RowPart::reactions:
      if (e.reactions.empty()) return;
      dynamics_.evaluator().reactions(acceleration.vdot, acceleration.lambda, wrenches_);
      for (const double wrench : wrenches_) add_if_solved(wrench);
      return;
    case RowPart::kinetic: return add(observables_.kinetic);
    case RowPart::potential: return add(observables_.potential);
    case RowPart::elastic: return add(observables_.elastic);
    case RowPart::magnetic: return add(observables_.magnetic);
    case RowPart::energy_error: return add(solved ? energy_.look(observables_, x) : unknown);
    case RowPart::position_error: return add(terms_.phi.lpNorm<Eigen::Infinity>());
    case RowPart::velocity_error: return add(terms_.phidot.lpNorm<Eigen::Infinity>());
    case RowPart::rank: return add_if_solved(acceleration.rank);
    case RowPart::smallest_pivot: return add_if_solved(acceleration.smallest);
    case RowPart::smallest_singular_value:
      return add(all_finite(terms_.Phi) ? smallest_singular_value_(terms_.Phi) : unknown);
  }
}

void RecordedRows::note_constraint_errors() {
  statistics_.position_error = std::max(statistics_.position_error, terms_.phi.lpNorm<Eigen::Infinity>());
  statistics_.velocity_error = std::max(statistics_.velocity_error, terms_.phidot.lpNorm<Eigen::Infinity>());
}

void RecordedRows::report(RunStatistics& statistics) const {
  statistics.rows = statistics_.rows;
  statistics.position_error = statistics_.position_error;
  statistics.velocity_error = statistics_.velocity_error;
}

}  // namespace armature::internal
