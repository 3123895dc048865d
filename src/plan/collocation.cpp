#include "plan/collocation.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "expression/derivative.hpp"
#include "plan/radau.hpp"
#include "system/flow.hpp"

namespace armature::internal {

namespace {

using List = std::vector<Expression>;

constexpr double at_limit = 1e-5;  // of the range of a limit: it is active
constexpr double at_bound =
    1e-3;  // of the range of an input, likewise: an interior point method stays away from bounds

void append(List& list, const List& more) { list.insert(list.end(), more.begin(), more.end()); }

List scaled(Expression factor, const List& list) {
  List result;
  for (const Expression& x : list) result.push_back(factor * x);
  return result;
}

List new_leaves(Graph& graph, const char* name, int count) {
  List leaves;
  for (int k = 0; k < count; ++k) leaves.push_back(graph.input(name));
  return leaves;
}

bool depends_on_any(Expression x, const List& leaves) {
  const auto all = leaves_of(x);
  return std::ranges::any_of(leaves,
                             [&](const Expression& leaf) { return std::ranges::binary_search(all, leaf.id()); });
}

// The constraints of a machine by their derivatives.
struct Constraints {
  List phi, phidot, closure;  // closure: Phi a - gamma
  ExpressionMatrix Phi;

  Constraints(const Equations& e, const std::vector<int>& rows)
      : Phi(static_cast<int>(rows.size()), static_cast<int>(e.v.size())) {
    Derivative along_flow(flow_of_states(e));
    LeafMap motion = flow_of_states(e);
    for (std::size_t k = 0; k < e.v.size(); ++k) motion[e.v[k].id()] = e.a[k];
    Derivative along_motion(motion);
    for (const int row : rows) {
      phi.push_back(e.rows[static_cast<std::size_t>(row)].phi);
      phidot.push_back(along_flow(phi.back()));
      closure.push_back(along_motion(phidot.back()));
    }
    for (std::size_t k = 0; k < e.v.size(); ++k) {
      Derivative along({{e.v[k].id(), 1.0}});
      for (std::size_t r = 0; r < phi.size(); ++r)
        if (const Expression entry = along(phidot[r]); !entry.is(0))
          Phi.add(static_cast<int>(r), static_cast<int>(k), entry);
    }
  }

  List transposed_times(const List& x) const {
    List result(static_cast<std::size_t>(Phi.columns()), 0.0);
    for (int r = 0; r < Phi.rows(); ++r)
      for (const auto& [k, entry] : Phi.row(r))
        result[static_cast<std::size_t>(k)] += entry * x[static_cast<std::size_t>(r)];
    return result;
  }
};

List residual_forces(const Equations& e, const Constraints& constraints, const List& lambda) {
  List result = constraints.transposed_times(lambda);
  for (int i = 0; i < e.M.rows(); ++i) {
    Expression& sum = result[static_cast<std::size_t>(i)];
    for (const auto& [j, entry] : e.M.row(i)) sum += entry * e.a[static_cast<std::size_t>(j)];
    sum -= e.f[static_cast<std::size_t>(i)];
  }
  return result;
}

}  // namespace

Collocation::Collocation(const PlannedMachine& machine, bool at_rest) : machine_(machine), at_rest_(at_rest) {
  const Equations& e = machine.equations();
  Graph& graph = *e.graph;
  nq_ = static_cast<int>(e.q.size()), nv_ = static_cast<int>(e.v.size()), nz_ = static_cast<int>(machine.states.size());
  nu_ = static_cast<int>(e.p.size()), m_ = static_cast<int>(machine.rows.size()),
  balls_ = static_cast<int>(e.quaternions.size());
  List z, zdot, lambda;
  for (const int k : machine.states)
    z.push_back(e.z[static_cast<std::size_t>(k)]), zdot.push_back(e.zdot[static_cast<std::size_t>(k)]);
  for (const int row : machine.rows) lambda.push_back(e.lambda[static_cast<std::size_t>(row)]);
  const Expression T = graph.input("duration"), largest = graph.input("largest");
  const Constraints constraints(e, machine.rows);
  List state{e.t};
  append(state, e.q), append(state, e.v), append(state, z);

  // at a point
  List limits;
  for (const PathLimit& limit : machine.limits) limits.push_back(limit.value);
  for (const Expression& current : machine.largest)
    limits.push_back(current - largest), limits.push_back(-current - largest);
  List leaves{T}, outputs = scaled(T, e.qdot);
  append(leaves, state), append(leaves, e.a), append(leaves, lambda), append(leaves, e.p), leaves.push_back(largest);
  append(outputs, scaled(T, e.a)), append(outputs, scaled(T, zdot));
  append(outputs, residual_forces(e, constraints, lambda)), append(outputs, constraints.closure);
  append(outputs, limits);
  outputs.push_back(T * machine.cost);
  at_point_ = LocalFunction(leaves, outputs);

  // at a node: what brings it back onto the loops
  const List mu = new_leaves(graph, "mu", m_), nu = new_leaves(graph, "nu", m_),
             kappa = new_leaves(graph, "kappa", balls_);
  LeafMap by_mu;
  const List across = constraints.transposed_times(mu);
  for (int k = 0; k < nv_; ++k) by_mu[e.v[static_cast<std::size_t>(k)].id()] = across[static_cast<std::size_t>(k)];
  Substitution along_mu(by_mu);
  List node_leaves = state, node_outputs, norms;
  append(node_leaves, mu), append(node_leaves, nu), append(node_leaves, kappa);
  for (const Expression& rate : e.qdot) node_outputs.push_back(along_mu(rate));
  for (int b = 0; b < balls_; ++b) {
    Expression norm = -1.0;
    for (int i = 0; i < 4; ++i) {
      const auto place = static_cast<std::size_t>(e.quaternions[static_cast<std::size_t>(b)][0] + i);
      node_outputs[place] += kappa[static_cast<std::size_t>(b)] * e.q[place];
      norm += square(e.q[place]);
    }
    norms.push_back(norm);
  }
  append(node_outputs, constraints.transposed_times(nu));
  append(node_outputs, constraints.phi), append(node_outputs, constraints.phidot), append(node_outputs, norms);
  at_node_ = LocalFunction(node_leaves, node_outputs);

  // limits at the start, of inputs alone
  List start_leaves = state, start_outputs;
  append(start_leaves, e.p), start_leaves.push_back(largest);
  for (std::size_t k = 0; k < limits.size(); ++k)
    if (depends_on_any(limits[k], e.p) && !depends_on_any(limits[k], e.a) && !depends_on_any(limits[k], e.lambda))
      start_limits_.push_back(static_cast<int>(k)), start_outputs.push_back(limits[k]);
  at_start_ = LocalFunction(start_leaves, start_outputs);

  // poses
  List pose = constraints.phi;
  append(pose, norms), append(pose, machine.targets);
  append(pose, machine.path);
  for (const Expression& target : machine.targets)
    target_is_pose_.push_back(depends_on_any(target, e.q) && !depends_on_any(target, e.v));
  at_pose_ = LocalFunction(state, pose);
  rates_ = LocalFunction(state, e.qdot);
}

// --- variables

void Collocation::add_variables(const PlannedMotion& guess, NonlinearProgram& program) const {
  const bool has_largest = !machine_.largest.empty();
  // The duration and the largest value of a limit that is minimized come first, then the states and inputs at the
  // start.
  program.add_variable(machine_.shortest, machine_.longest, guess.duration);
  program.add_variable(0, has_largest ? unbounded : 0, has_largest ? guess.largest : 0);
  const auto free = [&](int count) {
    for (int k = 0; k < count; ++k) program.add_variable(-unbounded, unbounded, 0);
  };
  const auto inputs = [&] {
    for (int k = 0; k < nu_; ++k)
      program.add_variable(machine_.input_low[static_cast<std::size_t>(k)],
                           machine_.input_high[static_cast<std::size_t>(k)], 0);
  };
  for (int k = 0; k < nx(); ++k) program.add_variable(guess.states(k, 0), guess.states(k, 0), guess.states(k, 0));
  inputs();
  // Each interval: states, accelerations and multipliers at three points, inputs at its end, and the multipliers mu
  // and nu that bring its end back to the loops.
  for (Eigen::Index k = 0; k < guess.intervals(); ++k) {
    free(3 * point_size());
    inputs();
    free(2 * m_ + balls_);
  }
  // At rest in the end: the velocities of the last node are fixed at zero.
  if (at_rest_) {
    const int v = node(static_cast<int>(guess.intervals())) + nq_;
    for (int k = 0; k < nv_; ++k)
      program.lower()[static_cast<std::size_t>(v + k)] = program.upper()[static_cast<std::size_t>(v + k)] = 0;
  }
  program.guess() = this->guess(guess);
}

std::vector<double> Collocation::guess(const PlannedMotion& motion) const {
  const int N = static_cast<int>(motion.intervals());
  std::vector<double> x(static_cast<std::size_t>(interval(N)), 0.0);
  const auto put = [&](int place, const auto& values) {
    for (Eigen::Index k = 0; k < values.size(); ++k) x[static_cast<std::size_t>(place + k)] = values[k];
  };
  // In the order of add_variables(); mu and nu begin at zero.
  x[T_] = motion.duration, x[largest_] = motion.largest;
  put(first_, motion.states.col(0)), put(start_u(), motion.inputs.col(0));
  for (int k = 0; k < N; ++k) {
    for (int j = 0; j < 3; ++j) {
      put(point(k, j), motion.states.col(1 + 3 * k + j));
      put(point(k, j) + nx(), motion.accelerations.col(3 * k + j));
      put(point(k, j) + nx() + nv_, motion.multipliers.col(3 * k + j));
    }
    put(node_u(k + 1), motion.inputs.col(k + 1));
  }
  return x;
}

PlannedMotion Collocation::motion(const std::vector<double>& mesh, const std::vector<double>& x) const {
  PlannedMotion motion;
  motion.mesh = mesh;
  const int N = static_cast<int>(motion.intervals());
  const auto take = [&](int place, auto&& values) {
    for (Eigen::Index k = 0; k < values.size(); ++k) values[k] = x[static_cast<std::size_t>(place + k)];
  };
  // The inverse of guess().
  motion.duration = x[T_], motion.largest = x[largest_];
  motion.states.resize(nx(), 1 + 3 * N), motion.inputs.resize(nu_, N + 1);
  motion.accelerations.resize(nv_, 3 * N), motion.multipliers.resize(m_, 3 * N);
  take(first_, motion.states.col(0)), take(start_u(), motion.inputs.col(0));
  for (int k = 0; k < N; ++k) {
    for (int j = 0; j < 3; ++j) {
      take(point(k, j), motion.states.col(1 + 3 * k + j));
      take(point(k, j) + nx(), motion.accelerations.col(3 * k + j));
      take(point(k, j) + nx() + nv_, motion.multipliers.col(3 * k + j));
    }
    take(node_u(k + 1), motion.inputs.col(k + 1));
  }
  return motion;
}

// --- rows

// Those of the machine, then twice those of the largest current.
int Collocation::add_limit(int k, Transcription& transcription) const {
  if (k >= limits()) return transcription.program.add_row(-unbounded, 0);
  const PathLimit& limit = machine_.limits[static_cast<std::size_t>(k)];
  const int row = transcription.program.add_row(limit.low, limit.high);
  transcription.limit_rows.push_back({row, k});
  return row;
}

void Collocation::add_interval(const PlannedMotion& guess, int k, Transcription& transcription) const {
  NonlinearProgram& program = transcription.program;
  const double start = guess.mesh[static_cast<std::size_t>(k)],
               length = guess.mesh[static_cast<std::size_t>(k + 1)] - start;
  const bool last = k + 1 == guess.intervals();
  // x_j - x0 - h sum_i A_ji F_i = 0: the linear part
  int state_row[3];
  for (int j = 0; j < 3; ++j) {
    state_row[j] = program.rows();
    for (int i = 0; i < nx(); ++i) {
      const int row = program.add_row(0, 0);
      program.add_linear(row, point(k, j) + i, 1);
      program.add_linear(row, node(k) + i, -1);
    }
  }
  for (int i = 0; i < 3; ++i) {
    const double at = radau::c[i];
    NonlinearProgram::Block block{&at_point_, {}, {}};
    block.inputs.push_back({{T_, 1}});
    block.inputs.push_back({{T_, start + at * length}});
    for (int n = 0; n < point_size(); ++n) block.inputs.push_back({{point(k, i) + n, 1}});
    for (int n = 0; n < nu_; ++n) {
      Terms input{{node_u(k + 1) + n, at}};
      if (i < 2) input.push_back({node_u(k) + n, 1 - at});
      block.inputs.push_back(input);
    }
    block.inputs.push_back({{largest_, 1}});
    for (int n = 0; n < nx(); ++n) {
      Terms to;
      for (int j = 0; j < 3; ++j) to.push_back({state_row[j] + n, -length * radau::A(j, i)});
      block.outputs.push_back(to);
    }
    for (int n = 0; n < nv_ + m_; ++n) block.outputs.push_back({{program.add_row(0, 0), 1}});
    for (int n = 0; n < limits() + 2 * static_cast<int>(machine_.largest.size()); ++n)
      block.outputs.push_back({{add_limit(n, transcription), 1}});
    block.outputs.push_back({{NonlinearProgram::cost, length * radau::A(2, i)}});
    program.add_block(std::move(block));
  }
  // the node at the end
  if (m_ + balls_ == 0) return;
  NonlinearProgram::Block block{&at_node_, {}, {}};
  block.inputs.push_back({{T_, start + length}});
  for (int n = 0; n < nx(); ++n) block.inputs.push_back({{node(k + 1) + n, 1}});
  for (int n = 0; n < 2 * m_ + balls_; ++n) block.inputs.push_back({{projection(k) + n, 1}});
  for (int n = 0; n < nq_ + nv_; ++n) block.outputs.push_back({{state_row[2] + n, -1}});
  const auto closed = [&](bool wanted) {
    block.outputs.push_back(wanted ? Terms{{program.add_row(0, 0), 1}} : Terms{});
  };
  for (int n = 0; n < m_; ++n) closed(true);
  for (int n = 0; n < m_; ++n) closed(!(last && at_rest_));  // at rest they hold
  for (int n = 0; n < balls_; ++n) closed(true);
  program.add_block(std::move(block));
}

void Collocation::add_ends(int intervals, Transcription& transcription) const {
  NonlinearProgram& program = transcription.program;
  // Limits that depend on the first node alone.
  if (!start_limits_.empty()) {
    NonlinearProgram::Block block{&at_start_, {}, {}};
    block.inputs.push_back({{T_, 0}});
    for (int n = 0; n < nx() + nu_; ++n) block.inputs.push_back({{first_ + n, 1}});
    block.inputs.push_back({{largest_, 1}});
    for (const int k : start_limits_) block.outputs.push_back({{add_limit(k, transcription), 1}});
    program.add_block(std::move(block));
  }
  // Targets are equations in the last node; at the end the loops have rows of their own.
  NonlinearProgram::Block block{&at_pose_, {}, {}};
  block.inputs.push_back({{T_, 1}});
  for (int n = 0; n < nx(); ++n) block.inputs.push_back({{node(intervals) + n, 1}});
  block.outputs.resize(static_cast<std::size_t>(at_pose_.outputs()));
  for (std::size_t n = 0; n < machine_.targets.size(); ++n)
    block.outputs[static_cast<std::size_t>(closures()) + n] = {{program.add_row(0, 0), 1}};
  program.add_block(std::move(block));
}

Transcription Collocation::transcribe(const PlannedMotion& guess) const {
  Transcription transcription;
  NonlinearProgram& program = transcription.program;
  add_variables(guess, program);
  const int N = static_cast<int>(guess.intervals());
  for (int k = 0; k < N; ++k) add_interval(guess, k, transcription);
  add_ends(N, transcription);
  if (machine_.minimizes_time) program.add_linear(NonlinearProgram::cost, T_, 1);
  if (!machine_.largest.empty()) program.add_linear(NonlinearProgram::cost, largest_, 1);
  return transcription;
}

// The strength of a limit is the sum of its multipliers; that of an input's range, the number of nodes at its ends.
std::vector<std::string> Collocation::active_limits(const PlannedMotion& motion, const Transcription& transcription,
                                                    const std::vector<double>& rows,
                                                    const std::vector<double>& multipliers) const {
  std::map<std::string, double> strength;
  for (const auto& [row, limit] : transcription.limit_rows) {
    const PathLimit& of = machine_.limits[static_cast<std::size_t>(limit)];
    const double range = of.high - of.low, near = at_limit * (std::isfinite(range) ? range : 1),
                 value = rows[static_cast<std::size_t>(row)];
    if (value < of.low + near || value > of.high - near)
      strength[of.name] += std::abs(multipliers[static_cast<std::size_t>(row)]);
  }
  for (int k = 0; k < nu_; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double low = machine_.input_low[i], high = machine_.input_high[i], near = at_bound * (high - low);
    if (machine_.input_limit[i].empty() || !std::isfinite(near)) continue;
    for (const double value : motion.inputs.row(k))
      if (value < low + near || value > high - near) strength[machine_.input_limit[i]] += 1;
  }
  std::vector<std::string> names;
  for (const auto& [name, size] : strength) names.push_back(name);
  std::ranges::sort(names, [&](const std::string& a, const std::string& b) { return strength[a] > strength[b]; });
  return names;
}

}  // namespace armature::internal
