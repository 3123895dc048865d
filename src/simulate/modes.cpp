#include "simulate/modes.hpp"

#include <algorithm>
#include <cmath>

#include "simulate/stray.hpp"

namespace armature {

namespace {

constexpr double round_off =
    1e-12;  // of a root, against the largest it has been; or what the integrator may err by, if more
constexpr double jumped =
    1e-3;  // a root this far from zero, against the largest it has been, did not get there smoothly
constexpr double at_zero = 1e-9;  // a root that is zero together with another

}  // namespace

Modes::Modes(Dynamics& dynamics, State& state, double rtol)
    : dynamics_(dynamics), state_(state), relative_noise_(std::max(round_off, rtol)), noise_(dynamics) {
  const Layout& n = dynamics.system().layout();
  root_ = rates_ = margin_ = found_ = last_found_ = before_ = last_ = scale_ = slack_ = end_root_ =
      Eigen::VectorXd::Zero(n.nw);
  x_ = xdot_ = Eigen::VectorXd::Zero(n.nx());
  armed_.assign(n.nw, false);
}

void Modes::set(int mode, ModeStatus status) {
  ends_ = 0;
  state_.mode[mode] = status;
  state_.w[mode] = status == ModeStatus::above ? 1 : status == ModeStatus::below ? 0 : 0.5;
  dynamics_.set_state(state_);
}

// While a mode slides its root drifts by what the integrator errs; it then leaves from there, not from zero.
double Modes::tolerance(int mode) const {
  return std::max({relative_noise_ * scale_[mode], slack_[mode], noise_.of_root(mode)});
}

void Modes::begin() {
  // roots may depend on other modes: repeat until the outcomes stand
  for (int pass = 0; pass < 1 + static_cast<int>(state_.mode.size()); ++pass) {
    dynamics_.set_state(state_);
    dynamics_.evaluator().set(state_.t, state_.x.data());
    dynamics_.evaluator().roots(root_);
    bool changed = false;
    for (int k = 0; k < root_.size(); ++k) {
      const auto status = root_[k] >= 0 ? ModeStatus::above : ModeStatus::below;
      if (state_.mode[k] == ModeStatus::sliding || state_.mode[k] == status) continue;
      set(k, status);
      changed = true;
    }
    if (!changed) break;
  }
  scale_ = root_.cwiseAbs();
  noise_.take(state_);
  for (int k = 0; k < root_.size(); ++k)
    if (std::abs(root_[k]) <= 1e-14 && state_.mode[k] != ModeStatus::sliding) settle(k);
}

void Modes::jump() {
  ends_ = 0;
  for (int pass = 0; pass < 1 + static_cast<int>(state_.mode.size()); ++pass) {
    evaluate_margins(state_.t, state_.x);
    bool changed = false;
    for (int k = 0; k < margin_.size(); ++k) {
      if (state_.mode[k] == ModeStatus::sliding || !(margin_[k] < -round_off * (1 + scale_[k]))) continue;
      set(k, root_[k] > 0 ? ModeStatus::above : ModeStatus::below);
      changed = true;
    }
    if (!changed) return;
  }
}

bool Modes::sliding() const { return std::ranges::find(state_.mode, ModeStatus::sliding) != state_.mode.end(); }

void Modes::evaluate_margins(double t, const Eigen::VectorXd& x) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  if (sliding() && !dynamics_.solved_weights_at(t, x.data())) dynamics_.derivative(t, x.data(), xdot_.data());
  evaluator.set(t, x.data());
  evaluator.set_modes(dynamics_.weights());
  evaluator.roots(root_);
  find_margins(dynamics_.weights().data());
}

void Modes::take_margins(const Probed& probed) {
  std::copy_n(probed.roots, root_.size(), root_.data());
  find_margins(probed.weights);
}

void Modes::find_margins(const double* weights) {
  const auto& modes = dynamics_.system().equations().graph->modes();
  for (int k = 0; k < root_.size(); ++k) {
    if (state_.mode[k] == ModeStatus::sliding) {
      const double reach =
          0.5 * modes[k].breakaway;  // the weight may leave (0,1) by as much as stiction exceeds friction
      margin_[k] = reach - std::abs(weights[k] - 0.5);
      continue;
    }
    margin_[k] = state_.mode[k] == ModeStatus::above ? root_[k] : -root_[k];
    if (!armed_[k]) margin_[k] += tolerance(k);
  }
}

bool Modes::stays_away(const Probed& end) {
  take_margins(end);
  return stay_away();
}

// By the ends of this step and the two before.
bool Modes::stay_away() {
  if (ends_ < 2) return false;
  for (Eigen::Index k = 0; k < margin_.size(); ++k) {
    const double least = std::min({before_[k], last_[k], margin_[k]});
    if (!(least > stray(before_[k], last_[k], margin_[k]))) return false;
  }
  note_roots();
  note_end();
  return true;
}

void Modes::note_roots() {
  for (int k = 0; k < margin_.size(); ++k) {
    scale_[k] = std::max(scale_[k], std::abs(root_[k]));
    if (margin_[k] > 2 * tolerance(k)) armed_[k] = true;
  }
}

void Modes::note_end() {
  before_.swap(last_);
  last_ = margin_;
  ++ends_;
}

void Modes::evaluate_margins_on(const Integrator& integrator, double t) {
  integrator.interpolate(t, x_);
  evaluate_margins(t, x_);
}

double Modes::side(int mode) const {
  const ModeStatus status = state_.mode[mode];
  if (!armed_[mode] || status == ModeStatus::sliding) return 0;
  return status == ModeStatus::above ? 1 : -1;
}

void Modes::pass(const double* sizes, const double* end) {
  for (int k = 0; k < root_.size(); ++k) {
    scale_[k] = std::max(scale_[k], sizes[k]);
    root_[k] = end[k];
    margin_[k] = side(k) * end[k];
  }
  note_end();
}

template <class Look>
std::optional<double> Modes::find_change_by(const Integrator& integrator, const Look& look) {
  double before = integrator.previous_t();
  for (std::size_t probe = 0; probe < probes.size(); ++probe) {
    const double after = probe_time(integrator, probe);
    look(probe);
    found_ = margin_;
    if ((found_.array() < 0).any()) return first_change(integrator, before, after);
    note_roots();
    last_found_ = found_;
    before = after;
  }
  note_end();
  return std::nullopt;
}

// The roots at the end are those of before, unless weights have to be found there last.
std::optional<double> Modes::find_change(const Integrator& integrator) {
  evaluate_margins(integrator.t(), integrator.x());
  if (stay_away()) return std::nullopt;
  const bool slides = sliding();
  end_root_ = root_;
  return find_change_by(integrator, [&](std::size_t probe) {
    if (slides || probe + 1 < probes.size()) return evaluate_margins_on(integrator, probe_time(integrator, probe));
    root_ = end_root_;
    find_margins(dynamics_.weights().data());
  });
}

std::optional<double> Modes::find_change(const Integrator& integrator, std::span<const Probed> probed) {
  const std::optional<double> change =
      find_change_by(integrator, [&](std::size_t probe) { take_margins(probed[probe]); });
  for (int k = 0; !change && k < root_.size(); ++k)
    if (state_.mode[k] == ModeStatus::sliding) dynamics_.set_weight(k, probed.back().weights[k]);
  return change;
}

// Of the modes with a negative margin at `after`, the first: found_ there, last_found_ before it but at the beginning of a step.
// The weights of sliding modes are then those of the change.
double Modes::first_change(const Integrator& integrator, double before, double after) {
  if (before == integrator.previous_t()) {
    evaluate_margins_on(integrator, before);
    last_found_ = margin_;
  }
  double earliest = after;
  for (int k = 0; k < found_.size(); ++k)
    if (found_[k] < 0)
      earliest = std::min(earliest, locate(integrator, k, {before, last_found_[k]}, {after, found_[k]}));
  if (sliding()) evaluate_margins_on(integrator, earliest);
  return earliest;
}

// Inverse quadratic interpolation on the step's dense output where it can be trusted, else bisection (Chandrupatla, 1997); the
// time returned lies just behind the zero. Recent is the last point, other the one beyond the zero, older the one before.
double Modes::locate(const Integrator& integrator, int mode, Margin before, Margin after) {
  constexpr double near_end = 0.999;
  const bool just_left = !(before.value > 0);  // the mode was set there, and has to change at once or soon
  Margin recent = after, other = before, older = before;
  double part = just_left ? near_end : after.value / (after.value - before.value);  // of the way from recent to other
  for (int k = 0; k < 100; ++k) {
    const double way = other.t - recent.t;
    const double least = 2e-16 * std::max(std::abs(recent.t), std::abs(other.t)) / std::abs(way);
    if (!(least < 0.5)) break;
    const double t = recent.t + std::clamp(part, least, 1 - least) * way;
    if (t == recent.t || t == other.t) break;
    evaluate_margins_on(integrator, t);
    const Margin here{t, margin_[mode]};
    if (here.value == 0) return t;
    const bool same_side = (here.value < 0) == (recent.value < 0);
    older = same_side ? recent : other;
    if (!same_side) other = recent;
    recent = here;
    part = just_left && other.t == before.t ? near_end : zero_part(recent, other, older);
  }
  return recent.value < 0 ? recent.t : other.t;
}

double Modes::rate_with(int mode, ModeStatus status) {
  set(mode, status);
  if (!dynamics_.derivative(state_.t, state_.x.data(), xdot_.data())) return 0;
  dynamics_.evaluator().root_rates(dynamics_.acceleration().vdot, rates_);
  return rates_[mode];
}

void Modes::settle(int mode) {
  const ModeStatus arriving = state_.mode[mode];
  const double below = rate_with(mode, ModeStatus::below), above = rate_with(mode, ModeStatus::above);
  const double size = std::max(std::abs(below), std::abs(above));
  const double reach = 0.5 * dynamics_.system().equations().graph->modes()[mode].breakaway;
  armed_[mode] = false;
  const double weight = below / (below - above);  // where d(root)/dt = 0
  if (below - above > std::max(1e-9 * size, noise_.of_rate(mode)) && std::abs(weight - 0.5) <= reach)
    return set(mode, ModeStatus::sliding);
  if (below > 0 && above > 0) return set(mode, ModeStatus::above);
  if (below < 0 && above < 0) return set(mode, ModeStatus::below);
  // pushed away from zero either way, or at rest on it: the motion goes on to the side it was heading for
  dynamics_.evaluator().set(state_.t, state_.x.data());
  dynamics_.evaluator().roots(root_);
  if (root_[mode] != 0) return set(mode, root_[mode] > 0 ? ModeStatus::above : ModeStatus::below);
  set(mode, arriving == ModeStatus::sliding ? ModeStatus::above : arriving);
}

// Joints of one loop come to rest together: if weights can hold all roots that are zero here, all of them slide.
bool Modes::stick_together(std::vector<RunEvent>& events) {
  std::vector<int> zeros;
  for (int k = 0; k < root_.size(); ++k)
    if (state_.mode[k] != ModeStatus::sliding && std::abs(root_[k]) <= at_zero * scale_[k]) zeros.push_back(k);
  if (zeros.size() < 2) return false;
  const State before = state_;
  for (int k : zeros) set(k, ModeStatus::sliding);
  evaluate_margins(state_.t, state_.x);
  dynamics_.evaluator().root_rates(dynamics_.acceleration().vdot, rates_);
  bool held = true;
  for (int k : zeros) held = held && margin_[k] >= 0 && std::abs(rates_[k]) <= 1e-6 * (1 + scale_[k]);
  if (!held) {
    state_ = before;
    dynamics_.set_state(state_);
    evaluate_margins(state_.t, state_.x);
    return false;
  }
  for (int k : zeros) tell(k, before.mode[k], events), armed_[k] = false;
  return true;
}

std::vector<RunEvent> Modes::change() {
  std::vector<RunEvent> events;
  dynamics_.set_state(state_);
  evaluate_margins(state_.t, state_.x);
  if (stick_together(events)) return events;
  const Eigen::VectorXd margin = margin_, root = root_, weight = dynamics_.weights();
  int most_negative = 0;
  margin.minCoeff(&most_negative);
  last_settled_ = most_negative;
  noise_.take(state_);
  for (int k = 0; k < margin.size(); ++k) {
    if (margin[k] > 0 && k != most_negative) continue;
    const ModeStatus before = state_.mode[k];
    if (before == ModeStatus::sliding) {
      set(k, weight[k] > 0.5 ? ModeStatus::above : ModeStatus::below);
      armed_[k] = false;
    } else if (!armed_[k] || margin[k] > -jumped * scale_[k]) {
      settle(k);
    }
    slack_[k] = 2 * std::max(0.0, state_.mode[k] == ModeStatus::above ? -root[k] : root[k]);
    if (state_.mode[k] != before) tell(k, before, events);
  }
  follow_jumps(events);
  return events;
}

// Where a formula jumps, roots that depend on it jump too, far from zero: their modes follow at once.
void Modes::follow_jumps(std::vector<RunEvent>& events) {
  for (std::size_t pass = 0; pass <= state_.mode.size(); ++pass) {
    evaluate_margins(state_.t, state_.x);
    const Eigen::VectorXd margin = margin_, root = root_;
    bool changed = false;
    for (int k = 0; k < margin.size(); ++k) {
      const ModeStatus before = state_.mode[k];
      if (before == ModeStatus::sliding || !armed_[k] || !(margin[k] < -jumped * scale_[k])) continue;
      scale_[k] = std::max(scale_[k], std::abs(root[k]));
      armed_[k] = false;
      set(k, root[k] > 0 ? ModeStatus::above : ModeStatus::below);
      tell(k, before, events);
      changed = true;
    }
    if (!changed) return;
  }
}

std::string Modes::name(int mode) const {
  const std::string& label = dynamics_.system().equations().graph->modes()[mode].label;
  return label.empty() ? "comparison " + std::to_string(mode + 1) : label;
}

std::string Modes::last_settled() const { return name(last_settled_); }

void Modes::tell(int mode, ModeStatus before, std::vector<RunEvent>& events) const {
  if (quiet_) return;
  const ModeStatus now = state_.mode[mode];
  const char* what = now == ModeStatus::sliding      ? "sticks"
                     : before == ModeStatus::sliding ? "slips"
                     : now == ModeStatus::above      ? "becomes true"
                                                     : "becomes false";
  events.push_back({state_.t, name(mode) + " " + what});
}

}  // namespace armature
