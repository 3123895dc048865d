#include "system/articulated_solve.hpp"

#include <algorithm>

namespace armature {

namespace {

using List = std::vector<Expression>;

bool is_zero(const Vec3& x) { return x[0].is(0) && x[1].is(0) && x[2].is(0); }

// The component of (alpha, a) that a freedom is, 0 … 5; -1: none.
int unit_of(const Freedom& freedom) {
  for (int k = 0; k < 6; ++k) {
    const Vec3 &here = k < 3 ? freedom.angular : freedom.linear, &other = k < 3 ? freedom.linear : freedom.angular;
    if (is_zero(other) && (here[k % 3].is(1) || here[k % 3].is(-1)) && here[(k + 1) % 3].is(0) &&
        here[(k + 2) % 3].is(0))
      return k;
  }
  return -1;
}

Expression& component(Wrench& x, int k) { return k < 3 ? x.n[k] : x.f[k - 3]; }
Expression component(const Freedom& s, int k) { return k < 3 ? s.angular[k] : s.linear[k - 3]; }

Expression along(const Freedom& s, const Wrench& x) { return dot(s.angular, x.n) + dot(s.linear, x.f); }
Wrench operator*(Expression factor, const Wrench& x) { return {factor * x.n, factor * x.f}; }
Wrench operator+(const Wrench& x, const Wrench& y) { return {x.n + y.n, x.f + y.f}; }
Wrench operator-(const Wrench& x, const Wrench& y) { return {x.n - y.n, x.f - y.f}; }

// A wrench seen from the parent.
Wrench moved(const ArticulatedLink& link, const Wrench& x) {
  const Vec3 f = link.turn.to_parent(x.f);
  return {link.turn.to_parent(x.n) + cross(link.p, f), f};
}

void add_symmetric(Mat3& A, const Vec3& x, const Vec3& y, double sign) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) A(i, j) = A(j, i) = sign < 0 ? A(i, j) - x[i] * y[j] : A(i, j) + x[i] * y[j];
}

// I + sign x y' with y a multiple of x
template <class Inertia>
void add_product(Inertia& I, const Wrench& x, const Wrench& y, double sign) {
  add_symmetric(I.J, x.n, y.n, sign);
  add_symmetric(I.M, x.f, y.f, sign);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) I.H(i, j) = sign < 0 ? I.H(i, j) - x.n[i] * y.f[j] : I.H(i, j) + x.n[i] * y.f[j];
}

template <class Inertia>
void clear_component(Inertia& I, int k) {
  for (int i = 0; i < 3; ++i) {
    if (k < 3)
      I.J(i, k) = I.J(k, i) = 0.0, I.H(k, i) = 0.0;
    else
      I.M(i, k - 3) = I.M(k - 3, i) = 0.0, I.H(i, k - 3) = 0.0;
  }
}

// [p]x A
Mat3 crossed(const Vec3& p, const Mat3& A) {
  Mat3 B;
  for (int j = 0; j < 3; ++j) {
    const Vec3 x = cross(p, column(A, j));
    for (int i = 0; i < 3; ++i) B(i, j) = x[i];
  }
  return B;
}

// Turned, then about an origin from which the link's has the place p:  H' = H + [p] M,  J' = J - H [p] + [p] H''.
template <class Inertia>
Inertia moved_inertia(const ArticulatedLink& link, const Inertia& own) {
  Inertia I{link.turn.of_symmetric(own.J), link.turn.of_matrix(own.H), link.turn.of_symmetric(own.M)};
  const Vec3& p = link.p;
  const Mat3 H = I.H, H_new = H + crossed(p, I.M);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    I.J(i, i) += p[j] * (H(i, k) + H_new(i, k)) - p[k] * (H(i, j) + H_new(i, j));
    // row i, column j:  -(H [p])_ij + ([p] H_new')_ij
    I.J(i, j) += (H(i, k) * -p[i] + H(i, i) * p[k]) + (p[j] * H_new(j, k) - p[k] * H_new(j, j));
    I.J(j, i) = I.J(i, j);
  }
  I.H = H_new;
  return I;
}

template <class Inertia>
Inertia rigid_inertia(const ArticulatedLink& link) {
  Inertia I;
  const Expression trace = link.second(0, 0) + link.second(1, 1) + link.second(2, 2);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int c = 0; c < 3; ++c) I.J(i, c) = i == c ? trace - link.second(i, c) : -link.second(i, c);
    I.H(i, j) = -link.moment[k], I.H(j, i) = link.moment[k];
    I.M(i, i) = link.mass;
  }
  return I;
}

}  // namespace

ArticulatedSolve::ArticulatedSolve(const ArticulatedTree& tree, const ExpressionMatrix& Phi,
                                   const std::vector<int>& groups, const List& extents)
    : tree_(tree),
      groups_(groups),
      extents_(extents),
      column_(tree.applied.size()),
      left_(static_cast<std::size_t>(Phi.rows()), 0),
      closed_at_(tree.links.size()),
      measure_(static_cast<std::size_t>(Phi.rows()), 0.0),
      steps_(tree.links.size()) {
  find_closing_links(Phi);
  for (const ArticulatedLink& link : tree.links) fronts_.push_back({rigid_inertia<Inertia>(link), {}});
  eliminate_outside();
  for (int link = static_cast<int>(tree.links.size()) - 1; link >= 0; --link) eliminate_link(link);
  close_at_ground();
  scales_ = row_scales(row_order_, row_measure_, groups_, extents_);
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
    if (common >= 0)
      closed_at_[common].push_back(r);
    else
      at_ground_.push_back(r);
  }
}

// What the rows that a velocity moves, or that are there, have in its direction: w. They are there from now on.
void ArticulatedSolve::reach_rows(int velocity, const Vec3& angular, const Vec3& linear, Front* front,
                                  Elimination& step) {
  std::map<int, Expression> w;
  for (const auto& [row, entry] : column_[velocity]) {
    w[row] = entry;
    --left_[row];
    if (front) front->rows.try_emplace(row);
  }
  if (front)
    for (const auto& [row, F] : front->rows) w[row] += along({velocity, angular, linear}, F);
  for (const auto& [row, entry] : w) {
    if (entry.is(0)) continue;
    step.w.push_back({row, entry});
    step.w_scaled.push_back({row, entry * step.inverse});
  }
  for (std::size_t i = 0; i < step.w.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      S_[{step.w[i].row, step.w[j].row}] += step.w_scaled[i].factor * step.w[j].factor;
  for (std::size_t i = 0; i < step.w.size(); ++i) measure_[step.w[i].row] += step.w_scaled[i].factor * step.w[i].factor;
}

void ArticulatedSolve::eliminate_outside() {
  for (int velocity : tree_.outside) {
    Elimination step;
    step.index = velocity;
    mass_pivots_.push_back(tree_.inertia[velocity]);
    step.inverse = 1.0 / tree_.inertia[velocity];
    reach_rows(velocity, {}, {}, nullptr, step);
    outside_.push_back(std::move(step));
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
  Inertia& I = front.inertia;
  const Wrench U{I.J * s.angular + I.H * s.linear, transpose(I.H) * s.angular + I.M * s.linear};
  const Expression own = tree_.inertia[s.velocity], D = along(s, U) + own;
  Elimination step;
  step.index = s.velocity, step.freedom = s;
  step.unit = own.is(0) ? unit_of(s) : -1;
  step.inverse = 1.0 / D;
  step.scaled = step.inverse * U;
  if (step.unit >= 0) component(step.scaled, step.unit) = component(s, step.unit);
  mass_pivots_.push_back(D);
  reach_rows(s.velocity, s.angular, s.linear, &front, step);
  for (const auto& [row, w] : step.w) {
    Wrench& F = front.rows[row];
    F = F - w * step.scaled;
    if (step.unit < 0) continue;
    const auto& column = column_[s.velocity];
    const auto moves = std::find_if(column.begin(), column.end(), [&](const RowFactor& x) { return x.row == row; });
    component(F, step.unit) = moves == column.end() ? Expression(0.0) : -component(s, step.unit) * moves->factor;
  }
  add_product(I, step.scaled, U, -1);
  if (step.unit >= 0) clear_component(I, step.unit);
  steps_[link].push_back(std::move(step));
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
  Elimination step;
  step.is_row = true, step.index = row;
  step.coupling = front.rows.at(row);
  front.rows.erase(row);
  const Expression pivot = S_.at({row, row});
  S_.erase({row, row});
  step.inverse = 1.0 / pivot;
  step.scaled = step.inverse * step.coupling;
  for (auto entry = S_.begin(); entry != S_.end();) {
    const auto [r, s] = entry->first;
    const bool meets = r == row || s == row;
    if (meets && !entry->second.is(0)) step.w.push_back({r == row ? s : r, entry->second});
    entry = meets ? S_.erase(entry) : std::next(entry);
  }
  for (const auto& [other, w] : step.w) step.w_scaled.push_back({other, w * step.inverse});
  for (std::size_t i = 0; i < step.w.size(); ++i)
    for (std::size_t j = 0; j < step.w.size(); ++j)
      if (step.w[i].row >= step.w[j].row)
        S_[{step.w[i].row, step.w[j].row}] -= step.w_scaled[i].factor * step.w[j].factor;
  for (const auto& [other, w] : step.w) front.rows[other] = front.rows[other] - w * step.scaled;
  add_product(front.inertia, step.scaled, step.coupling, 1);
  row_order_.push_back(row), row_measure_.push_back(measure_[row]), pivots_.push_back(pivot);
  steps_[link].push_back(std::move(step));
}

void ArticulatedSolve::pass_to_parent(int link) {
  const ArticulatedLink& from = tree_.links[link];
  Front &front = fronts_[link], &parent = fronts_[from.parent];
  const Inertia I = moved_inertia(from, front.inertia);
  parent.inertia = {parent.inertia.J + I.J, parent.inertia.H + I.H, parent.inertia.M + I.M};
  for (const auto& [row, F] : front.rows) {
    Wrench& sum = parent.rows[row];
    sum = sum + moved(from, F);
  }
  front = {};
}

void ArticulatedSolve::close_at_ground() {
  const int m = static_cast<int>(at_ground_.size());
  std::map<int, int> number;
  for (int i = 0; i < m; ++i) number[at_ground_[i]] = i;
  std::vector<std::vector<int>> neighbours(m);
  for (const auto& [rows, entry] : S_)
    if (rows.first != rows.second && !entry.is(0)) {
      neighbours[number.at(rows.first)].push_back(number.at(rows.second));
      neighbours[number.at(rows.second)].push_back(number.at(rows.first));
    }
  std::vector<int> place(m), order = least_degree_order(neighbours);
  for (int i = 0; i < m; ++i) place[order[i]] = i;
  LowerTriangle S(m);
  for (const auto& [rows, entry] : S_) {
    const int i = place[number.at(rows.first)], j = place[number.at(rows.second)];
    if (!entry.is(0)) S(std::max(i, j), std::min(i, j)) = entry;
  }
  ground_ = SymmetricFactor(std::move(S));
  for (int i = 0; i < m; ++i) {
    const int row = at_ground_[order[i]];
    ground_order_.push_back(row), row_order_.push_back(row), row_measure_.push_back(measure_[row]);
    pivots_.push_back(ground_.D[i]);
  }
}

// Inwards: p and -b of all right sides, as y and lambda are eliminated; outwards: y and lambda.
class ArticulatedSolve::Pass {
 public:
  using Number = RightSides::Number;
  using Three = Triple<RightSides>;

  Pass(const ArticulatedSolve& solve, const std::vector<RightSide>& sides, std::vector<Pack>& packs)
      : s_(solve),
        sides_(sides.size(), packs),
        x_(solve.column_.size(), sides_.zero()),
        lambda_(solve.left_.size(), sides_.zero()),
        n_(solve.tree_.links.size(), zeros()),
        f_(n_) {
    for (std::size_t k = 0; k < sides.size(); ++k) take(sides[k], k);
    for (Number& number : lambda_) RightSides::make_alike(number);
  }

  void inwards() {
    for (const Elimination& step : s_.outside_) take_velocity(step, nullptr, nullptr);
    for (std::size_t link = n_.size(); link-- > 0;) {
      for (const Elimination& step : s_.steps_[link])
        step.is_row ? take_row(step, n_[link], f_[link]) : take_velocity(step, &n_[link], &f_[link]);
      const ArticulatedLink& from = s_.tree_.links[link];
      if (from.parent >= 0) pass_on(from, link);
    }
  }

  void at_ground() {
    std::vector<Number> lambda;
    for (int row : s_.ground_order_) lambda.push_back(lambda_[row]);
    s_.ground_.forward(sides_, lambda);
    for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] = sides_.times(s_.ground_.inverse_D[r], lambda[r]);
    s_.ground_.backward(sides_, lambda);
    for (std::size_t r = 0; r < lambda.size(); ++r) lambda_[s_.ground_order_[r]] = lambda[r];
  }

  void outwards() {
    std::vector<Three> alpha, a;
    for (std::size_t link = 0; link < n_.size(); ++link) {
      const ArticulatedLink& to = s_.tree_.links[link];
      alpha.push_back(to.parent < 0 ? zeros() : to.turn.to_link(sides_, alpha[to.parent]));
      a.push_back(to.parent < 0 ? zeros() : carried(to, alpha[to.parent], a[to.parent]));
      const auto& steps = s_.steps_[link];
      for (auto step = steps.rbegin(); step != steps.rend(); ++step)
        step->is_row ? give_row(*step, alpha.back(), a.back()) : give_velocity(*step, alpha.back(), a.back());
    }
    for (const Elimination& step : s_.outside_) x_[step.index] = without_rows(step, x_[step.index]);
  }

  Solution solution(std::size_t side) const {
    Solution solution;
    for (const Number& x : x_) solution.vdot.push_back(x[side]);
    for (const Number& x : lambda_) solution.lambda.push_back(x[side]);
    return solution;
  }

 private:
  Three zeros() const { return {sides_.zero(), sides_.zero(), sides_.zero()}; }

  void take(const RightSide& side, std::size_t k) {
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i][k] = side.f[i];
    for (std::size_t r = 0; r < lambda_.size(); ++r) lambda_[r][k] = -side.b[r];
    for (std::size_t link = 0; link < side.wrenches.size(); ++link)
      for (int i = 0; i < 3; ++i) {
        n_[link][i][k] = side.wrenches[link].n[i];
        f_[link][i][k] = side.wrenches[link].f[i];
      }
  }

  Number along(const Vec3& angular, const Vec3& linear, const Three& n, const Three& f) {
    Number sum = sides_.zero();
    for (int i = 0; i < 3; ++i) {
      if (!angular[i].is(0)) sum = sides_.plus(sum, sides_.times(angular[i], n[i]));
      if (!linear[i].is(0)) sum = sides_.plus(sum, sides_.times(linear[i], f[i]));
    }
    return sum;
  }

  void add(const Wrench& factors, const Number& x, Three& n, Three& f) {
    for (int i = 0; i < 3; ++i) {
      n[i] = sides_.plus(n[i], sides_.times(factors.n[i], x));
      f[i] = sides_.plus(f[i], sides_.times(factors.f[i], x));
    }
  }

  // x = (f - s'p)/D,  p + U x,  -b + w x
  void take_velocity(const Elimination& step, Three* n, Three* f) {
    Number& x = x_[step.index];
    const Freedom& s = step.freedom;
    if (n) {
      const Number force = x;
      x = sides_.minus(x, along(s.angular, s.linear, *n, *f));
      add_less_unit(step, x, *n, *f);
      if (step.unit >= 0) (step.unit < 3 ? *n : *f)[step.unit % 3] = sides_.times(component(s, step.unit), force);
    }
    x = sides_.times(step.inverse, x);
    for (const auto& [row, w] : step.w) lambda_[row] = sides_.plus(lambda_[row], sides_.times(w, x));
  }

  void add_less_unit(const Elimination& step, const Number& x, Three& n, Three& f) {
    Wrench factors = step.scaled;
    if (step.unit >= 0) component(factors, step.unit) = 0.0;
    add(factors, x, n, f);
  }

  // mu = -b/S,  p + F mu
  void take_row(const Elimination& step, Three& n, Three& f) {
    Number& mu = lambda_[step.index];
    add(step.scaled, mu, n, f);
    for (const auto& [row, w] : step.w_scaled) lambda_[row] = sides_.minus(lambda_[row], sides_.times(w, mu));
    mu = sides_.times(step.inverse, mu);
  }

  void pass_on(const ArticulatedLink& from, std::size_t link) {
    const Three f = from.turn.to_parent(sides_, f_[link]), n = from.turn.to_parent(sides_, n_[link]);
    const Three moment = crossed(sides_, from.p, f);
    n_[from.parent] = sum(sides_, n_[from.parent], sum(sides_, n, moment));
    f_[from.parent] = sum(sides_, f_[from.parent], f);
  }

  // R' (a + alpha x p)
  Three carried(const ArticulatedLink& to, const Three& alpha, const Three& a) {
    const Three turned = crossed(sides_, -to.p, alpha);
    return to.turn.to_link(sides_, sum(sides_, a, turned));
  }

  Number without_rows(const Elimination& step, Number x) {
    for (const auto& [row, w] : step.w_scaled) x = sides_.minus(x, sides_.times(w, lambda_[row]));
    return x;
  }

  // x - (U/D)'y - (w/D) lambda; then y + s x
  void give_velocity(const Elimination& step, Three& alpha, Three& a) {
    Number x = without_rows(step, x_[step.index]);
    for (int k = 0; k < 6; ++k) {
      if (k == step.unit) continue;
      const Expression factor = k < 3 ? step.scaled.n[k] : step.scaled.f[k - 3];
      if (!factor.is(0)) x = sides_.minus(x, sides_.times(factor, k < 3 ? alpha[k] : a[k - 3]));
    }
    const Freedom& s = step.freedom;
    if (step.unit >= 0) {
      // the component itself is known at once
      Number& whole = (step.unit < 3 ? alpha : a)[step.unit % 3];
      const Expression sign = component(s, step.unit);
      x_[step.index] = sides_.minus(x, sides_.times(sign, whole));
      whole = sides_.times(sign, x);
      return;
    }
    x_[step.index] = x;
    for (int i = 0; i < 3; ++i) {
      if (!s.angular[i].is(0)) alpha[i] = sides_.plus(alpha[i], sides_.times(s.angular[i], x));
      if (!s.linear[i].is(0)) a[i] = sides_.plus(a[i], sides_.times(s.linear[i], x));
    }
  }

  // lambda = mu + (F'y - S_rs lambda_s)/S_rr
  void give_row(const Elimination& step, const Three& alpha, const Three& a) {
    const Number moved = along(step.scaled.n, step.scaled.f, alpha, a);
    lambda_[step.index] = without_rows(step, sides_.plus(lambda_[step.index], moved));
  }

  const ArticulatedSolve& s_;
  RightSides sides_;
  std::vector<Number> x_, lambda_;
  std::vector<Three> n_, f_;
};

std::vector<TracedSolve::Solution> ArticulatedSolve::solve_together(const std::vector<RightSide>& sides,
                                                                    std::vector<Pack>& packs) const {
  Pass pass(*this, sides, packs);
  pass.inwards();
  pass.at_ground();
  pass.outwards();
  std::vector<Solution> solutions;
  for (std::size_t k = 0; k < sides.size(); ++k) solutions.push_back(pass.solution(k));
  return solutions;
}

}  // namespace armature
