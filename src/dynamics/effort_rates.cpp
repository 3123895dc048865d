#include "dynamics/effort_rates.hpp"

#include "system/flow.hpp"

namespace armature::internal {

namespace {

using List = std::vector<Expression>;

void append(List& list, const List& more) { list.insert(list.end(), more.begin(), more.end()); }

List new_leaves(Graph& graph, std::size_t count) {
  List leaves;
  for (std::size_t i = 0; i < count; ++i) leaves.push_back(graph.input("a rate of the motion"));
  return leaves;
}

}  // namespace

EffortRates::EffortRates(std::shared_ptr<const System> system, const std::vector<bool>& motion,
                         const std::vector<int>& efforts, int order)
    : system_(std::move(system)) {
  add_leaves(efforts, order);
  List F = residual_expressions(motion);
  for (int k = 1; k <= order; ++k) {
    Derivative held(flow(k - 1)), full(flow(k));
    List E;
    for (const Expression& x : F) E.push_back(held(x));
    levels_.push_back(program(E));
    for (Expression& x : F) x = full(x);
  }
}

void EffortRates::add_leaves(const std::vector<int>& efforts, int order) {
  const Equations& e = system_->equations();
  List u;
  for (const int place : efforts) u.push_back(e.p[static_cast<std::size_t>(place)]);
  leaves_.push_back({e.a, e.lambda, u});
  for (int k = 1; k <= order; ++k)
    leaves_.push_back(
        {new_leaves(*e.graph, e.a.size()), new_leaves(*e.graph, e.lambda.size()), new_leaves(*e.graph, u.size())});
  pi_ = new_leaves(*e.graph, e.a.size());
  kappa_ = new_leaves(*e.graph, e.lambda.size());
}

LeafMap EffortRates::flow(int level) const {
  const Equations& e = system_->equations();
  LeafMap flow{{e.t.id(), 1.0}};
  const auto move = [&](const List& leaves, const List& rates) {
    for (std::size_t i = 0; i < leaves.size(); ++i) flow[leaves[i].id()] = rates[i];
  };
  move(e.q, e.qdot), move(e.z, e.zdot), move(e.v, e.a);
  for (int k = 0; k < level; ++k) {
    move(leaves_[k].a, leaves_[k + 1].a);
    move(leaves_[k].lambda, leaves_[k + 1].lambda);
    move(leaves_[k].u, leaves_[k + 1].u);
  }
  return flow;
}

// r, then g: the second derivative of phi.
List EffortRates::residual_expressions(const std::vector<bool>& motion) const {
  const Equations& e = system_->equations();
  const std::size_t nv = e.v.size();
  Derivative along(flow(0));
  List r, g;
  for (std::size_t i = 0; i < nv; ++i) {
    r.push_back(-e.f[i]);
    for (const auto& [j, entry] : e.M.row(static_cast<int>(i))) r[i] += entry * e.a[j];
  }
  for (std::size_t k = 0; k < e.rows.size(); ++k) {
    const Expression phidot = along(e.rows[k].phi);
    g.push_back(along(phidot));
    if (motion[k]) continue;
    const List row = gradient(phidot, e.v);
    for (std::size_t i = 0; i < nv; ++i) r[i] += row[i] * e.lambda[k];
  }
  append(r, g);
  return r;
}

List EffortRates::adjoint_expressions() const {
  const Equations& e = system_->equations();
  const std::size_t nv = e.v.size();
  Derivative along(flow(0));
  List effect, rows, force(nv, 0.0), outputs;
  for (const Expression& u : leaves_[0].u) {
    Derivative of_effort({{u.id(), 1.0}});
    effect.push_back(0.0);
    for (std::size_t i = 0; i < nv; ++i) effect.back() += of_effort(e.f[i]) * pi_[i];
  }
  for (std::size_t i = 0; i < nv; ++i)
    for (const auto& [j, entry] : e.M.row(static_cast<int>(i))) force[i] += entry * pi_[j];
  for (std::size_t k = 0; k < e.rows.size(); ++k) {
    const List row = gradient(along(e.rows[k].phi), e.v);
    rows.push_back(0.0);
    for (std::size_t i = 0; i < nv; ++i) rows.back() += row[i] * pi_[i], force[i] += row[i] * kappa_[k];
  }
  for (const List* list : {&effect, &rows, &force})
    for (const Expression& x : *list) outputs.push_back(along(x));
  return outputs;
}

Expression EffortRates::derivative(Expression x, int k) const {
  Derivative along(flow(static_cast<int>(leaves_.size()) - 1));
  for (int i = 0; i < k; ++i) x = along(x);
  return x;
}

Evaluator EffortRates::program(const List& outputs) const {
  for (const Compiled& known : compiled_)
    if (known.outputs == outputs) return Evaluator(known.program);
  List inputs;
  for (std::size_t k = 0; k < leaves_.size(); ++k) {
    append(inputs, leaves_[k].a), append(inputs, leaves_[k].lambda);
    if (k > 0) append(inputs, leaves_[k].u);
  }
  append(inputs, pi_), append(inputs, kappa_);
  compiled_.push_back({outputs, system_->make_program(outputs, inputs)});
  return Evaluator(compiled_.back().program);
}

void EffortRates::run(Evaluator& program, const SystemEvaluator& evaluator, const std::vector<MotionLevel>& motion,
                      std::vector<double>& out) {
  in_.assign(static_cast<std::size_t>(program.program().input_count()), 0.0);
  double* place = std::copy_n(evaluator.inputs(), system_->layout().size(), in_.data());
  const auto put = [&](const Eigen::VectorXd& x) { place = std::copy_n(x.data(), x.size(), place); };
  for (std::size_t k = 0; k < leaves_.size(); ++k) {
    put(motion[k].vdot), put(motion[k].lambda);
    if (k > 0) put(motion[k].effort);
  }
  out.resize(static_cast<std::size_t>(program.program().output_count()));
  program(in_.data(), out.data());
}

void EffortRates::residuals(int k, const SystemEvaluator& evaluator, const std::vector<MotionLevel>& motion,
                            Eigen::VectorXd& E, Eigen::VectorXd& e) {
  run(levels_[k - 1], evaluator, motion, out_);
  const Layout& n = system_->layout();
  E = Eigen::Map<const Eigen::VectorXd>(out_.data(), n.nv);
  e = Eigen::Map<const Eigen::VectorXd>(out_.data() + n.nv, n.m);
}

EffortRates::Adjoint EffortRates::adjoint(const SystemEvaluator& evaluator, const std::vector<MotionLevel>& motion,
                                          const Eigen::VectorXd& pi, const Eigen::VectorXd& kappa) {
  const Layout& n = system_->layout();
  if (!adjoint_) adjoint_ = std::make_unique<Evaluator>(program(adjoint_expressions()));
  run(*adjoint_, evaluator, motion, out_);  // sizes in_
  std::copy_n(kappa.data(), n.m, in_.end() - n.m);
  std::copy_n(pi.data(), n.nv, in_.end() - n.m - n.nv);
  (*adjoint_)(in_.data(), out_.data());
  const auto part = [&](int first, int count) { return Eigen::Map<const Eigen::VectorXd>(out_.data() + first, count); };
  const int nu = static_cast<int>(leaves_[0].u.size());
  return {part(0, nu), part(nu, n.m), part(nu + n.m, n.nv)};
}

}  // namespace armature::internal
