#include "system/articulated_solve.hpp"

#include <algorithm>

#include "system/articulated_pass.hpp"

namespace armature::internal {

ArticulatedSolve::ArticulatedSolve(const ArticulatedTree& tree, const ExpressionMatrix& Phi,
                                   const std::vector<int>& groups, const std::vector<Expression>& extents)
    : tree_(tree),
      column_(tree.applied.size()),
      left_(static_cast<std::size_t>(Phi.rows()), 0),
      closed_at_(tree.links.size()),
      measure_(static_cast<std::size_t>(Phi.rows()), 0.0) {
  factor_.links.resize(tree.links.size());
  factor_.velocities = column_.size(), factor_.rows = left_.size();
  // inertia of each link alone, then the elimination from the leaves to the ground
  find_closing_links(Phi);
  for (const ArticulatedLink& link : tree.links) fronts_.push_back({rigid_inertia(link), {}});
  eliminate_outside();
  for (int link = static_cast<int>(tree.links.size()) - 1; link >= 0; --link) eliminate_link(link);
  close_at_ground();
  // the scale of each pivot: the row's own entry of S and those of its group
  std::vector<Expression> diagonal;
  for (int row : row_order_) diagonal.push_back(measure_[row]);
  scales_ = row_scales(row_order_, diagonal, groups, extents);
  fronts_.clear(), S_.clear();
}

// The link nearest to the leaves that is on the way from the ground to all velocities of a row.
void ArticulatedSolve::find_closing_links(const ExpressionMatrix& Phi) {
  constexpr int none = -2;
  std::vector<int> link_of(column_.size(), -1);  // what is outside of the tree belongs to the ground
  for (std::size_t i = 0; i < tree_.links.size(); ++i)
    for (const Freedom& freedom : tree_.links[i].freedoms) link_of[freedom.velocity] = static_cast<int>(i);
  for (int r = 0; r < Phi.rows(); ++r) {
    int common = none;
    for (const auto& [k, entry] : Phi.row(r)) {
      column_[k].push_back({r, entry});
      ++left_[r];
      common = common == none ? link_of[k] : tree_.common_link(common, link_of[k]);
    }
    (common >= 0 ? closed_at_[common] : at_ground_).push_back(r);
  }
}

void ArticulatedSolve::eliminate_outside() {
  for (int velocity : tree_.outside) {
    Elimination step;
    step.index = velocity;
    mass_pivots_.push_back(tree_.inertia[velocity]);
    step.inverse = 1.0 / tree_.inertia[velocity];
    meet_rows(nullptr, step);
    factor_.outside.push_back(std::move(step));
  }
}

void ArticulatedSolve::eliminate_link(int link) {
  eliminate_closed_rows(link);
  const auto& freedoms = tree_.links[link].freedoms;
  for (auto freedom = freedoms.rbegin(); freedom != freedoms.rend(); ++freedom) {
    eliminate_velocity(link, *freedom);
    eliminate_closed_rows(link);
  }
  if (tree_.links[link].parent >= 0) pass_to_parent(link);
}

void ArticulatedSolve::eliminate_velocity(int link, const Freedom& s) {
  Front& front = fronts_[link];
  // U = I s, D = s'U + own inertia: force on the link, and along the joint, for a unit acceleration
  const Wrench U = front.inertia * s;
  const Expression own = tree_.inertia[s.velocity], D = along(s, U) + own;
  Elimination step;
  step.index = s.velocity, step.freedom = s;
  step.unit = own.is(0) ? unit_of(s) : -1;
  step.inverse = 1.0 / D;
  step.scaled = step.inverse * U;
  if (step.unit >= 0) component(step.scaled, step.unit) = component(s, step.unit);
  // rows that the velocity moves: w; then rows and inertia without the velocity, F - U w/D and I - U U'/D
  mass_pivots_.push_back(D);
  meet_rows(&front, step);
  take_from_rows(front, step);
  add_product(front.inertia, step.scaled, U, -1);
  if (step.unit >= 0) clear_component(front.inertia, step.unit);
  factor_.links[link].push_back(std::move(step));
}

// What the rows that a velocity moves, or that are there, have in its direction: w. They are there from now on.
void ArticulatedSolve::meet_rows(Front* front, Elimination& step) {
  // of the row itself, and of what it has gathered beyond this link
  std::map<int, Expression> w;
  for (const auto& [row, entry] : column_[step.index]) {
    w[row] = entry;
    --left_[row];
    if (front) front->rows.try_emplace(row);
  }
  if (front)
    for (const auto& [row, F] : front->rows) w[row] += along(step.freedom, F);
  // what is not zero takes part; S grows by w w'/D
  for (const auto& [row, entry] : w) {
    if (entry.is(0)) continue;
    step.w.push_back({row, entry});
    step.w_scaled.push_back({row, entry * step.inverse});
    measure_[row] += step.w_scaled.back().factor * entry;
  }
  add_to_S(step, 1);
}

// F - U w/D. Of F along a freedom that is a component of y, just the row's entry is left.
void ArticulatedSolve::take_from_rows(Front& front, const Elimination& step) {
  for (const auto& [row, w] : step.w) front.rows[row] = front.rows[row] - w * step.scaled;
  if (step.unit < 0) return;
  for (const auto& [row, w] : step.w) component(front.rows[row], step.unit) = 0.0;
  for (const auto& [row, entry] : column_[step.index])
    component(front.rows[row], step.unit) = -component(step.freedom, step.unit) * entry;
}

void ArticulatedSolve::add_to_S(const Elimination& step, double sign) {
  for (std::size_t i = 0; i < step.w.size(); ++i)
    for (std::size_t j = 0; j < step.w.size(); ++j)
      if (step.w[i].row >= step.w[j].row) {
        const Expression product = step.w_scaled[i].factor * step.w[j].factor;
        Expression& entry = S_[{step.w[i].row, step.w[j].row}];
        entry = sign < 0 ? entry - product : entry + product;
      }
}

void ArticulatedSolve::eliminate_closed_rows(int link) {
  for (int row : closed_at_[link])
    if (left_[row] == 0) {
      eliminate_row(link, row);
      left_[row] = -1;
    }
}

void ArticulatedSolve::eliminate_row(int link, int row) {
  Front& front = fronts_[link];
  // all velocities of the row are eliminated: its pivot is S_rr
  const Wrench F = front.rows.at(row);
  front.rows.erase(row);
  const Expression pivot = S_.at({row, row});
  S_.erase({row, row});
  Elimination step;
  step.is_row = true, step.index = row;
  step.inverse = 1.0 / pivot;
  step.scaled = step.inverse * F;
  // S, the other rows and the inertia without the row: a closed loop stiffens the link by F F'/S_rr
  take_meeting_rows(row, step);
  add_to_S(step, -1);
  for (const auto& [other, w] : step.w) front.rows[other] = front.rows[other] - w * step.scaled;
  add_product(front.inertia, step.scaled, F, 1);
  row_order_.push_back(row), pivots_.push_back(pivot);
  factor_.links[link].push_back(std::move(step));
}

// Takes the rows that a row meets out of S.
void ArticulatedSolve::take_meeting_rows(int row, Elimination& step) {
  for (auto entry = S_.begin(); entry != S_.end();) {
    const auto [r, s] = entry->first;
    const bool meets = r == row || s == row;
    if (meets && !entry->second.is(0)) step.w.push_back({r == row ? s : r, entry->second});
    entry = meets ? S_.erase(entry) : std::next(entry);
  }
  for (const auto& [other, w] : step.w) step.w_scaled.push_back({other, w * step.inverse});
}

void ArticulatedSolve::pass_to_parent(int link) {
  const ArticulatedLink& from = tree_.links[link];
  Front &front = fronts_[link], &parent = fronts_[from.parent];
  const ArticulatedInertia I = moved(from, front.inertia);
  parent.inertia = {parent.inertia.J + I.J, parent.inertia.H + I.H, parent.inertia.M + I.M};
  for (const auto& [row, F] : front.rows) {
    Wrench& sum = parent.rows[row];
    sum = sum + moved(from, F);
  }
  front = {};
}

std::vector<int> ArticulatedSolve::ground_elimination_order(const std::map<int, int>& number) const {
  std::vector<std::vector<int>> neighbors(number.size());
  for (const auto& [rows, entry] : S_)
    if (rows.first != rows.second && !entry.is(0)) {
      neighbors[number.at(rows.first)].push_back(number.at(rows.second));
      neighbors[number.at(rows.second)].push_back(number.at(rows.first));
    }
  return least_degree_order(neighbors);
}

void ArticulatedSolve::close_at_ground() {
  // rows that only the ground closes, in an order of little fill
  const int m = static_cast<int>(at_ground_.size());
  std::map<int, int> number;
  for (int i = 0; i < m; ++i) number[at_ground_[i]] = i;
  const std::vector<int> order = ground_elimination_order(number);
  std::vector<int> place(m);
  for (int i = 0; i < m; ++i) place[order[i]] = i;
  // what is left of S in that order, and its factors
  LowerTriangle S(m);
  for (const auto& [rows, entry] : S_) {
    const int i = place[number.at(rows.first)], j = place[number.at(rows.second)];
    if (!entry.is(0)) S(std::max(i, j), std::min(i, j)) = entry;
  }
  factor_.ground = SymmetricFactor(std::move(S));
  for (int i : order) factor_.ground_order.push_back(at_ground_[i]);
  row_order_.insert(row_order_.end(), factor_.ground_order.begin(), factor_.ground_order.end());
  pivots_.insert(pivots_.end(), factor_.ground.D.begin(), factor_.ground.D.end());
}

std::vector<TracedSolve::Solution> ArticulatedSolve::solve_together(const std::vector<RightSide>& sides,
                                                                    std::vector<Pack>& packs) const {
  ArticulatedPass pass(tree_, factor_, sides, packs);
  pass.inwards();
  pass.at_ground();
  pass.outwards();
  std::vector<Solution> solutions;
  for (std::size_t k = 0; k < sides.size(); ++k) solutions.push_back(pass.solution(k));
  return solutions;
}

}  // namespace armature::internal
