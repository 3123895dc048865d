#include "system/traced_motion.hpp"

#include "expression/operation_count.hpp"
#include "system/articulated_solve.hpp"
#include "system/composite_solve.hpp"

namespace armature::internal {

namespace {

using List = std::vector<Expression>;

void append_list(List& list, const List& more) { list.insert(list.end(), more.begin(), more.end()); }

template <class Get>
List chosen(const std::vector<int>& rows, const Get& get) {
  List list;
  for (int r : rows) list.push_back(get(static_cast<std::size_t>(r)));
  return list;
}

ExpressionMatrix chosen_rows(const ExpressionMatrix& Phi, const std::vector<int>& rows) {
  ExpressionMatrix result(0, Phi.columns());
  for (int r : rows) result.add_row(Phi.row(r));
  return result;
}

std::vector<int> chosen_groups(const std::vector<int>& groups, const std::vector<int>& rows) {
  std::vector<int> result;
  for (int r : rows) result.push_back(groups[static_cast<std::size_t>(r)]);
  return result;
}

std::vector<bool> velocity_rows(const Equations& equations, const std::vector<int>& rows) {
  std::vector<bool> result;
  for (int r : rows) result.push_back(equations.rows[static_cast<std::size_t>(r)].rate.has_value());
  return result;
}

List input_vector(Graph& graph, const char* name, std::size_t size) {
  List vector;
  for (std::size_t k = 0; k < size; ++k) vector.push_back(graph.input(name));
  return vector;
}

}  // namespace

TracedMotion::TracedMotion(const Equations& equations, const Constraints& c, Way way)
    : e_(equations),
      Phi_(chosen_rows(c.Phi, c.rows)),
      Phidot_(chosen_rows(c.Phidot, c.rows)),
      velocity_row_(velocity_rows(equations, c.rows)),
      phi_(chosen(c.rows, [&](std::size_t r) { return equations.rows[r].phi; })),
      phidot_(chosen(c.rows, [&](std::size_t r) { return c.phidot[r]; })),
      gamma_(chosen(c.rows, [&](std::size_t r) { return c.gamma[r]; })),
      alpha_(equations.graph->input("alpha")),
      beta_(equations.graph->input("beta")),
      weight_(equations.graph->input("weight")),
      position_error_(input_vector(*equations.graph, "position_error", equations.v.size())),
      velocity_error_(input_vector(*equations.graph, "velocity_error", equations.v.size())) {
  choose(way, c);
  end_ = solve_->solve(end_of_step(), packs_);
  correction_ = motion_step();
}

std::unique_ptr<const TracedSolve> TracedMotion::make_solve(bool articulated, const Constraints& c) const {
  const std::vector<int> groups = chosen_groups(c.groups, c.rows);
  const List extents = chosen(c.rows, [&](std::size_t r) { return c.extents[r]; });
  if (articulated) return std::make_unique<ArticulatedSolve>(*e_.tree, Phi_, groups, extents);
  return std::make_unique<CompositeSolve>(e_.M, e_.elimination_order, Phi_, groups, extents);
}

// The composite way is not even traced where its factorization of M alone takes more than all of the other.
void TracedMotion::choose(Way way, const Constraints& constraints) {
  const bool both = way == Way::fewest && e_.tree;
  const auto take = [&](bool articulated) {
    articulated_ = articulated;
    solve_ = make_solve(articulated, constraints);
    return both ? operation_count(with_pivots(motion(under_forces(gamma_)))) : 0;
  };
  const int count = take(way != Way::composite && e_.tree);
  if (!both || composite_factor_size(*e_.tree) > count) return;
  std::unique_ptr<const TracedSolve> articulated = std::move(solve_);
  if (take(false) <= count) return;
  articulated_ = true;
  solve_ = std::move(articulated);
}

TracedSolve::RightSide TracedMotion::forces(List b) const {
  if (articulated_) return {e_.tree->applied, std::move(b), e_.tree->wrenches};
  return {e_.f, std::move(b)};
}

List TracedMotion::inputs() const {
  List inputs{alpha_, beta_};
  append_list(inputs, position_error_), append_list(inputs, velocity_error_);
  inputs.push_back(weight_);
  return inputs;
}

List TracedMotion::with_pivots(List outputs) const {
  append_list(outputs, solve_->mass_pivots()), append_list(outputs, solve_->pivots()),
      append_list(outputs, solve_->scales());
  return outputs;
}

// Power of constraints: -lambda' Phi v = lambda' phi_t - lambda' phidot. Where Baumgarte's method pulls, the second part
// is its work; else it is round-off of the stages of a step.
void TracedMotion::add_constraint_power(const List& lambda, bool pulled, List& zdot) const {
  Derivative along_t({{e_.t.id(), 1.0}});
  for (std::size_t r = 0; r < phi_.size(); ++r) {
    if (pulled && e_.stabilization_work >= 0) zdot[e_.stabilization_work] -= lambda[r] * phidot_[r];
    if (pulled && e_.constraint_work >= 0) zdot[e_.constraint_work] += lambda[r] * along_t(phi_[r]);
    if (pulled || e_.constraint_work < 0) continue;
    for (const auto& [k, entry] : Phi_.row(static_cast<int>(r)))
      zdot[e_.constraint_work] -= lambda[r] * entry * e_.v[k];
  }
}

List TracedMotion::motion(const Solution& solution, bool pulled) const {
  List zdot = e_.zdot, outputs;
  add_constraint_power(solution.lambda, pulled, zdot);
  append_list(outputs, solution.vdot), append_list(outputs, solution.lambda), append_list(outputs, e_.qdot),
      append_list(outputs, zdot);
  return outputs;
}

TracedSolve::RightSide TracedMotion::closing(const List& residual) const {
  List b;
  for (const Expression& x : residual) b.push_back(-x);
  return {List(e_.v.size(), 0.0), b};
}

List TracedMotion::along_rows(const List& vector) const {
  List product(phi_.size(), 0.0);
  for (std::size_t r = 0; r < product.size(); ++r)
    for (const auto& [k, entry] : Phi_.row(static_cast<int>(r))) product[r] += entry * vector[k];
  return product;
}

List TracedMotion::along_position_rows(const List& vector) const {
  List product = along_rows(vector);
  for (std::size_t r = 0; r < product.size(); ++r)
    if (velocity_row_[r]) product[r] = 0.0;
  return product;
}

// Errors still lack the part of the last stage, weight (v, vdot), and Phi vdot = gamma: four right sides at once.
std::vector<TracedSolve::RightSide> TracedMotion::end_of_step() const {
  List position_error = position_error_, of_velocity = along_rows(velocity_error_);
  for (std::size_t k = 0; k < e_.v.size(); ++k) position_error[k] += weight_ * e_.v[k];
  for (std::size_t r = 0; r < of_velocity.size(); ++r) of_velocity[r] += weight_ * gamma_[r];
  return {forces(gamma_), closing(phi_), closing(along_position_rows(position_error)), closing(of_velocity)};
}

List TracedMotion::tangent(const List& error, const List& rate, const List& normal) const {
  List list;
  for (std::size_t k = 0; k < error.size(); ++k) list.push_back(error[k] + weight_ * rate[k] + normal[k]);
  return list;
}

// d phidot along N dq. Where velocities are rates of coordinates, second derivatives of phi may change places: it is Phidot dq, and
// Phidot is known from gamma. Velocity rows have no phi.
List TracedMotion::carried(const List& dq, const LeafMap& moved) const {
  List change(phi_.size(), 0.0);
  Derivative along(moved);
  for (std::size_t r = 0; r < change.size(); ++r) {
    const bool as_it_comes = !e_.quaternions.empty() || velocity_row_[r];
    if (as_it_comes) change[r] = along(phidot_[r]);
    if (as_it_comes) continue;
    for (const auto& [k, rate] : Phidot_.row(static_cast<int>(r))) change[r] += rate * dq[k];
  }
  return change;
}

// dq closes phi to first order, dv closes what phidot then is:  Phi dv = -phidot - (d phidot along N dq).
TracedMotion::Correction TracedMotion::motion_step() const {
  Correction correction{end_[1].vdot, {}, 0.0};
  LeafMap along_dq, moved;
  for (std::size_t k = 0; k < e_.v.size(); ++k) along_dq[e_.v[k].id()] = correction.dq[k];
  Derivative N(along_dq);  // qdot = N v
  for (std::size_t i = 0; i < e_.q.size(); ++i) moved[e_.q[i].id()] = N(e_.qdot[i]);
  List open = carried(correction.dq, moved);
  for (std::size_t r = 0; r < open.size(); ++r) open[r] += phidot_[r];
  correction.dv = step(open);
  for (std::size_t k = 0; k < e_.v.size(); ++k) moved[e_.v[k].id()] = correction.dv[k];
  if (e_.stabilization_work >= 0) correction.work = Derivative(moved)(kinetic() + e_.potential + e_.magnetic);
  return correction;
}

}  // namespace armature::internal
