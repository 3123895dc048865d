#include "analysis/pose_closing.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <stdexcept>

#include "analysis/request_error.hpp"
#include "analysis/singular_words.hpp"
#include "dynamics/assembly.hpp"
#include "dynamics/configuration.hpp"
#include "linear/kinetic_rows.hpp"
#include "model/diagnostics.hpp"
#include "model/formula_tree.hpp"
#include "model/joint_components.hpp"

namespace armature {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

std::string pose_name(std::size_t k) { return fmt::format("pose.{}", k + 1); }
std::string goal_name(std::size_t k) { return fmt::format("pose goal.{}", k + 1); }

// As it was asked for: "--over foo: unknown name 'foo' (did you mean …?)".
[[noreturn]] void refuse(const PoseMachine& machine, std::size_t k, const std::string& message, const Model& model) {
  const bool held = k >= machine.names.size() - machine.held.size();
  const bool suggests = message.find("did you mean") != std::string::npos;
  throw RequestError(fmt::format("{} {}: {}{}", held ? "--hold" : "--over", machine.names[k], message,
                                 suggests ? "" : did_you_mean(machine.names[k], coordinate_names(model))));
}

Prepared compile_pose(PoseMachine& machine, const Model& model) {
  machine.model = with_body_markers(model);
  for (std::size_t k = 0; k < machine.names.size(); ++k) try {
      machine.model.definitions.push_back({pose_name(k), parse_formula(machine.names[k], {})});
    } catch (const FormulaError& error) {
      refuse(machine, k, error.what(), model);
    }
  try {
    return compile(machine.model);
  } catch (const ModelError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics())
      for (std::size_t k = 0; k < machine.names.size(); ++k)
        if (diagnostic.key == "define." + pose_name(k)) refuse(machine, k, diagnostic.message, model);
    throw;
  }
}

std::vector<double> pose_at(const Prepared& prepared, std::size_t count) {
  SystemEvaluator evaluator(prepared.system);
  evaluator.set(prepared.start.t, prepared.start.x.data());
  evaluator.set_discrete(prepared.start.d);
  Observables now;
  evaluator.observables(now);
  const auto& quantities = prepared.system->equations().quantities;
  std::vector<double> pose(count);
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = 0; i < quantities.size(); ++i)
      if (quantities[i].name == pose_name(k)) pose[k] = now.quantities[static_cast<Eigen::Index>(i)];
  return pose;
}

// The same machine with the pose kept at goals.
void keep_goals(PoseMachine& machine, const State& start) {
  std::vector<std::string> free;
  machine.model.start = {};
  for (std::size_t k = 0; k < machine.names.size(); ++k) {
    const double value = machine.at_start[k];
    machine.model.parameters.push_back({goal_name(k), number_formula(value), value, {}});
    StartEntry entry;
    entry.name = pose_name(k);
    entry.value = name_formula(goal_name(k), {});
    machine.model.start.keep.push_back(entry);
    free.push_back(goal_name(k));
  }
  machine.prepared = compile(machine.model, free);
  machine.prepared.start = start;
}

}  // namespace

std::shared_ptr<const PoseMachine> pose_machine(const Model& model, const PoseRequest& request) {
  auto machine = std::make_shared<PoseMachine>();
  machine->names = request.over;
  for (const auto& [name, value] : request.hold) machine->names.push_back(name), machine->held.push_back(value);
  Prepared start = compile_pose(*machine, model);
  assemble_start(start);
  if (!start.failure.empty()) throw std::runtime_error(start.failure);
  machine->at_start = pose_at(start, machine->names.size());
  keep_goals(*machine, start.start);
  machine->frame = singularity_frame(model, machine->prepared, request.active, request.output);
  return machine;
}

PoseCloser::PoseCloser(const PoseMachine& machine)
    : machine_(machine), evaluator_(machine.prepared.system), pose_(machine.prepared.system, machine.frame) {}

bool PoseCloser::close(const std::vector<double>& at, const State& from, State& state) {
  VectorXd p(static_cast<Eigen::Index>(machine_.names.size()));
  const auto& order = machine_.prepared.system->equations().p_name;
  for (std::size_t k = 0; k < machine_.names.size(); ++k) {
    const auto place = std::find(order.begin(), order.end(), goal_name(k)) - order.begin();
    p[place] = k < at.size() ? at[k] : machine_.held[k - at.size()];
  }
  evaluator_.set_parameters(p);
  AssemblyResult assembled = assemble(evaluator_, from, {.conditions = true, .attempts = 1, .seed = 1});
  if (!assembled.success || assembled.attempts > 1) return false;  // a shaken guess would be another assembly
  state = std::move(assembled.state);
  return true;
}

// In the kinetic metric: T spans the tangents of the loops, J_pose T loses rank along its small singular values.
MatrixXd PoseCloser::lost_directions(const State& state) {
  Terms terms = evaluator_.make_terms();
  evaluator_.set(state.t, state.x.data());
  evaluator_.set_discrete(state.d);
  evaluator_.position(terms);
  VectorXd residual;
  SparseMatrix conditions;
  evaluator_.start_position(residual, conditions);
  const MatrixXd J(conditions);
  const Eigen::LLT<MatrixXd> llt(terms.M);
  const MatrixXd loops = llt.matrixL().solve(terms.Phi.transpose()).transpose();
  MatrixXd pose = llt.matrixL().solve(J.transpose()).transpose();
  for (Eigen::Index k = 0; k < pose.rows(); ++k)
    if (pose.row(k).norm() > 0) pose.row(k).normalize();
  MatrixXd T = MatrixXd::Identity(loops.cols(), loops.cols());
  if (loops.rows() > 0) {
    const Eigen::JacobiSVD<MatrixXd> svd(loops, Eigen::ComputeFullV);
    const VectorXd& s = svd.singularValues();
    const auto rank = s.size() > 0 && s[0] > 0 ? (s.array() > near_singular * s[0]).count() : 0;
    T = svd.matrixV().rightCols(loops.cols() - rank);
  }
  const Eigen::JacobiSVD<MatrixXd> svd(pose * T, Eigen::ComputeFullV);
  const auto held = (svd.singularValues().array() > near_singular).count();
  const auto lost = std::min(pose.rows(), T.cols()) - held;
  MatrixXd v = llt.matrixU().solve(T * svd.matrixV().middleCols(held, lost));
  for (Eigen::Index k = 0; k < lost; ++k) v.col(k) /= v.col(k).cwiseAbs().maxCoeff();
  return v;
}

std::vector<State> PoseCloser::beside(const State& state) {
  constexpr double ways[] = {0.3, -0.3, 0.1, -0.1, 0.03, -0.03};  // of the coordinate that moves most, rad or m
  const MatrixXd directions = lost_directions(state);
  const Configuration configuration(machine_.prepared.system->equations());
  std::vector<State> states;
  for (const double way : ways)
    for (Eigen::Index k = 0; k < directions.cols(); ++k) {
      State moved = state;
      const VectorXd step = way * directions.col(k);
      configuration.advance(moved.x.data(), step.data());
      AssemblyResult closed = assemble(evaluator_, moved, {.conditions = false, .attempts = 1, .seed = 1});
      if (closed.success && closed.attempts <= 1) states.push_back(std::move(closed.state));
    }
  return states;
}

}  // namespace armature
