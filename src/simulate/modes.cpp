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
  root_ = rates_ = margin_ = found_ = before_ = last_ = scale_ = slack_ = Eigen::VectorXd::Zero(n.nw);
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
  if (sliding()) dynamics_.derivative(t, x.data(), xdot_.data());
  evaluator.set(t, x.data());
  evaluator.set_modes(dynamics_.weights());
  evaluator.roots(root_);
  take_margins();
}

void Modes::take_margins() {
  const auto& modes = dynamics_.system().equations().graph->modes();
  for (int k = 0; k < root_.size(); ++k) {
    if (state_.mode[k] == ModeStatus::sliding) {
      const double reach =
          0.5 * modes[k].breakaway;  // the weight may leave (0,1) by as much as stiction exceeds friction
      margin_[k] = reach - std::abs(dynamics_.weights()[k] - 0.5);
      continue;
    }
    margin_[k] = state_.mode[k] == ModeStatus::above ? root_[k] : -root_[k];
    if (!armed_[k]) margin_[k] += tolerance(k);
  }
}

double Modes::probe_time(const Integrator& integrator, std::size_t probe) {
  const double t0 = integrator.previous_t(), t1 = integrator.t();
  return probes[probe] == 1 ? t1 : t0 + probes[probe] * (t1 - t0);
}

// By the ends of this step and the two before.
bool Modes::stays_away(const Integrator& integrator, const double* roots) {
  if (ends_ < 2) return false;
  if (roots) {
    std::copy_n(roots + static_cast<Eigen::Index>(probes.size() - 1) * root_.size(), root_.size(), root_.data());
    take_margins();
  } else {
    evaluate_margins(integrator.t(), integrator.x());
  }
  for (Eigen::Index k = 0; k < margin_.size(); ++k) {
    const double least = std::min({before_[k], last_[k], margin_[k]});
    if (!(least > stray(before_[k], last_[k], margin_[k]))) return false;
  }
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

std::optional<double> Modes::find_change(const Integrator& integrator, const double* roots) {
  if (stays_away(integrator, roots)) {
    note_roots();
    note_end();
    return std::nullopt;
  }
  const double t0 = integrator.previous_t(), t1 = integrator.t();
  double before = t0;
  for (std::size_t probe = 0; probe < probes.size(); ++probe) {
    const double after = probe_time(integrator, probe);
    if (roots) {
      std::copy_n(roots + static_cast<Eigen::Index>(probe) * root_.size(), root_.size(), root_.data());
      take_margins();
    } else {
      integrator.interpolate(after, x_);
      evaluate_margins(after, x_);
    }
    double earliest = 2 * t1 - t0;
    found_ = margin_;
    for (int k = 0; k < found_.size(); ++k)
      if (found_[k] < 0) earliest = std::min(earliest, locate(integrator, k, before, after));
    if (earliest <= t1) return earliest;
    note_roots();
    before = after;
  }
  note_end();
  return std::nullopt;
}

// Bisection with false position (Illinois) on the step's dense output; the time returned lies just behind the zero.
double Modes::locate(const Integrator& integrator, int mode, double before, double after) {
  auto margin_at = [&](double t) {
    integrator.interpolate(t, x_);
    evaluate_margins(t, x_);
    return margin_[mode];
  };
  double a = before, b = after, fa = margin_at(a), fb = margin_at(b);
  if (!(fa > 0)) fa = -fb * 1e-3;  // just left: the mode was set here
  for (int k = 0; k < 100 && b - a > 4e-16 * std::max(std::abs(a), std::abs(b)); ++k) {
    const double middle = 0.5 * (a + b);
    double t = k % 3 == 2 ? middle : b - fb * (b - a) / (fb - fa);
    if (!(t > a && t < b)) t = middle;
    if (t <= a || t >= b) break;
    const double f = margin_at(t);
    if (f < 0)
      b = t, fb = f, fa *= 0.5;
    else
      a = t, fa = f, fb *= 0.5;
    if (f == 0) return t;
  }
  return b;
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
  const State before = state_;
  std::vector<int> zeros;
  for (int k = 0; k < root_.size(); ++k)
    if (state_.mode[k] != ModeStatus::sliding && std::abs(root_[k]) <= at_zero * scale_[k]) zeros.push_back(k);
  if (zeros.size() < 2) return false;
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
  for (int k : zeros) events.push_back(describe(k, before.mode[k])), armed_[k] = false;
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
    if (state_.mode[k] != before) events.push_back(describe(k, before));
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
      events.push_back(describe(k, before));
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

RunEvent Modes::describe(int mode, ModeStatus before) const {
  const ModeStatus now = state_.mode[mode];
  const char* what = now == ModeStatus::sliding      ? "sticks"
                     : before == ModeStatus::sliding ? "slips"
                     : now == ModeStatus::above      ? "becomes true"
                                                     : "becomes false";
  return {state_.t, name(mode) + " " + what};
}

}  // namespace armature
