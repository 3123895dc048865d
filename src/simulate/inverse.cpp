#include "simulate/inverse.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dynamics/assembly.hpp"
#include "dynamics/configuration.hpp"
#include "dynamics/inverse_dynamics.hpp"
#include "model/formula_tree.hpp"
#include "model/scope.hpp"
#include "simulate/kinematics.hpp"

namespace armature {

namespace {

constexpr double negligible_lack = 1e-6;  // of the force: beyond round-off through the factorizations
const std::string row_prefix = "motion of ", effort_prefix = "inverse.";

[[noreturn]] void refuse(const Model& model, Location where, const std::string& key, const std::string& message) {
  throw ModelError(model.file, {{where, key, message}});
}

void add_motion_rows(Model& model) {
  for (const WantedMotion& wanted : model.motion) {
    const Formula zero = name_formula(wanted.name, wanted.where) - wanted.is;
    model.prescribed.push_back({row_prefix + wanted.name, wanted.where, "prescribed", zero});
    const auto same = [&](const StartEntry& entry) { return entry.name == wanted.name; };
    for (const StartEntry& entry : model.start.keep)
      if (same(entry)) model.start.near.push_back(entry);
    std::erase_if(model.start.keep, same);
    std::erase_if(model.start.speed_keep, same);
  }
}

Formula effort_of(Model& model, const std::string& actuator, Location where) {
  Parameter effort;
  effort.name = effort_prefix + actuator;
  model.parameters.push_back(effort);
  return name_formula(effort.name, where);
}

// Motors become efforts on their coordinates: what limits them is no matter here.
void turn_motors_into_efforts(Model& model) {
  for (DcMotor& motor : model.motors) {
    const std::string key = "drives." + motor.name;
    if (motor.stiffness.given()) refuse(model, motor.where, key, "inverse dynamics does not know elastic gears");
    if (motor.efficiency.given()) refuse(model, motor.where, key, "inverse dynamics does not know efficiencies");
    motor.voltage = motor.current = motor.voltage_limit = motor.current_limit = motor.speed_limit = {};
    motor.torque = effort_of(model, motor.name, motor.where);
  }
  for (const std::string& on : model.actuators)
    model.efforts.push_back({"effort." + on, {}, on, effort_of(model, on, {})});
}

std::vector<bool> rows_of_motion(const Equations& equations) {
  std::vector<bool> motion;
  for (const ConstraintRow& row : equations.rows) motion.push_back(row.owner.starts_with(row_prefix));
  return motion;
}

// The states of the motion: from positions alone, or integrated where they do not determine everything.
Outcome find_motion(const Prepared& prepared, bool determined, MemoryRecorder& states, const Progress& progress) {
  return determined ? move(prepared, states, progress) : simulate(prepared, states, progress);
}

class InverseRun {
 public:
  InverseRun(const Model& model, const Prepared& prepared)
      : model_(model), system_(*prepared.system), inverse_(prepared.system, rows_of_motion(system_.equations())) {}

  int undetermined(const State& start) { return inverse_.solve(start.t, start.x) ? inverse_.undetermined() : 0; }

  // Rows of efforts, currents and voltages; a sentence: why there are none from some time on.
  std::string solve(const MemoryRecorder& states);
  void write(Recorder& recorder) const;
  long count() const { return static_cast<long>(rows_.size()); }

 private:
  std::string refusal(double t, const Eigen::VectorXd& x) const;
  std::string pose(const Eigen::VectorXd& x) const;
  bool passes_singularity(double t0, const Eigen::VectorXd& x0, double t1, const Eigen::VectorXd& x1, State& at);
  bool state_at(double s, double t0, const Eigen::VectorXd& x0, double t1, const Eigen::VectorXd& x1, State& state);
  void append(double t, const Eigen::VectorXd& x);
  double derivative(std::size_t row, std::size_t column) const;

  const Model& model_;
  const System& system_;
  InverseDynamics inverse_;
  Observables observables_;
  std::vector<std::vector<double>> rows_;
};

std::string InverseRun::pose(const Eigen::VectorXd& x) const {
  const Equations& e = system_.equations();
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(e.positions.size(), 6); ++i)
    text += fmt::format("{}{} = {:.6g}", i ? ", " : "", e.positions[i].name, x[static_cast<Eigen::Index>(i)]);
  return e.positions.size() > 6 ? text + ", …" : text;
}

std::string InverseRun::refusal(double t, const Eigen::VectorXd& x) const {
  return fmt::format(
      "no efforts of the actuators produce this motion at t = {:.6g} s (they miss {:.2g} of the force): {}", t,
      inverse_.lack(), pose(x));
}

// Between two rows, a share s of the way: a straight line brought back onto the rows.
bool InverseRun::state_at(double s, double t0, const Eigen::VectorXd& x0, double t1, const Eigen::VectorXd& x1,
                          State& state) {
  state = system_.initial_state();
  state.t = t0 + s * (t1 - t0);
  state.x = x0 + s * (x1 - x0);
  return correct(inverse_.evaluator(), state);
}

// The orientation changed between two rows. Infinite effort: it grows tenfold when the distance shrinks tenfold.
bool InverseRun::passes_singularity(double t0, const Eigen::VectorXd& x0, double t1, const Eigen::VectorXd& x1,
                                    State& at) {
  double a = 0, b = 1;
  inverse_.solve(t0, x0);
  const int before = inverse_.orientation();
  for (int k = 0; k < 50; ++k) {
    const double s = 0.5 * (a + b);
    if (!state_at(s, t0, x0, t1, x1, at) || !inverse_.solve(at.t, at.x)) return true;
    (inverse_.orientation() == before ? a : b) = s;
  }
  double effort[2];
  for (int k = 0; k < 2; ++k) {
    State near;
    if (!state_at(std::max(0.0, a - (k == 0 ? 1e-3 : 1e-4)), t0, x0, t1, x1, near) || !inverse_.solve(near.t, near.x))
      return true;
    effort[k] = inverse_.effort().norm();
  }
  return effort[1] > 3 * effort[0];
}

std::string InverseRun::solve(const MemoryRecorder& states) {
  const Eigen::Index nx = system_.layout().nx();
  int orientation = 0;
  double t_before = 0;
  Eigen::VectorXd before;
  for (int row = 0; row < states.rows(); ++row) {
    const auto values = states.row_at(row);
    const double t = values[0];
    const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(values.data() + 1, nx);
    if (!inverse_.solve(t, x)) return fmt::format("inverse dynamics has no value at t = {:.6g} s: {}", t, pose(x));
    const int now = inverse_.orientation();
    State at;
    if (orientation != 0 && now != orientation && passes_singularity(t_before, before, t, x, at))
      return fmt::format("the motion passes a singular pose at t = {:.8g} s, which demands infinite effort: {}", at.t,
                         pose(at.x));
    inverse_.solve(t, x);
    if (inverse_.lack() > negligible_lack) return refusal(t, x);
    append(t, x);
    orientation = now, t_before = t, before = x;
  }
  return "";
}

void InverseRun::append(double t, const Eigen::VectorXd& x) {
  const Layout& n = system_.layout();
  inverse_.evaluator().observables(observables_);
  std::vector<double> row{t};
  row.insert(row.end(), x.data(), x.data() + n.nq + n.nv);
  row.insert(row.end(), inverse_.effort().data(), inverse_.effort().data() + inverse_.effort().size());
  const Equations& e = system_.equations();
  for (const DcMotor& motor : model_.motors)
    for (const char* part : {".current", ".voltage"})
      for (std::size_t i = 0; i < e.quantities.size(); ++i)
        if (e.quantities[i].name == motor.name + part)
          row.push_back(observables_.quantities[static_cast<Eigen::Index>(i)]);
  rows_.push_back(std::move(row));
}

// By differences of five rows, of fourth order; one-sided at the ends.
double InverseRun::derivative(std::size_t row, std::size_t column) const {
  if (rows_.size() < 5) return 0;
  static constexpr double weights[5][5] = {
      {-25, 48, -36, 16, -3}, {-3, -10, 18, -6, 1}, {1, -8, 0, 8, -1}, {-1, 6, -18, 10, 3}, {3, -16, 36, -48, 25}};
  const std::size_t first = std::min(row < 2 ? 0 : row - 2, rows_.size() - 5), place = row - first;
  const double step = (rows_[first + 4][0] - rows_[first][0]) / 4;
  double sum = 0;
  for (std::size_t k = 0; k < 5; ++k) sum += weights[place][k] * rows_[first + k][column];
  return sum / (12 * step);
}

void InverseRun::write(Recorder& recorder) const {
  const Equations& e = system_.equations();
  std::vector<Channel> channels{{"t", "s"}};
  for (const auto* coordinates : {&e.positions, &e.velocities})
    for (const Coordinate& coordinate : *coordinates) channels.push_back({coordinate.name, coordinate.unit});
  for (const std::string& name : e.p_name) {
    const std::string actuator = name.substr(effort_prefix.size());
    const bool motor =
        std::any_of(model_.motors.begin(), model_.motors.end(), [&](const DcMotor& m) { return m.name == actuator; });
    channels.push_back({motor ? actuator + ".torque" : "effort." + actuator, ""});
  }
  for (const DcMotor& motor : model_.motors)
    channels.push_back({motor.name + ".current", "A"}), channels.push_back({motor.name + ".voltage", "V"});
  recorder.begin(channels);
  const std::size_t electrical = channels.size() - 2 * model_.motors.size();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::vector<double> row = rows_[r];
    // the winding's own L di/dt
    for (std::size_t k = 0; k < model_.motors.size(); ++k)
      if (const Formula& L = model_.motors[k].inductance; L.given())
        row[electrical + 2 * k + 1] += evaluate_constant(L, model_) * derivative(r, electrical + 2 * k);
    recorder.row(row);
  }
}

}  // namespace

Prepared compile_inverse(const Model& model) {
  if (model.motion.empty())
    refuse(model, {}, "inverse.motion", "is missing: say what coordinates or points must do, as formulas of t");
  if (model.motors.empty() && model.actuators.empty())
    refuse(model, {}, "inverse.actuators",
           "is missing: the model has no drives, so name the coordinates on which efforts act");
  Model moved = model;
  moved.controllers.clear();
  add_motion_rows(moved);
  turn_motors_into_efforts(moved);
  std::vector<std::string> efforts;
  for (const Parameter& parameter : moved.parameters)
    if (parameter.name.starts_with(effort_prefix)) efforts.push_back(parameter.name);
  return compile(moved, efforts);
}

Outcome inverse(const Model& model, const Prepared& prepared, Recorder& recorder, const Progress& progress) {
  InverseRun run(model, prepared);
  MemoryRecorder states;
  const bool determined = run.undetermined(prepared.start) == 0;
  Outcome outcome = find_motion(prepared, determined, states, progress);
  if (outcome.status == RunStatus::failed) outcome.sentence = "the machine cannot move like this: " + outcome.sentence;
  const std::string refusal = run.solve(states);
  run.write(recorder);
  outcome.statistics.rows = run.count();
  if (refusal.empty()) return outcome;
  outcome.status = RunStatus::failed;
  outcome.sentence = refusal;
  return outcome;
}

}  // namespace armature
