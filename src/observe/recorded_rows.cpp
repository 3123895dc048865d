#include "observe/recorded_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "observe/reaction_channels.hpp"

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
      forces_(known != Known::positions),
      balances_(forces_ && energy_.possible()),
      terms_(dynamics.evaluator().make_sparse_terms()) {
  singular_values_ = system_.layout().m > 0 && system_.layout().m <= largest_svd;
  const Layout& n = system_.layout();
  if (singular_values_) smallest_singular_value_.resize(n.m, n.nv);
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

void RecordedRows::add_force_channels(std::vector<Channel>& list) const {
  const Equations& e = system_.equations();
  for (const ConstraintRow& row : e.rows)
    if (row.effort) list.push_back({row.name, row.force_unit});
  for (const ConstraintRow& row : e.rows)
    list.push_back({"lambda." + row.name, row.unit == "m" ? "N" : row.unit == "rad" ? "N m" : row.force_unit});
  add_reaction_channels(e, list);
}

std::vector<Channel> RecordedRows::channels() const {
  const Equations& e = system_.equations();
  std::vector<Channel> list{{"t", "s"}};
  for (const auto* coordinates : {&e.positions, &e.velocities, &e.others})
    for (const Coordinate& coordinate : *coordinates)
      if (coordinate.kind != Coordinate::Kind::reference) list.push_back({coordinate.name, coordinate.unit});
  for (const Quantity& quantity : e.quantities) list.push_back({quantity.name, quantity.unit});
  if (forces_) add_force_channels(list);
  list.push_back({"energy.kinetic", "J"});
  list.push_back({"energy.potential", "J"});
  if (!e.elastic.is(0)) list.push_back({"energy.elastic", "J"});
  if (!e.magnetic.is(0)) list.push_back({"energy.magnetic", "J"});
  if (balances_) list.push_back({"energy.error", "J"});
  if (system_.layout().m > 0) {
    list.push_back({"constraint.position", ""});
    list.push_back({"constraint.velocity", ""});
    if (forces_) list.push_back({"rank", ""});
    if (forces_) list.push_back({"smallest_pivot", ""});
    if (singular_values_) list.push_back({"smallest_singular_value", ""});
  }
  return list;
}

void RecordedRows::begin(const State& start) {
  recorder_.begin(channels());
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
  const bool ok = !forces_ || dynamics_.solve_multipliers(t, x.data());
  write_row(t, x, ok);
  return ok;
}

void RecordedRows::add_forces(bool solved) {
  const Equations& e = system_.equations();
  const Acceleration& acceleration = dynamics_.acceleration();
  for (std::size_t r = 0; r < e.rows.size(); ++r)
    if (e.rows[r].effort) row_.push_back(solved ? -acceleration.lambda[r] : unknown);
  for (std::size_t r = 0; r < e.rows.size(); ++r) row_.push_back(solved ? acceleration.lambda[r] : unknown);
  if (e.reactions.empty()) return;
  dynamics_.evaluator().reactions(acceleration.vdot, acceleration.lambda, wrenches_);
  for (double wrench : wrenches_) row_.push_back(solved ? wrench : unknown);
}

void RecordedRows::write_row(double t, const Eigen::VectorXd& x, bool solved) {
  const Equations& e = system_.equations();
  const Acceleration& acceleration = dynamics_.acceleration();
  evaluate(t, x);
  row_.assign(1, t);
  row_.insert(row_.end(), x.begin(), x.end() - static_cast<std::ptrdiff_t>(e.references.size()));
  row_.insert(row_.end(), observables_.quantities.data(),
              observables_.quantities.data() + observables_.quantities.size());
  if (forces_) add_forces(solved);
  row_.push_back(observables_.kinetic);
  row_.push_back(observables_.potential);
  if (!e.elastic.is(0)) row_.push_back(observables_.elastic);
  if (!e.magnetic.is(0)) row_.push_back(observables_.magnetic);
  if (balances_) row_.push_back(solved ? energy_.look(observables_, x) : unknown);
  if (system_.layout().m > 0) {
    const double position = terms_.phi.lpNorm<Eigen::Infinity>(), velocity = terms_.phidot.lpNorm<Eigen::Infinity>();
    row_.push_back(position);
    row_.push_back(velocity);
    if (forces_) row_.push_back(solved ? acceleration.rank : unknown);
    if (forces_) row_.push_back(solved ? acceleration.smallest : unknown);
    if (singular_values_) row_.push_back(all_finite(terms_.Phi) ? smallest_singular_value_(terms_.Phi) : unknown);
    statistics_.position_error = std::max(statistics_.position_error, position);
    statistics_.velocity_error = std::max(statistics_.velocity_error, velocity);
  }
  ++statistics_.rows;
  recorder_.row(row_);
}

void RecordedRows::report(RunStatistics& statistics) const {
  statistics.rows = statistics_.rows;
  statistics.position_error = statistics_.position_error;
  statistics.velocity_error = statistics_.velocity_error;
}

}  // namespace armature::internal
