#include "system/articulated_pass.hpp"

#include "system/articulated_inertia.hpp"

namespace armature::internal {

ArticulatedPass::ArticulatedPass(const ArticulatedTree& tree, const TreeFactor& factor,
                                 const std::vector<TracedSolve::RightSide>& sides, std::vector<Pack>& packs)
    : tree_(tree),
      factor_(factor),
      sides_(sides.size(), packs),
      x_(factor.velocities, sides_.zero()),
      lambda_(factor.rows, sides_.zero()),
      n_(tree.links.size(), zeros()),
      f_(n_) {
  for (std::size_t k = 0; k < sides.size(); ++k) take(sides[k], k);
  for (Number& number : lambda_) RightSides::make_alike(number);
}

void ArticulatedPass::take(const TracedSolve::RightSide& side, std::size_t k) {
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i][k] = side.f[i];
  for (std::size_t r = 0; r < lambda_.size(); ++r) lambda_[r][k] = -side.b[r];
  for (std::size_t link = 0; link < side.wrenches.size(); ++link)
    for (int i = 0; i < 3; ++i) {
      n_[link][i][k] = side.wrenches[link].n[i];
      f_[link][i][k] = side.wrenches[link].f[i];
    }
}

void ArticulatedPass::inwards() {
  for (const Elimination& step : factor_.outside) take_velocity(step, nullptr, nullptr);
  for (std::size_t link = n_.size(); link-- > 0;) {
    for (const Elimination& step : factor_.links[link])
      step.is_row ? take_row(step, n_[link], f_[link]) : take_velocity(step, &n_[link], &f_[link]);
    const ArticulatedLink& from = tree_.links[link];
    if (from.parent >= 0) pass_on(from, link);
  }
}

// x = (f - s'p)/D,  p + U x,  -b + w x. Of p along a freedom that is a component of y, just f is left.
void ArticulatedPass::take_velocity(const Elimination& step, Three* n, Three* f) {
  Number& x = x_[step.index];
  const Freedom& s = step.freedom;
  if (n) {
    const Number force = x;
    x = sides_.minus(x, along(s.angular, s.linear, *n, *f));
    Wrench factors = step.scaled;
    if (step.unit >= 0) component(factors, step.unit) = 0.0;
    add(factors, x, *n, *f);
    if (step.unit >= 0) (step.unit < 3 ? *n : *f)[step.unit % 3] = sides_.times(component(s, step.unit), force);
  }
  x = sides_.times(step.inverse, x);
  for (const auto& [row, w] : step.w) lambda_[row] = sides_.plus(lambda_[row], sides_.times(w, x));
}

// mu = -b/S,  p + F mu
void ArticulatedPass::take_row(const Elimination& step, Three& n, Three& f) {
  Number& mu = lambda_[step.index];
  add(step.scaled, mu, n, f);
  for (const auto& [row, w] : step.w_scaled) lambda_[row] = sides_.minus(lambda_[row], sides_.times(w, mu));
  mu = sides_.times(step.inverse, mu);
}

void ArticulatedPass::pass_on(const ArticulatedLink& from, std::size_t link) {
  const Three f = from.turn.to_parent(sides_, f_[link]), n = from.turn.to_parent(sides_, n_[link]);
  const Three moment = crossed(sides_, from.p, f);
  n_[from.parent] = sum(sides_, n_[from.parent], sum(sides_, n, moment));
  f_[from.parent] = sum(sides_, f_[from.parent], f);
}

void ArticulatedPass::at_ground() {
  std::vector<Number> lambda;
  for (int row : factor_.ground_order) lambda.push_back(lambda_[row]);
  factor_.ground.forward(sides_, lambda);
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] = sides_.times(factor_.ground.inverse_D[r], lambda[r]);
  factor_.ground.backward(sides_, lambda);
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda_[factor_.ground_order[r]] = lambda[r];
}

void ArticulatedPass::outwards() {
  std::vector<Three> alpha, a;
  for (std::size_t link = 0; link < n_.size(); ++link) {
    const ArticulatedLink& to = tree_.links[link];
    alpha.push_back(to.parent < 0 ? zeros() : to.turn.to_link(sides_, alpha[to.parent]));
    a.push_back(to.parent < 0 ? zeros() : carried(to, alpha[to.parent], a[to.parent]));
    const auto& steps = factor_.links[link];
    for (auto step = steps.rbegin(); step != steps.rend(); ++step)
      step->is_row ? give_row(*step, alpha.back(), a.back()) : give_velocity(*step, alpha.back(), a.back());
  }
  for (const Elimination& step : factor_.outside) x_[step.index] = without_rows(step, x_[step.index]);
}

// R' (a + alpha x p)
ArticulatedPass::Three ArticulatedPass::carried(const ArticulatedLink& to, const Three& alpha, const Three& a) {
  return to.turn.to_link(sides_, sum(sides_, a, crossed(sides_, -to.p, alpha)));
}

// x - (U/D)'y - (w/D) lambda; then y + s x. A component of y that x is by itself is known at once.
void ArticulatedPass::give_velocity(const Elimination& step, Three& alpha, Three& a) {
  Number x = without_rows(step, x_[step.index]);
  for (int k = 0; k < 6; ++k) {
    const Expression factor = k < 3 ? step.scaled.n[k] : step.scaled.f[k - 3];
    if (k != step.unit && !factor.is(0)) x = sides_.minus(x, sides_.times(factor, k < 3 ? alpha[k] : a[k - 3]));
  }
  if (step.unit < 0) {
    x_[step.index] = x;
    return move_along(step.freedom, x, alpha, a);
  }
  Number& whole = (step.unit < 3 ? alpha : a)[step.unit % 3];
  const Expression sign = component(step.freedom, step.unit);
  x_[step.index] = sides_.minus(x, sides_.times(sign, whole));
  whole = sides_.times(sign, x);
}

void ArticulatedPass::move_along(const Freedom& s, const Number& x, Three& alpha, Three& a) {
  for (int i = 0; i < 3; ++i) {
    if (!s.angular[i].is(0)) alpha[i] = sides_.plus(alpha[i], sides_.times(s.angular[i], x));
    if (!s.linear[i].is(0)) a[i] = sides_.plus(a[i], sides_.times(s.linear[i], x));
  }
}

// lambda = mu + (F'y - S_rs lambda_s)/S_rr
void ArticulatedPass::give_row(const Elimination& step, const Three& alpha, const Three& a) {
  const Number moved = along(step.scaled.n, step.scaled.f, alpha, a);
  lambda_[step.index] = without_rows(step, sides_.plus(lambda_[step.index], moved));
}

ArticulatedPass::Number ArticulatedPass::without_rows(const Elimination& step, Number x) {
  for (const auto& [row, w] : step.w_scaled) x = sides_.minus(x, sides_.times(w, lambda_[row]));
  return x;
}

ArticulatedPass::Number ArticulatedPass::along(const Vec3& angular, const Vec3& linear, const Three& n,
                                               const Three& f) {
  Number sum = sides_.zero();
  for (int i = 0; i < 3; ++i) {
    if (!angular[i].is(0)) sum = sides_.plus(sum, sides_.times(angular[i], n[i]));
    if (!linear[i].is(0)) sum = sides_.plus(sum, sides_.times(linear[i], f[i]));
  }
  return sum;
}

void ArticulatedPass::add(const Wrench& factors, const Number& x, Three& n, Three& f) {
  for (int i = 0; i < 3; ++i) {
    n[i] = sides_.plus(n[i], sides_.times(factors.n[i], x));
    f[i] = sides_.plus(f[i], sides_.times(factors.f[i], x));
  }
}

TracedSolve::Solution ArticulatedPass::solution(std::size_t side) const {
  TracedSolve::Solution solution;
  for (const Number& x : x_) solution.vdot.push_back(x[side]);
  for (const Number& x : lambda_) solution.lambda.push_back(x[side]);
  return solution;
}

}  // namespace armature::internal
