#include "sensitivity/adjoint_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "system/flow.hpp"

namespace armature::internal {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using List = std::vector<Expression>;

constexpr double at_zero = 1e-6;  // of the largest change of the state: a root that does not move with the parameters

// All that decides the start.
List start_expressions(const Equations& e) {
  List all;
  Derivative along_flow(flow_of_states(e));
  for (const ConstraintRow& row : e.rows) all.push_back(row.phi), all.push_back(along_flow(row.phi));
  for (const auto* conditions : {&e.keep, &e.near, &e.speed_keep, &e.speed_near})
    for (const StartCondition& condition : *conditions) all.push_back(condition.residual);
  for (const auto& [index, start] : e.z_initial) all.push_back(start);
  return all;
}

// Whether a look-up in one of the tables is anywhere below.
bool looks_up(const List& expressions, const std::vector<int>& tables) {
  std::set<std::int32_t> seen;
  std::vector<std::int32_t> open;
  // From the expressions down through the operands of each node, every node once.
  const Graph* graph = nullptr;
  for (const Expression& x : expressions)
    if (!x.is_constant()) open.push_back(x.id()), graph = x.graph();
  while (!open.empty()) {
    const std::int32_t id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    const Node& node = (*graph)[id];
    if (node.op == Op::table && std::ranges::count(tables, node.b) > 0) return true;
    const std::int32_t operands[] = {node.a, node.b, node.c};
    const int count = node.op == Op::table ? 1 : operand_count(node.op);
    open.insert(open.end(), operands, operands + count);
  }
  return false;
}

}  // namespace

AdjointSweep::AdjointSweep(const std::shared_ptr<const System>& system, const MotionSensitivity& motion, double alpha,
                           double beta, const List& observed, const std::vector<int>& tables)
    : path_(MotionAdjoint(system, motion, alpha, beta, observed, tables)),
      jump_(system, motion.sliders(), observed, tables),
      observed_(static_cast<Eigen::Index>(observed.size())),
      no_tables_(system->equations().graph->tables(), tables) {}

std::string AdjointSweep::missing(const Prepared& prepared, const std::vector<int>& tables) {
  const Equations& e = prepared.system->equations();
  if (const std::string why = StartSensitivity::missing(prepared); !why.empty()) return why;
  if (const std::string why = why_no_sensitivity(prepared); !why.empty()) return why;
  if (!e.contacts.empty()) return "has rigid contacts, through which adjoints do not go";
  if (!tables.empty() && looks_up(start_expressions(e), tables))
    return "starts where a table says whose points are varied";
  return {};
}

void AdjointSweep::begin(const Prepared& prepared, ResultSeeds seeds) {
  seeds_ = std::move(seeds);
  jump_.set_parameters(prepared.parameters);
  jump_.begin(seeds_.results);
  const auto results = static_cast<std::size_t>(seeds_.results);
  path_.begin(prepared, MatrixXd::Zero(path_.adjoint().rows(), seeds_.results),
              std::vector<TableGradient>(results, no_tables_));
  held_at_start_.clear();
  failure_.clear();
}

bool AdjointSweep::back(const MotionRecord& record) {
  path_.adjoint().set_sliding_rate(record.sliding_rate());
  static const std::vector<ResultSeeds::Point> no_points;
  static const std::vector<AdjointJump::Shift> no_shifts;
  // The record backwards: over pieces the adjoint is integrated, at events and samples it jumps.
  for (long k = record.last(); k-- > record.first() && failure_.empty();) {
    const RecordEntry& entry = record[k];
    if (entry.piece) {
      const auto points = seeds_.points.find(k);
      back_over(*entry.piece, points == seeds_.points.end() ? no_points : points->second);
    } else if (entry.event) {
      const auto shifts = seeds_.shifts.find(k);
      failure_ = jump_.cross(path_.adjoint(), *entry.event, shifts == seeds_.shifts.end() ? no_shifts : shifts->second,
                             path_.lambda(), path_.tables());
    } else {
      back_over(*entry.sample, k == 0);
    }
  }
  return failure_.empty();
}

// ---- pieces

// Times inside at which something is added, or an integral begins or ends; from the last to the first, with both ends.
std::vector<double> AdjointSweep::breaks(const RecordedPiece& piece,
                                         const std::vector<ResultSeeds::Point>& points) const {
  std::vector<double> times{piece.from, piece.until};
  const auto add = [&](double t) {
    if (t > piece.from && t < piece.until) times.push_back(t);
  };
  for (const ResultSeeds::Point& point : points) add(point.t);
  for (const ResultSeeds::Integral& integral : seeds_.integrals) add(integral.from), add(integral.to);
  std::ranges::sort(times, std::greater<>());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

MatrixXd AdjointSweep::running_weights(double from, double until) const {
  MatrixXd psi = MatrixXd::Zero(observed_, seeds_.results);
  for (const ResultSeeds::Integral& integral : seeds_.integrals)
    if (integral.from <= from && integral.to >= until) psi.row(integral.formula) += integral.weights;
  return psi;
}

bool AdjointSweep::back_over(const RecordedPiece& piece, const std::vector<ResultSeeds::Point>& points) {
  const std::vector<double> times = breaks(piece, points);
  // A weight on a formula at one moment makes lambda jump there.
  const auto look = [&](double t) {
    for (const ResultSeeds::Point& point : points) {
      if (point.t != t) continue;
      State state = *piece.held;
      state.t = t;
      (*piece.path)(t, state.x);
      if (!jump_.observe(path_.adjoint(), state, point.formula, point.weights, path_.lambda(), path_.tables()))
        failure_ = fmt::format("at t = {:.10g} s the derivatives of a formula have no value", t);
    }
  };
  // The piece falls into stretches between such moments; the weights of integrals act along each.
  look(piece.until);
  for (std::size_t i = 0; i + 1 < times.size() && failure_.empty(); ++i) {
    if (!path_.advance(piece, times[i + 1], times[i], running_weights(times[i + 1], times[i])))
      failure_ = path_.failure();
    look(times[i + 1]);
  }
  return failure_.empty();
}

// ---- samples

bool AdjointSweep::back_over(const RecordedSample& sample, bool start) {
  for (const int comparison : sample.sticks_at_once) {
    if (!start) {
      failure_ = fmt::format(
          "at t = {:.10g} s {} begins to stick with a sample, and adjoints do not know whether it does so nearby",
          sample.seen.t, jump_.name(comparison));
      return false;
    }
    VectorXd gradient = VectorXd::Zero(path_.lambda().rows());
    jump_.root_gradient(sample.seen, comparison, gradient);
    held_at_start_.emplace_back(jump_.name(comparison), gradient);
  }
  jump_.sample(sample, path_.lambda(), path_.tables());
  return true;
}

// ---- the start

AdjointStart::AdjointStart(const std::shared_ptr<const System>& system) : start_(system) {
  const Equations& e = system->equations();
  std::set<std::int32_t> leaves;
  for (const Expression& x : start_expressions(e))
    for (const std::int32_t leaf : leaves_of(x)) leaves.insert(leaf);
  for (std::size_t k = 0; k < e.p.size(); ++k)
    if (leaves.contains(e.p[k].id())) parameters_.push_back(static_cast<Eigen::Index>(k));
}

bool AdjointStart::operator()(const Prepared& prepared, KnownPositions& known, const VectorXd& scales,
                              AdjointSweep& sweep, MatrixXd& gradients) {
  const Layout& n = prepared.system->layout();
  const MatrixXd& lambda = sweep.lambda();
  gradients = lambda.bottomRows(n.np).transpose();
  MatrixXd S = MatrixXd::Zero(Directional::rows(n), static_cast<Eigen::Index>(parameters_.size()));
  for (std::size_t k = 0; k < parameters_.size(); ++k)
    S(S.rows() - n.np + parameters_[k], static_cast<Eigen::Index>(k)) = 1;
  failure_ = "the loops close here but not nearby: the start has no derivative";
  if (S.cols() > 0 && !start_(prepared, known, scales, S)) return false;
  for (const auto& [name, root] : sweep.held_at_start()) {
    VectorXd change = S.topRows(n.nx()).transpose() * root.head(n.nx());
    VectorXd all = root.tail(n.np);
    for (std::size_t k = 0; k < parameters_.size(); ++k) all[parameters_[k]] += change[static_cast<Eigen::Index>(k)];
    const double least = at_zero * (S.size() > 0 ? S.topRows(n.nx()).cwiseAbs().maxCoeff() : 0.0);
    if (all.size() == 0 || all.cwiseAbs().maxCoeff() <= least) continue;
    failure_ =
        fmt::format("at t = {:.10g} s {} sticks in this motion, but not in those nearby", prepared.start.t, name);
    return false;
  }
  failure_.clear();
  for (std::size_t k = 0; k < parameters_.size(); ++k)
    gradients.col(parameters_[k]) +=
        lambda.topRows(n.nx()).transpose() * S.col(static_cast<Eigen::Index>(k)).head(n.nx());
  return true;
}

}  // namespace armature::internal
