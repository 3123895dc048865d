#include "inspect/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "expression/lower.hpp"
#include "inspect/twin_states.hpp"
#include "linear/kinetic_rows.hpp"
#include "record/recorder.hpp"
#include "simulate/setup.hpp"
#include "simulate/simulate.hpp"

namespace armature {

namespace {

constexpr int moments = 6;
constexpr double resting = 1e-9;  // accelerations below are compared absolutely

Prepared prepared(const Model& model) {
  Prepared result = compile(model);
  assemble_start(result);
  if (!result.failure.empty()) throw std::runtime_error(fmt::format("{}: {}", model.file, result.failure));
  return result;
}

ComparedSide side(const Model& model, const Prepared& prepared) {
  const System& system = *prepared.system;
  ComparedSide side;
  side.name = model.name;
  side.file = model.file;
  side.coordinates = system.layout().nv;
  side.constraints = system.layout().m;
  side.operations = system.traced_operation_count();
  return side;
}

void require_name(const std::string& name, const std::vector<std::string>& names, const std::string& file) {
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const auto guess = nearest_name(name, names);
  throw std::runtime_error(fmt::format("{}: nothing that moves is called '{}'{}", file, name,
                                       guess ? fmt::format(" (did you mean '{}'?)", *guess) : ""));
}

TwinNames common_names(const Model& a, const Model& b, const Prepared& in_a, const Prepared& in_b,
                       const CompareOptions& options) {
  const auto names_a = names_of_motion(in_a.system->equations()), names_b = names_of_motion(in_b.system->equations());
  TwinNames names;
  for (const auto& [first, second] : options.match) {
    require_name(first, names_a, a.file);
    require_name(second, names_b, b.file);
    names.a.push_back(first);
    names.b.push_back(second);
  }
  for (const std::string& name : names_a)
    if (std::find(names_b.begin(), names_b.end(), name) != names_b.end() &&
        std::find(names.a.begin(), names.a.end(), name) == names.a.end() &&
        std::find(names.b.begin(), names.b.end(), name) == names.b.end()) {
      names.a.push_back(name);
      names.b.push_back(name);
    }
  if (names.a.empty())
    throw std::runtime_error(
        "the two models have no name in common: name something alike under 'define', or say what is the "
        "same with --match a=b");
  return names;
}

// Accelerations of one side at a state; false: there are none, or the pose is nearly singular.
bool accelerations(Dynamics& dynamics, NamedMotion& motion, const State& state, NamedMotion::Values& values) {
  dynamics.set_state(state);
  dynamics.follow_roots(true);
  Eigen::VectorXd xdot(dynamics.size());
  if (!dynamics.derivative(state.t, state.x.data(), xdot.data())) return false;
  if (dynamics.acceleration().smallest < near_singular) return false;
  motion.evaluate(state, dynamics.acceleration().vdot, values);
  return values.acceleration.allFinite();
}

void compare_accelerations(const Prepared& a, const Prepared& b, const TwinNames& names, const CompareOptions& options,
                           Comparison& result) {
  TwinStates twins(a, b, names, options.seed);
  result.obstacle = twins.obstacle();
  if (!result.obstacle.empty()) return;
  const auto dynamics_a = make_dynamics(a), dynamics_b = make_dynamics(b);
  NamedMotion::Values of_a, of_b;
  State state_a, state_b;
  for (int tries = 0; result.states < options.states && tries < 10 * options.states; ++tries) {
    if (!twins.draw(state_a, state_b) || !accelerations(*dynamics_a, twins.motion_a(), state_a, of_a) ||
        !accelerations(*dynamics_b, twins.motion_b(), state_b, of_b))
      continue;
    ++result.states;
    int worst = 0;
    const double difference = (of_a.acceleration - of_b.acceleration).cwiseAbs().maxCoeff(&worst);
    const double size =
        std::max({of_a.acceleration.cwiseAbs().maxCoeff(), of_b.acceleration.cwiseAbs().maxCoeff(), resting});
    if (difference / size < result.acceleration) continue;
    result.acceleration = difference / size;
    result.acceleration_of = names.a[worst];
  }
  if (result.states == 0) result.obstacle = "no random state could be brought into both models";
}

// One channel of both runs, and by how many whole turns they are apart at the start.
struct TwinColumn {
  std::string name;
  std::vector<double> a, b;
  double turns = 0;
};

std::vector<TwinColumn> columns(const MemoryRecorder& a, const MemoryRecorder& b, const TwinNames& names) {
  std::vector<TwinColumn> list;
  for (std::size_t i = 0; i < names.a.size(); ++i)
    for (const char* prime : {"", "'"}) {
      TwinColumn column{names.a[i] + prime, a.column(names.a[i] + prime), b.column(names.b[i] + prime)};
      if (column.a.empty() || column.b.empty()) continue;
      const double apart = column.a[0] - column.b[0],
                   whole = 2 * std::numbers::pi * std::round(apart / (2 * std::numbers::pi));
      if (std::abs(apart - whole) < 1e-6) column.turns = whole;
      list.push_back(std::move(column));
    }
  return list;
}

Comparison::Moment moment(const std::vector<TwinColumn>& columns, const std::vector<double>& t, std::size_t row) {
  Comparison::Moment result{t[row], 0, ""};
  for (const TwinColumn& column : columns) {
    const double difference = std::abs(column.a[row] - column.b[row] - column.turns);
    if (difference < result.difference && !result.of.empty()) continue;
    result.difference = difference;
    result.of = column.name;
  }
  return result;
}

void compare_runs(const Prepared& a, const Prepared& b, const TwinNames& names, Comparison& result) {
  MemoryRecorder record_a, record_b;
  result.a.outcome = simulate(a, record_a);
  result.b.outcome = simulate(b, record_b);
  result.a.balances = !record_a.column("energy.error").empty();
  result.b.balances = !record_b.column("energy.error").empty();
  const std::vector<double> t = record_a.column("t");
  const std::size_t rows = std::min<std::size_t>(record_a.rows(), record_b.rows());
  const std::vector<TwinColumn> list = columns(record_a, record_b, names);
  if (rows == 0 || list.empty()) return;
  for (std::size_t row = 0; row < rows; ++row) {
    const Comparison::Moment here = moment(list, t, row);
    if (row == 0 || !(here.difference <= result.largest.difference)) result.largest = here;
  }
  for (int k = 0; k < moments; ++k) result.moments.push_back(moment(list, t, k * (rows - 1) / (moments - 1)));
}

}  // namespace

std::string Comparison::verdict() const {
  std::string text =
      !obstacle.empty() ? "the accelerations were not compared: " + obstacle
      : same_equations()
          ? fmt::format("{}: accelerations agree to {:.1e} at {} states",
                        apart() ? "the same mechanics, but not the same run" : "the same equations of motion",
                        acceleration, states)
          : fmt::format("different equations of motion: the acceleration of {} differs by {:.1e} of the largest",
                        acceleration_of, acceleration);
  if (moments.empty()) return text;
  text += fmt::format("; trajectories {} {:.1e} ({} at t = {:g} s)", apart() ? "differ by" : "agree to",
                      largest.difference, largest.of, largest.t);
  if (apart() && same_equations())
    text += "; the start, a drive's electrical side or a controller may differ, or small errors grow fast";
  for (const auto* side : {&a, &b})
    if (side->outcome.status != RunStatus::finished)
      text += fmt::format("; {} did not finish: {}", side == &a ? "A" : "B", side->outcome.sentence);
  return text;
}

Comparison compare(const Model& a, const Model& b, const CompareOptions& options) {
  Model as_long = b;  // as A: the same end and the same rows
  as_long.simulate.end = a.simulate.end;
  Prepared in_a = prepared(a), in_b = prepared(as_long);
  in_b.options.record = in_a.options.record;
  const TwinNames names = common_names(a, b, in_a, in_b, options);
  Comparison result;
  result.a = side(a, in_a);
  result.b = side(b, in_b);
  for (std::size_t i = 0; i < names.a.size(); ++i)
    result.names.push_back(names.a[i] == names.b[i] ? names.a[i] : names.a[i] + " = " + names.b[i]);
  compare_accelerations(in_a, in_b, names, options, result);
  if (options.run) compare_runs(in_a, in_b, names, result);
  return result;
}

}  // namespace armature
