#include "inspect/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "expression/lower.hpp"
#include "inspect/twin_states.hpp"
#include "linear/kinetic_rows.hpp"
#include "prepare/setup.hpp"
#include "record/recorder.hpp"
#include "run/simulate.hpp"

namespace armature::internal {

namespace {

constexpr int moments = 6;
constexpr double resting = 1e-9;  // accelerations below are compared absolutely
constexpr double safety = 10;     // of errors estimated by a second, more accurate run

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
  throw std::invalid_argument(fmt::format("{}: no coordinate, definition or point is called '{}'{}", file, name,
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
    if (options.match_alike && std::find(names_b.begin(), names_b.end(), name) != names_b.end() &&
        std::find(names.a.begin(), names.a.end(), name) == names.a.end() &&
        std::find(names.b.begin(), names.b.end(), name) == names.b.end()) {
      names.a.push_back(name);
      names.b.push_back(name);
    }
  if (names.a.empty())
    throw std::runtime_error(
        "the two models have no name in common: give something the same name under 'define', or pair names with "
        "--match a=b");
  return names;
}

// Accelerations of one side at a state; false: there are none, or the pose is nearly singular.
bool accelerations(Dynamics& dynamics, NamedMotion& motion, const State& state, Eigen::VectorXd& xdot,
                   NamedMotion::Values& values) {
  dynamics.set_state(state);
  dynamics.follow_roots(true);
  xdot.resize(dynamics.size());
  if (!dynamics.derivative(state.t, state.x.data(), xdot.data())) return false;
  if (dynamics.acceleration().smallest < Regularity::singular) return false;
  motion.evaluate(state, dynamics.acceleration().vdot, values);
  return values.acceleration.allFinite();
}

// Rates of the states besides positions and velocities that both name alike: currents, integrals, temperatures.
class TwinRates {
 public:
  TwinRates(const System& a, const System& b) {
    const auto &of_a = a.equations().others, &of_b = b.equations().others;
    for (std::size_t i = 0; i < of_a.size(); ++i)
      for (std::size_t k = 0; k < of_b.size(); ++k)
        if (of_a[i].name == of_b[k].name && of_a[i].kind == Coordinate::Kind::other)
          twins_.push_back({of_a[i].name, first(a) + static_cast<int>(i), first(b) + static_cast<int>(k)});
  }
  void add(const Eigen::VectorXd& xdot_a, const Eigen::VectorXd& xdot_b) {
    for (Twin& twin : twins_) {
      const double a = xdot_a[twin.a], b = xdot_b[twin.b];
      twin.difference = std::max(twin.difference, std::abs(a - b));
      twin.size = std::max({twin.size, std::abs(a), std::abs(b)});
    }
  }
  void report(CompareResult& result) const {
    for (const Twin& twin : twins_)
      if (const double share = twin.difference / std::max(twin.size, resting); share >= result.rate)
        result.rate = share, result.rate_of = twin.name;
  }

 private:
  struct Twin {
    std::string name;
    int a, b;  // in x
    double difference = 0, size = 0;
  };
  static int first(const System& system) { return system.layout().nq + system.layout().nv; }
  std::vector<Twin> twins_;
};

void compare_accelerations(const Prepared& a, const Prepared& b, const TwinNames& names, const CompareOptions& options,
                           CompareResult& result) {
  TwinStates twins(a, b, names, options.seed);
  result.obstacle = twins.obstacle();
  if (!result.obstacle.empty()) return;
  const auto dynamics_a = make_dynamics(a), dynamics_b = make_dynamics(b);
  NamedMotion::Values of_a, of_b;
  State state_a, state_b;
  Eigen::VectorXd xdot_a, xdot_b;
  TwinRates rates(*a.system, *b.system);
  for (int tries = 0; result.states < options.states && tries < 10 * options.states; ++tries) {
    if (!twins.draw(state_a, state_b) || !accelerations(*dynamics_a, twins.motion_a(), state_a, xdot_a, of_a) ||
        !accelerations(*dynamics_b, twins.motion_b(), state_b, xdot_b, of_b))
      continue;
    ++result.states;
    rates.add(xdot_a, xdot_b);
    int worst = 0;
    const double difference = (of_a.acceleration - of_b.acceleration).cwiseAbs().maxCoeff(&worst);
    const double size =
        std::max({of_a.acceleration.cwiseAbs().maxCoeff(), of_b.acceleration.cwiseAbs().maxCoeff(), resting});
    if (difference / size < result.acceleration) continue;
    result.acceleration = difference / size;
    result.acceleration_of = names.a[worst];
  }
  rates.report(result);
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

CompareResult::Moment moment(const std::vector<TwinColumn>& columns, const std::vector<double>& t, std::size_t row) {
  CompareResult::Moment result{t[row], 0, ""};
  for (const TwinColumn& column : columns) {
    const double difference = std::abs(column.a[row] - column.b[row] - column.turns);
    if (difference < result.difference && !result.of.empty()) continue;
    result.difference = difference;
    result.of = column.name;
  }
  return result;
}

CompareResult::Moment largest_difference(const MemoryRecorder& a, const MemoryRecorder& b, const TwinNames& names) {
  const std::vector<TwinColumn> list = columns(a, b, names);
  const std::vector<double> t = a.column("t");
  CompareResult::Moment largest;
  for (int row = 0; row < std::min(a.rows(), b.rows()) && !list.empty(); ++row) {
    const CompareResult::Moment here = moment(list, t, static_cast<std::size_t>(row));
    if (row == 0 || !(here.difference <= largest.difference)) largest = here;
  }
  return largest;
}

// The error of a run, by its difference from one of a tenth of the tolerance or half the step.
double own_error(const Prepared& run, const MemoryRecorder& record, const std::vector<std::string>& names) {
  Prepared finer = run;
  finer.options.rtol = std::max(0.1 * run.options.rtol, 1e-14);
  finer.options.atol *= finer.options.rtol / run.options.rtol;
  finer.options.step *= 0.5;
  MemoryRecorder fine;
  simulate(finer, fine);
  return largest_difference(record, fine, {names, names}).difference;
}

// Rows for the comparison, and for whoever else wants them.
struct SharedRows : Recorder {
  SharedRows(Recorder& own, Recorder* other) : own_(own), other_(other) {}
  void begin(const std::vector<Channel>& channels) override {
    own_.begin(channels);
    if (other_) other_->begin(channels);
  }
  void row(std::span<const double> values) override {
    own_.row(values);
    if (other_) other_->row(values);
  }

 private:
  Recorder& own_;
  Recorder* other_;
};

void compare_runs(const Prepared& a, const Prepared& b, const TwinNames& names, const CompareOptions& options,
                  CompareResult& result) {
  MemoryRecorder record_a, record_b;
  SharedRows rows_a(record_a, options.rows_a), rows_b(record_b, options.rows_b);
  result.a.outcome = simulate(a, rows_a);
  result.b.outcome = simulate(b, rows_b);
  result.a.balances = !record_a.column("energy.error").empty();
  result.b.balances = !record_b.column("energy.error").empty();
  const std::vector<double> t = record_a.column("t");
  const std::size_t rows = std::min<std::size_t>(record_a.rows(), record_b.rows());
  const std::vector<TwinColumn> list = columns(record_a, record_b, names);
  if (rows == 0 || list.empty()) return;
  result.largest = largest_difference(record_a, record_b, names);
  result.explained = safety * std::max(a.options.rtol, b.options.rtol);
  if (!(result.largest.difference <= result.explained))
    result.explained =
        std::max(result.explained, safety * (own_error(a, record_a, names.a) + own_error(b, record_b, names.b)));
  for (int k = 0; k < moments; ++k) result.moments.push_back(moment(list, t, k * (rows - 1) / (moments - 1)));
}

}  // namespace

std::string CompareResult::verdict() const {
  std::string text =
      !obstacle.empty() ? "the accelerations were not compared: " + obstacle
      : same_equations()
          ? fmt::format("{}: accelerations agree to {:.1e} at {} states",
                        apart() ? "the same mechanics, but not the same run" : "the same equations of motion",
                        acceleration, states)
      : acceleration < rate
          ? fmt::format("different equations of motion: the rate of {} differs by {:.2g} of its largest value", rate_of,
                        rate)
          : fmt::format("different equations of motion: the acceleration of {} differs by {:.2g} times the largest one",
                        acceleration_of, acceleration);
  if (moments.empty()) return text;
  text += fmt::format("; trajectories {} {:.1e} ({} at t = {:g} s)", apart() ? "differ by" : "agree to",
                      largest.difference, largest.of, largest.t);
  if (apart()) text += fmt::format(", of which their own errors explain {:.1e}", explained);
  if (apart() && same_equations()) text += "; the start, a controller or something with another name may differ";
  for (const auto* side : {&a, &b})
    if (side->outcome.status != RunStatus::finished)
      text += fmt::format("; {} did not finish: {}", side == &a ? "A" : "B", side->outcome.sentence);
  return text;
}

CompareResult compare(const Model& a, const Model& b, const CompareOptions& options) {
  Model as_long = b;  // as A: the same end and the same rows
  as_long.simulate.end = a.simulate.end;
  Prepared in_a = prepared(a), in_b = prepared(as_long);
  in_b.options.record = in_a.options.record;
  const TwinNames names = common_names(a, b, in_a, in_b, options);
  CompareResult result;
  result.a = side(a, in_a);
  result.b = side(b, in_b);
  for (std::size_t i = 0; i < names.a.size(); ++i)
    result.names.push_back(names.a[i] == names.b[i] ? names.a[i] : names.a[i] + " = " + names.b[i]);
  result.a.prepared = std::make_shared<const Prepared>(in_a);
  result.b.prepared = std::make_shared<const Prepared>(in_b);
  compare_accelerations(in_a, in_b, names, options, result);
  if (options.run) compare_runs(in_a, in_b, names, options, result);
  return result;
}

}  // namespace armature::internal
