#include "run/impacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/projection.hpp"
#include "mechanics/changing_rows.hpp"
#include "model/findings.hpp"

namespace armature::internal {

namespace {

// Of a row's size, or of the speed with which the motion crosses it: what locating an event leaves is round-off.
constexpr double visible = 1e-6;

}  // namespace

Impacts::Impacts(const Prepared& prepared, Dynamics& dynamics)
    : equations_(prepared.system->equations()),
      dynamics_(dynamics),
      ledger_(equations_),
      duration_(prepared.options.end - prepared.start.t),
      gaps_(equations_) {
  const Layout& n = prepared.system->layout();
  rows_ = changing_rows(equations_);
  if (!any()) return;
  terms_ = dynamics.evaluator().make_sparse_terms();
  speed_size_ = phi_ = phidot_ = Eigen::VectorXd::Zero(n.m);
}

void Impacts::evaluate(const State& state) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set(state.t, state.x.data());
  evaluator.set_outcomes(dynamics_.weights());
  evaluator.motion(terms_);
  gaps_.look(state.t, state.x.data(), terms_);
  const double* v = state.x.data() + evaluator.system().layout().nq;
  for (int row = 0; row < terms_.Phi.rows(); ++row) {
    double sum = gaps_.size(row) / duration_;
    for (SparseMatrix::InnerIterator entry(terms_.Phi, row); entry; ++entry)
      sum += std::abs(entry.value() * v[entry.col()]);
    speed_size_[row] = sum;
  }
}

void Impacts::before(const State& state) {
  if (!any()) return;
  evaluate(state);
  phi_ = terms_.phi, phidot_ = terms_.phidot;
}

Impacts::Jump Impacts::largest_jump(const Eigen::VectorXd& before, const Eigen::VectorXd& after, bool velocity) const {
  Jump jump;
  double largest = visible;
  for (const int row : rows_) {
    const double size = velocity ? speed_size_[row] : gaps_.size(row), by = std::abs(after[row] - before[row]);
    if (!(by > largest * size)) continue;
    largest = size > 0 ? by / size : largest;
    jump = {row, by};
  }
  return jump;
}

std::string Impacts::name(int row) const { return equations_.rows[static_cast<std::size_t>(row)].owner; }

std::string Impacts::unit(int row, bool velocity) const {
  const std::string& unit = equations_.rows[static_cast<std::size_t>(row)].unit;
  return unit.empty() ? "" : fmt::format(" {}{}", unit, velocity ? "/s" : "");
}

bool Impacts::hit(State& state) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set(state.t, state.x.data());
  const double before = evaluator.energy();
  Projection projection(evaluator);
  if (!projection.velocity(state.t, state.x.data())) return false;
  evaluate(state);
  for (int row = 0; row < terms_.phidot.size(); ++row)
    if (!(std::abs(terms_.phidot[row]) <= visible * speed_size_[row])) return false;
  const double work = evaluator.energy() - before;
  ledger_.add(work, state.x);
  work_ += work;
  return true;
}

std::string Impacts::after(State& state, std::vector<RunEvent>& events) {
  if (!any()) return "";
  evaluate(state);
  if (const Jump jump = largest_jump(phi_, terms_.phi, false); jump.row >= 0)
    return fmt::format(
        "the position that {} prescribes jumps by {:.4g}{} at t = {:.10g} s, and no motion follows it; make "
        "the formula continuous there",
        name(jump.row), jump.size, unit(jump.row, false), state.t);
  const Jump jump = largest_jump(phidot_, terms_.phidot, true);
  if (jump.row < 0) return "";
  const std::string what =
      fmt::format("the velocity that {} prescribes jumps by {:.4g}{}", name(jump.row), jump.size, unit(jump.row, true));
  if (!hit(state))
    return fmt::format("{} at t = {:.10g} s, and no velocities satisfy all constraints after it", what, state.t);
  if (++count_ == 1) first_ = fmt::format("{} at t = {:.6g} s", what, state.t);
  events.push_back({state.t, what});
  return "";
}

Findings Impacts::findings() const {
  if (count_ == 0) return {};
  const std::string more = count_ > 1 ? fmt::format(", the first of {} such jumps", count_) : "";
  return {finding<FindingCode::impact>("jump"_a = first_ + more, "work"_a = work_)};
}

}  // namespace armature::internal
