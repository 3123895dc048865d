#include "inverse/inverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "dynamics/assembly.hpp"
#include "dynamics/projection.hpp"
#include "expression/last_moment.hpp"
#include "inverse/current_jumps.hpp"
#include "inverse/desired_jumps.hpp"
#include "inverse/inverse_drives.hpp"
#include "inverse/inverse_motion.hpp"
#include "model/findings.hpp"
#include "model/scope.hpp"
#include "observe/row_columns.hpp"
#include "prepare/beam_errors.hpp"

namespace armature::internal {

namespace {

constexpr double negligible_lack = 1e-6;  // of what the motion demands: beyond round-off through the factorizations
constexpr double contradicts = 1e-6;  // rad, or share of the machine's length, between what is kept and what is wanted
constexpr double soon = 1e-2;         // of the time between rows: a motion that goes on within it does not rest
constexpr double lost_grip = 1e-7;    // of the actuators' effect: nothing there but round-off of the pose

// A wanted motion counts before what the file keeps of the same coordinate at the start: said where the two differ.
Findings contradictions(const Model& model, const Prepared& prepared) {
  Findings findings;
  const Equations& e = prepared.system->equations();
  const double length = prepared.assembled ? prepared.assembled->length : 1;
  const auto judge = [&](const std::vector<StartEntry>& kept, const char* key, const char* rate,
                         const std::vector<Coordinate>& names, std::size_t first) {
    for (const DesiredMotion& wanted : model.motion)
      for (const StartEntry& entry : kept)
        for (std::size_t i = 0; entry.name == wanted.name && i < names.size(); ++i) {
          // What the wanted motion begins with, against what the file keeps, in the unit of the coordinate.
          if (names[i].name != entry.name + rate) continue;
          const double begins = prepared.start.x[static_cast<Eigen::Index>(first + i)],
                       value = find_constant(entry.value, model).value_or(begins);
          const double size = names[i].kind == Coordinate::Kind::length ? length : 1;
          if (std::abs(value - begins) > contradicts * size)
            findings.push_back(finding<FindingCode::start_differs>("key"_a = key, "name"_a = entry.name,
                                                                   "value"_a = value, "unit"_a = names[i].unit,
                                                                   "begins"_a = begins));
        }
  };
  judge(model.start.keep, "start.keep", "", e.positions, 0);
  judge(model.start.speed_keep, "start.speed", "'", e.velocities, e.positions.size());
  return findings;
}

// Why no effort produces the wanted motion; empty: one may.
std::string refusal_of_motion(const Prepared& prepared) {
  const auto jump = jump_of_desired_motion(prepared, rows_of_motion(prepared.system->equations()), true);
  if (!jump) return "";
  const std::string what = fmt::format("the {}prescribed {}", jump->speed ? "speed of the " : "", jump->name);
  if (std::isnan(jump->size))
    return fmt::format("{} has no finite value at t = {:.6g} s; end before that time, or change its formula", what,
                       jump->t);
  return fmt::format("{} jumps by {:.6g} at t = {:.6g} s, which requires infinite effort", what, jump->size, jump->t);
}

bool efforts_act_on_motion(const Model& model) {
  const auto is_wanted = [&](const std::string& on) {
    return on.empty() || std::ranges::count(model.motion, on, &DesiredMotion::name) > 0;
  };
  return std::ranges::all_of(model.actuators, is_wanted) &&
         std::ranges::all_of(model.drives, is_wanted, [](const Drive& drive) { return drive.on; });
}

class InverseRun {
 public:
  InverseRun(const Model& model, const Prepared& prepared, InverseDynamics& inverse)
      : model_(model),
        prepared_(prepared),
        system_(*prepared.system),
        inverse_(inverse),
        drives_(model, inverse_),
        jumps_(drives_.inductive()),
        beam_errors_(prepared.beams) {
    inverse_.restart(prepared.parameters);
    inverse_.measure(prepared.start, prepared.options.rate, soon * prepared.options.record);
    find_quantities();
  }

  Outcome run(Recorder& recorder, const Progress& progress);

 private:
  void solve(const MotionStates& states, Recorder& recorder, Outcome& outcome);
  std::string solve_row(const MotionStates& states, std::size_t row, Recorder& recorder);
  std::vector<Channel> channels() const;
  std::string write(double t, const Eigen::VectorXd& x, Recorder& recorder);
  void find_quantities();
  void add_quantities(double t, const Eigen::VectorXd& x, std::vector<double>& row);
  void add_reactions(std::vector<double>& row);
  void look_for_peaks(double t);
  void look_for_jumps(const MotionStates& states, std::size_t row);
  std::string refusal(double t, const Eigen::VectorXd& x) const;
  std::string refusal_at_start();
  std::string no_effect(double t, const Eigen::VectorXd& x) const;
  std::string pose(const Eigen::VectorXd& x) const;
  bool passes_singularity(double t0, const Eigen::VectorXd& x0, double t1, const Eigen::VectorXd& x1, State& at);
  bool state_at(double s, double t0, const Eigen::VectorXd& x0, double t1, const Eigen::VectorXd& x1, State& state);

  const Model& model_;
  const Prepared& prepared_;
  const System& system_;
  InverseDynamics& inverse_;
  InverseDrives drives_;
  CurrentJumps jumps_;
  BeamErrors beam_errors_;
  std::vector<std::size_t> quantities_;                        // that are recorded
  std::vector<std::pair<Eigen::Index, std::string>> signals_;  // of drives, by their places in x
  Observables observables_;
  std::vector<Peak> peaks_;
  double best_grip_ = 0;
  int orientation_ = 0;  // of the last row
  long rows_ = 0;
};

std::string InverseRun::pose(const Eigen::VectorXd& x) const {
  const Equations& e = system_.equations();
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(e.positions.size(), 6); ++i)
    text += fmt::format("{}{} = {:.6g}", i ? ", " : "", e.positions[i].name, x[static_cast<Eigen::Index>(i)]);
  return e.positions.size() > 6 ? text + ", …" : text;
}

std::string InverseRun::refusal(double t, const Eigen::VectorXd& x) const {
  if (inverse_.grip() > lost_grip)
    return fmt::format(
        "the actuators cannot produce this motion at t = {:.6g} s (they miss {:.2g} of the effort it requires): {}", t,
        inverse_.lack(), pose(x));
  if (best_grip_ > lost_grip)
    return fmt::format("the motion reaches a singular pose at t = {:.8g} s, where it requires infinite effort: {}", t,
                       pose(x));
  return no_effect(t, x);
}

std::string InverseRun::no_effect(double t, const Eigen::VectorXd& x) const {
  return fmt::format(
      "at t = {:.6g} s the actuators have no direct effect on the prescribed acceleration: the pose is singular, or "
      "the motion is reachable only through other motions, which inverse dynamics does not search: {}",
      t, pose(x));
}

// What the motion leaves free cannot be integrated where the efforts cannot be found, even if none are needed at once.
std::string InverseRun::refusal_at_start() {
  const State& start = prepared_.start;
  if (!inverse_.solve(start.t, start.x) || inverse_.undetermined() == 0 || inverse_.grip() > lost_grip) return "";
  return no_effect(start.t, start.x);
}

// Between two rows, a share s of the way: a straight line brought back onto the rows.
bool InverseRun::state_at(double s, double t0, const Eigen::VectorXd& x0, double t1, const Eigen::VectorXd& x1,
                          State& state) {
  state = system_.initial_state();
  state.t = t0 + s * (t1 - t0);
  state.x = x0 + s * (x1 - x0);
  inverse_.set_outcomes_at(state.t, state.x.data());
  Projection projection(inverse_.evaluator());
  return projection.position(state.t, state.x.data()) && projection.velocity(state.t, state.x.data());
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
  constexpr double further_away = 1e-3, nearer = 1e-4;  // of the way between both rows, before the pose
  double effort[2];
  for (int k = 0; k < 2; ++k) {
    State near;
    if (!state_at(std::max(0.0, a - (k == 0 ? further_away : nearer)), t0, x0, t1, x1, near) ||
        !inverse_.solve(near.t, near.x))
      return true;
    effort[k] = inverse_.effort().norm();
  }
  return effort[1] > 3 * effort[0];
}

std::vector<Channel> InverseRun::channels() const {
  const Equations& e = system_.equations();
  std::vector<Channel> channels{{"t", "s"}};
  for (const auto* coordinates : {&e.positions, &e.velocities})
    for (const Coordinate& coordinate : *coordinates) channels.push_back({coordinate.name, coordinate.unit});
  for (const std::string& on : model_.actuators) channels.push_back({"effort." + on, effort_unit(e, on)});
  const std::vector<Channel> of_motors = drives_.channels();
  channels.insert(channels.end(), of_motors.begin(), of_motors.end());
  for (const std::size_t k : quantities_) channels.push_back({e.quantities[k].name, e.quantities[k].unit});
  const std::vector<Channel> reactions = reaction_channels(e);
  channels.insert(channels.end(), reactions.begin(), reactions.end());
  return channels;
}

std::string InverseRun::write(double t, const Eigen::VectorXd& x, Recorder& recorder) {
  const Layout& n = system_.layout();
  std::vector<double> row{t};
  // The state, efforts on coordinates without a drive, then what each drive needs for its own.
  row.insert(row.end(), x.data(), x.data() + n.nq + n.nv);
  for (const std::string& on : model_.actuators)
    row.push_back(inverse_.effort()[effort_index(system_.equations(), on)]);
  if (!drives_.append(t, inverse_, row))
    return fmt::format("the rates of the efforts are not defined at t = {:.6g} s: {}", t, pose(x));
  add_quantities(t, x, row);
  add_reactions(row);
  look_for_peaks(t);
  recorder.row(row);
  beam_errors_.look(t, x);
  ++rows_;
  return "";
}

// Points, definitions, quantities and events of the file, and coordinates of cut joints; the drives' signals have columns already.
void InverseRun::find_quantities() {
  const Equations& e = system_.equations();
  std::set<std::string> own;
  for (const Channel& channel : drives_.channels()) own.insert(channel.name);
  for (const std::string& on : model_.actuators) own.insert("effort." + on);
  for (std::size_t k = 0; k < e.quantities.size(); ++k) {
    const std::string& name = e.quantities[k].name;
    // Quantities that the file knows: not those that inverse dynamics has made for itself.
    const bool of_file =
        !name.starts_with("inverse_") ||
        std::ranges::any_of(model_.definitions, [&](const auto& definition) { return definition.first == name; });
    if (of_file && !name.starts_with(limit_prefix) && !name.starts_with(driven_prefix) && !own.contains(name))
      quantities_.push_back(k);
  }
  // Signals of drives that formulas use are states here, whose values the rows set.
  for (std::size_t i = 0; i < e.others.size(); ++i)
    if (e.others[i].name.starts_with(signal_prefix))
      signals_.emplace_back(static_cast<Eigen::Index>(e.q.size() + e.v.size() + i),
                            e.others[i].name.substr(signal_prefix.size()));
}

// With the efforts, and with the signals of the drives that formulas use.
void InverseRun::add_quantities(double t, const Eigen::VectorXd& x, std::vector<double>& row) {
  Eigen::VectorXd with_signals = x;
  for (const auto& [place, name] : signals_) with_signals[place] = drives_.signal(name);
  inverse_.set_outcomes_at_solution(t, with_signals.data());
  inverse_.evaluator().observables(observables_);
  for (const std::size_t k : quantities_) row.push_back(observables_.quantities[static_cast<Eigen::Index>(k)]);
  inverse_.set_outcomes_at_solution(t, x.data());
}

// Largest torques, speeds, currents, voltages and powers of the drives, and efforts, among the rows.
void InverseRun::look_for_peaks(double t) {
  const auto look = [&](std::size_t k, double value) {
    if (std::abs(value) > std::abs(peaks_[k].value)) peaks_[k].value = value, peaks_[k].t = t;
  };
  std::size_t k = 0;
  const bool first = peaks_.empty();
  // The first row makes the list, in the order in which all others are looked at.
  const auto next = [&](const std::string& name, const std::string& unit, double value) {
    if (first) peaks_.push_back({name, unit, value, t});
    look(k++, value);
  };
  for (const std::string& on : model_.actuators)
    next("effort." + on, effort_unit(system_.equations(), on),
         inverse_.effort()[effort_index(system_.equations(), on)]);
  for (const Channel& channel : drives_.channels())
    if (!channel.name.ends_with(".rotor") && !channel.name.ends_with("'"))
      next(channel.name, channel.unit, drives_.signal(channel.name));
}

// With the accelerations and multipliers of the loops that go with the efforts.
void InverseRun::add_reactions(std::vector<double>& row) {
  if (system_.equations().reactions.empty()) return;
  Eigen::VectorXd wrenches;
  inverse_.evaluator().reactions(inverse_.acceleration(), inverse_.motion()[0].lambda, wrenches);
  row.insert(row.end(), wrenches.begin(), wrenches.end());
}

// After write(); what is solved afterwards is another state.
void InverseRun::look_for_jumps(const MotionStates& states, std::size_t row) {
  if (drives_.inductive().empty()) return;
  const Eigen::VectorXd rates = drives_.inductive_rates(), currents = drives_.inductive_currents(inverse_);
  State state;
  jumps_.add_row(states.t[row], currents, rates, [&](double s, Eigen::VectorXd& between) {
    if (!state_at(s, states.t[row - 1], states.x[row - 1], states.t[row], states.x[row], state)) return false;
    if (!inverse_.solve(state.t, state.x)) return false;
    between = drives_.inductive_currents(inverse_);
    return between.allFinite();
  });
}

// A row of efforts, currents and voltages; a sentence: why there is none.
std::string InverseRun::solve_row(const MotionStates& states, std::size_t row, Recorder& recorder) {
  const double t = states.t[row];
  const Eigen::VectorXd& x = states.x[row];
  const std::vector<int> sticking = states.sticking_in(row);
  if (!inverse_.solve(t, x, sticking))
    return fmt::format("inverse dynamics has no solution at t = {:.6g} s: {}", t, pose(x));
  // Where the orientation of the equations changes between two rows, a pose lies between them at which efforts are
  // infinite.
  const int now = inverse_.orientation();
  State at;
  if (orientation_ != 0 && now != 0 && now != orientation_ &&
      passes_singularity(states.t[row - 1], states.x[row - 1], t, x, at))
    return fmt::format("the motion passes a singular pose at t = {:.8g} s, which requires infinite effort: {}", at.t,
                       pose(at.x));
  // Looking for that pose has moved the solution: back to the row.
  inverse_.solve(t, x, sticking);
  if (inverse_.lack() > negligible_lack) return refusal(t, x);
  best_grip_ = std::max(best_grip_, inverse_.grip());
  if (std::string failure = write(t, x, recorder); !failure.empty()) return failure;
  look_for_jumps(states, row);
  orientation_ = now;
  return "";
}

// Efforts, currents and voltages of all rows.
void InverseRun::solve(const MotionStates& states, Recorder& recorder, Outcome& outcome) {
  LastMoment moment;
  for (std::size_t row = 0; row < states.t.size(); ++row) {
    if (moment.is_over() && row > 0) {
      outcome.status = RunStatus::stopped;
      outcome.last.t = states.t[row - 1], outcome.last.x = states.x[row - 1];
      outcome.sentence = fmt::format("stopped at t = {:.6g} s", outcome.last.t);
      return;
    }
    if (std::string failure = solve_row(states, row, recorder); !failure.empty()) {
      outcome.status = RunStatus::failed;
      outcome.sentence = std::move(failure);
      return;
    }
  }
}

Outcome InverseRun::run(Recorder& recorder, const Progress& progress) {
  recorder.begin(channels());
  Outcome outcome;
  outcome.last = prepared_.start;
  inverse_.evaluator().hold(prepared_.start);
  std::string refusal = refusal_of_motion(prepared_);
  if (refusal.empty()) refusal = refusal_at_start();
  // First the motion alone, then the efforts of each of its rows.
  if (refusal.empty()) {
    MotionStates states;
    outcome = find_motion(prepared_, inverse_, efforts_act_on_motion(model_), states, progress);
    solve(states, recorder, outcome);
  } else {
    outcome.status = RunStatus::failed;
    outcome.sentence = refusal;
  }
  outcome.statistics.rows = rows_;
  outcome.peaks = peaks_;
  // What is said: of the model, the motion, the start, the drives, jumps and beams.
  Findings found = prepared_.findings;
  for (const Findings& more : {outcome.findings, contradictions(model_, prepared_), drives_.findings(),
                               jumps_.findings(), beam_errors_.findings()})
    append(more, found);
  outcome.findings = std::move(found);
  return outcome;
}

}  // namespace

Outcome inverse(const Model& model, const Prepared& prepared, Recorder& recorder, const Progress& progress) {
  std::unique_ptr<InverseDynamics> own;
  return inverse(model, prepared, own, recorder, progress);
}

Outcome inverse(const Model& model, const Prepared& prepared, std::unique_ptr<InverseDynamics>& ready,
                Recorder& recorder, const Progress& progress) {
  const Equations& equations = prepared.system->equations();
  const int order = order_of_rates(model);
  if (!ready || ready->effort_rates().order() != order)
    ready =
        std::make_unique<InverseDynamics>(prepared.system, rows_of_motion(equations), effort_places(equations), order);
  return InverseRun(model, prepared, *ready).run(recorder, progress);
}

}  // namespace armature::internal
