#include "simulate/modes.hpp"

#include <algorithm>
#include <cmath>

namespace armature {

namespace {

constexpr double round_off =
    1e-12;  // of a root, against the largest it has been; or what the integrator may err by, if more
constexpr double jumped =
    1e-3;  // a root this far from zero, against the largest it has been, did not get there smoothly
constexpr double at_zero = 1e-9;  // a root that is zero together with another

}  // namespace

Modes::Modes(Dynamics& dynamics, State& state, double rtol)
    : dynamics_(dynamics),
      state_(state),
      relative_noise_(std::max(round_off, rtol)),
      noise_(dynamics),
      ranges_(dynamics.system().layout(), *dynamics.system().program(Kernel::roots)),
      crossings_(ranges_) {
  const Layout& n = dynamics.system().layout();
  root_ = rates_ = margin_ = scale_ = slack_ = end_root_ = end_margin_ = before_jump_ = Eigen::VectorXd::Zero(n.nw);
  x_ = xdot_ = Eigen::VectorXd::Zero(n.nx());
  armed_.assign(std::size_t(n.nw), false);
  crosses_.assign(std::size_t(n.nw), false);
  guards_.reserve(2 * std::size_t(n.nw));
}

// --- outcomes ----------------------------------------------------------------------------------------------------------

void Modes::set(int k, ModeStatus status) {
  last_weight_margin_.reset();
  pace_ = 0;
  if (status == ModeStatus::sliding) crosses_[std::size_t(k)] = false;
  state_.mode[std::size_t(k)] = status;
  state_.w[k] = status == ModeStatus::above ? 1 : status == ModeStatus::below ? 0 : 0.5;
  dynamics_.set_state(state_);
}

void Modes::set_outcome(int k, double outcome) {
  if (!is_floor(k)) return set(k, status_of(mode(k), outcome));
  set(k, ModeStatus::above);
  state_.w[k] = outcome;
  dynamics_.set_state(state_);
}

// While a mode slides its root drifts by what the integrator errs; it then leaves from there, not from zero. A root that passes
// through zero leaves it by itself, however small the largest value is that it will reach. The argument of a floor is measured by
// the distance of integers.
double Modes::tolerance(int k) const {
  if (crosses_[std::size_t(k)]) return std::max(slack_[k], noise_.of_root(k));
  const double size = is_floor(k) ? 1 : scale_[k];
  return std::max({relative_noise_ * size, slack_[k], noise_.of_root(k)});
}

// Roots may depend on other modes: repeated until the outcomes stand.
void Modes::begin() {
  for (int pass = 0; pass < 1 + static_cast<int>(state_.mode.size()); ++pass) {
    dynamics_.set_state(state_);
    dynamics_.evaluator().set(state_.t, state_.x.data());
    dynamics_.evaluator().roots(root_);
    bool changed = false;
    for (int k = 0; k < root_.size(); ++k) {
      const double outcome = mode(k).outcome(root_[k]);
      if (slides(k) || (state_.w[k] == outcome && state_.mode[std::size_t(k)] == status_of(mode(k), outcome))) continue;
      set_outcome(k, outcome);
      changed = true;
    }
    if (!changed) break;
  }
  scale_ = root_.cwiseAbs();
  noise_.take(state_);
  for (int k = 0; k < root_.size(); ++k)
    if (!slides(k) && !is_floor(k) && std::abs(root_[k]) <= noise_.of_root(k)) settle(k);
}

bool Modes::sliding() const { return std::ranges::find(state_.mode, ModeStatus::sliding) != state_.mode.end(); }

// --- margins -----------------------------------------------------------------------------------------------------------

void Modes::evaluate_roots(double t, const Eigen::VectorXd& x) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set(t, x.data());
  evaluator.set_modes(dynamics_.weights());
  evaluator.roots(root_);
  take_root_margins();
}

void Modes::evaluate_margins(double t, const Eigen::VectorXd& x) {
  if (sliding() && !dynamics_.solved_weights_at(t, x.data())) dynamics_.derivative(t, x.data(), xdot_.data());
  evaluate_roots(t, x);
  for (int k = 0; k < margin_.size(); ++k)
    if (slides(k)) margin_[k] = weight_margin(dynamics_.weights().data(), k);
}

void Modes::evaluate_roots_on(const Integrator& integrator, double t) {
  integrator.interpolate(t, x_);
  evaluate_roots(t, x_);
}

void Modes::take_root_margins() {
  for (int k = 0; k < root_.size(); ++k) {
    if (slides(k)) {
      margin_[k] = 0;
      continue;
    }
    const double n = state_.w[k];
    margin_[k] = is_floor(k)                                        ? std::min(root_[k] - n, n + 1 - root_[k])
                 : state_.mode[std::size_t(k)] == ModeStatus::above ? root_[k]
                                                                    : -root_[k];
    if (!armed_[std::size_t(k)]) margin_[k] += tolerance(k);
  }
}

// The weight may leave (0,1) by as much as stiction exceeds friction.
double Modes::weight_margin(const double* weights, int k) const {
  return 0.5 * mode(k).breakaway - std::abs(weights[k] - 0.5);
}

double Modes::weight_margin(const double* weights) const {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < margin_.size(); ++k)
    if (slides(k)) least = std::min(least, weight_margin(weights, k));
  return least;
}

double Modes::weight_margin_on(const Integrator& integrator, double t) {
  integrator.interpolate(t, x_);
  return weight_margin(dynamics_.weights_at(t, x_.data()).data());
}

// --- the search --------------------------------------------------------------------------------------------------------

// A weight in the middle is found first: those of the end have to stay.
std::optional<double> Modes::find_change(const Integrator& integrator) {
  std::optional<double> middle_weight;
  if (sliding()) middle_weight = weight_margin_on(integrator, 0.5 * (integrator.previous_t() + integrator.t()));
  evaluate_margins(integrator.t(), integrator.x());
  return search(integrator, middle_weight);
}

std::optional<double> Modes::find_change(const Integrator& integrator, const Known& middle, const Known& end) {
  std::copy_n(end.roots, root_.size(), root_.data());
  take_root_margins();
  std::optional<double> middle_weight;
  if (sliding()) middle_weight = weight_margin(middle.weights);
  for (int k = 0; k < root_.size(); ++k)
    if (slides(k)) dynamics_.set_weight(k, end.weights[k]), margin_[k] = weight_margin(end.weights, k);
  return search(integrator, middle_weight);
}

std::optional<double> Modes::search(const Integrator& integrator, std::optional<double> middle_weight) {
  end_root_ = root_, end_margin_ = margin_;
  std::optional<double> change = find_zero(integrator);
  if (sliding())
    if (const auto slip = find_slip(integrator, change.value_or(integrator.t()), middle_weight)) change = slip;
  if (!change) note_end();
  return change;
}

void Modes::put_guards() {
  guards_.clear();
  for (int k = 0; k < root_.size(); ++k) {
    if (slides(k)) continue;
    const double slack = armed_[std::size_t(k)] ? 0 : tolerance(k), n = state_.w[k];
    if (is_floor(k)) {
      guards_.push_back({k, 1, slack - n});
      guards_.push_back({k, -1, slack + n + 1});
    } else {
      guards_.push_back({k, state_.mode[std::size_t(k)] == ModeStatus::above ? 1.0 : -1.0, slack});
    }
  }
}

// What is interpolated may end a little beside the end of the step, which is put on its constraints: a change that only the end
// itself shows is a change there.
std::optional<double> Modes::find_zero(const Integrator& integrator) {
  put_guards();
  const double t0 = integrator.previous_t(), t1 = integrator.t();
  crossings_.keep_open(ranges_.begin(integrator, dynamics_.evaluator().inputs()), t0, t1, guards_);
  const auto negative = [&](double t) {
    if (t != t1) evaluate_roots_on(integrator, t);
    const Eigen::VectorXd& margins = t != t1 ? margin_ : end_margin_;
    return std::ranges::any_of(guards_, [&](const Guard& guard) { return margins[guard.output] < 0; });
  };
  if (!guards_.empty())
    if (const auto part = crossings_.first(t0, t1, guards_, negative)) return first_zero(integrator, *part);
  for (int k = 0; k < end_margin_.size(); ++k)
    if (!slides(k) && end_margin_[k] < 0) return fired_ = k, t1;
  return std::nullopt;
}

// Of the modes with a negative margin at the end of the part.
double Modes::first_zero(const Integrator& integrator, const ZeroCrossings::Part& part) {
  evaluate_roots_on(integrator, part.from);
  const Eigen::VectorXd before = margin_;
  if (part.to == integrator.t())
    margin_ = end_margin_;
  else
    evaluate_roots_on(integrator, part.to);
  const Eigen::VectorXd after = margin_;
  double earliest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < after.size(); ++k) {
    if (slides(k) || !(after[k] < 0)) continue;
    const auto margin = [&](double t) { return evaluate_roots_on(integrator, t), margin_[k]; };
    double t = locate(margin, {part.from, before[k]}, {part.to, after[k]});
    if (const double half = 0.5 * (integrator.previous_t() + t); arm_between(integrator, k, half, t))
      t = locate(margin, {half, margin(half)}, {t, margin(t)});
    if (t < earliest) earliest = t, fired_ = k;
  }
  return earliest;
}

// A root that was clearly on its side half-way to its zero is armed, and its zero is where it is, without slack.
bool Modes::arm_between(const Integrator& integrator, int k, double half, double t) {
  if (armed_[std::size_t(k)]) return false;
  evaluate_roots_on(integrator, half);
  const double slack = tolerance(k);
  if (!(half < t && margin_[k] > 3 * slack)) return false;
  armed_[std::size_t(k)] = true;
  return true;
}

// On the step's dense output; the time returned lies just behind the zero.
template <class Margin>
double Modes::locate(const Margin& margin, SearchPoint before, SearchPoint after) {
  const bool just_left = !(before.value > 0);  // the mode was set there
  const auto [recent, other] = bracket_zero(margin, before, after, just_left);
  return recent.value <= 0 ? recent.t : other.t;
}

// The weights of sliding modes are those of the change afterwards, or of the end of the step.
std::optional<double> Modes::find_slip(const Integrator& integrator, double until,
                                       std::optional<double> middle_weight) {
  const auto slip = walk_to_slip(integrator, until, middle_weight);
  weight_margin_on(integrator, slip.value_or(until));
  if (!slip) return std::nullopt;
  for (int k = 0; k < margin_.size(); ++k)
    if (slides(k) && (!slides(fired_) ||
                      weight_margin(dynamics_.weights().data(), k) < weight_margin(dynamics_.weights().data(), fired_)))
      fired_ = k;
  return slip;
}

// Nothing that sticks moves, so that steps may grow beyond any load that changes with time alone. The weights are followed at a
// pace of their own: twice as long where they hardly move towards the ends of their ranges, half as long where they do.
std::optional<double> Modes::walk_to_slip(const Integrator& integrator, double until,
                                          std::optional<double> middle_weight) {
  constexpr int first_parts = 8, most_parts = 16;
  const double t0 = integrator.previous_t(), t1 = integrator.t();
  if (pace_ == 0) pace_ = (t1 - t0) / first_parts;
  const double shortest = (t1 - t0) / most_parts;  // a weight at the end of its range would halve the pace for ever
  pace_ = std::max(pace_, shortest);
  SearchPoint from{t0, last_weight_margin_ ? *last_weight_margin_ : weight_margin_on(integrator, t0)};
  while (from.t < until) {
    const double t = from.t + 1.5 * pace_ < until ? from.t + pace_ : until;
    const bool whole = from.t == t0 && t == t1;
    const SearchPoint to{t, weight_margin_on(integrator, t)};
    if (const auto slip = slip_between(integrator, from, to, whole ? middle_weight : std::optional<double>(), 0))
      return slip;
    const double moved = std::abs(to.value - from.value), least = std::min(from.value, to.value);
    if (t < until || whole)
      pace_ = std::max(shortest, pace_ * (moved < 0.1 * least ? 2 : moved > 0.3 * least ? 0.5 : 1));
    from = to;
  }
  return std::nullopt;
}

// Between three points of it a weight strays from them by less than it moves from point to point; where it may come to the end
// of its range, both halves are looked at.
std::optional<double> Modes::slip_between(const Integrator& integrator, SearchPoint from, SearchPoint to,
                                          std::optional<double> middle, int depth) {
  constexpr int deepest = 4;
  const auto margin = [&](double t) { return weight_margin_on(integrator, t); };
  const SearchPoint half{0.5 * (from.t + to.t), middle ? *middle : margin(0.5 * (from.t + to.t))};
  const double stray = 2 * (std::abs(half.value - from.value) + std::abs(to.value - half.value));
  if (std::min({from.value, half.value, to.value}) > stray) return std::nullopt;
  if (depth < deepest) {
    if (const auto slip = slip_between(integrator, from, half, {}, depth + 1)) return slip;
    return slip_between(integrator, half, to, {}, depth + 1);
  }
  if (half.value < 0) return locate(margin, from, half);
  return to.value < 0 ? std::optional(locate(margin, half, to)) : std::nullopt;
}

// Nothing has to change where the step ends.
void Modes::note_end() {
  root_ = end_root_, margin_ = end_margin_;
  for (int k = 0; k < margin_.size(); ++k) {
    scale_[k] = std::max(scale_[k], std::abs(root_[k]));
    if (!slides(k) && margin_[k] > 2 * tolerance(k)) armed_[std::size_t(k)] = true;
  }
  if (sliding()) last_weight_margin_ = weight_margin(dynamics_.weights().data());
}

// --- changes -----------------------------------------------------------------------------------------------------------

double Modes::rate_with(int k, ModeStatus status) {
  set(k, status);
  if (!dynamics_.derivative(state_.t, state_.x.data(), xdot_.data())) return 0;
  dynamics_.evaluator().root_rates(dynamics_.acceleration().vdot, rates_);
  return rates_[k];
}

void Modes::settle(int k) {
  armed_[std::size_t(k)] = crosses_[std::size_t(k)] = false;
  slack_[k] = 0;
  if (is_floor(k)) return settle_floor(k);
  const double below = rate_with(k, ModeStatus::below), above = rate_with(k, ModeStatus::above);
  const double size = std::max(std::abs(below), std::abs(above));
  const double weight = below / (below - above);  // where d(root)/dt = 0
  if (below - above > std::max(1e-9 * size, noise_.of_rate(k)) && std::abs(weight - 0.5) <= 0.5 * mode(k).breakaway)
    return set(k, ModeStatus::sliding);
  crosses_[std::size_t(k)] = std::min(std::abs(below), std::abs(above)) > noise_.of_rate(k);
  if (below > 0 && above > 0) return cross(k, ModeStatus::above);
  if (below < 0 && above < 0) return cross(k, ModeStatus::below);
  crosses_[std::size_t(k)] = false;
  leave_zero(k);
}

// The state may be a little before the zero.
void Modes::cross(int k, ModeStatus status) {
  set(k, status);
  slack_[k] = 2 * std::max(0.0, status == ModeStatus::above ? -root_[k] : root_[k]);
}

// Pushed away from zero either way, or at rest on it: as the formula says.
void Modes::leave_zero(int k) {
  evaluate_roots(state_.t, state_.x);
  set_outcome(k, mode(k).outcome(root_[k]));
}

// At one of its two edges, from the inside.
void Modes::settle_floor(int k) {
  evaluate_roots(state_.t, state_.x);
  const double n = state_.w[k];
  set_outcome(k, root_[k] - n > 0.5 ? n + 1 : n - 1);
}

// Joints of one loop come to rest together: if weights can hold all roots that are zero here, all of them slide.
bool Modes::stick_together(std::vector<RunEvent>& events) {
  std::vector<int> zeros;
  for (int k = 0; k < root_.size(); ++k) {
    const bool arrives = armed_[std::size_t(k)] || k == fired_;
    if (arrives && !slides(k) && !is_floor(k) && std::abs(root_[k]) <= at_zero * scale_[k]) zeros.push_back(k);
  }
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
  for (int k : zeros) {
    armed_[std::size_t(k)] = false;
    tell(k, before.w[k], before.mode[std::size_t(k)], events);
  }
  return true;
}

void Modes::release(int k, double weight) {
  set(k, weight > 0.5 ? ModeStatus::above : ModeStatus::below);
  armed_[std::size_t(k)] = crosses_[std::size_t(k)] = false;
  slack_[k] = 2 * std::max(0.0, weight > 0.5 ? -root_[k] : root_[k]);
}

std::vector<RunEvent> Modes::change() {
  std::vector<RunEvent> events;
  dynamics_.set_state(state_);
  evaluate_margins(state_.t, state_.x);
  before_jump_ = root_;
  noise_.take(state_);
  if (!stick_together(events)) {
    const Eigen::VectorXd margin = margin_, root = root_, weight = dynamics_.weights();
    for (int k = 0; k < margin.size(); ++k) {
      const bool arrives = margin[k] < 0 || (margin[k] == 0 && armed_[std::size_t(k)]) || k == fired_;
      if (!arrives) continue;
      const double before = state_.w[k];
      const ModeStatus status = state_.mode[std::size_t(k)];
      root_[k] = root[k];
      if (slides(k))
        release(k, weight[k]);
      else if (!is_floor(k) && std::abs(root[k]) > std::max(jumped * scale_[k], tolerance(k)))
        set_outcome(k, mode(k).outcome(root[k]));
      else
        settle(k);
      tell(k, before, status, events);
    }
  }
  follow_jumps(events);
  return events;
}

std::optional<double> Modes::edge(int k) const {
  const double edge = is_floor(k) ? std::round(root_[k]) : 0, size = std::max(std::abs(edge), scale_[k]);
  return std::abs(root_[k] - edge) <= round_off * size ? std::optional(edge) : std::nullopt;
}

// A sample at t = n P of what is cut out of mod(t, P) falls upon its step, or beside it by round-off. Roots may depend on other
// modes: repeated until the outcomes stand.
void Modes::show_equalities() {
  evaluate_roots(state_.t, state_.x);
  seen_ = dynamics_.weights();
  bool changed = true;
  for (int pass = 0; changed && pass <= root_.size(); ++pass) {
    changed = false;
    for (int k = 0; k < root_.size(); ++k) {
      const std::optional<double> at = edge(k);
      if (slides(k) || (pass == 0 && !at)) continue;
      const double outcome = mode(k).outcome(at.value_or(root_[k]));
      changed = changed || outcome != seen_[k];
      seen_[k] = outcome;
    }
    dynamics_.evaluator().set_modes(seen_);
    dynamics_.evaluator().roots(root_);
  }
}

void Modes::before_jump() {
  evaluate_roots(state_.t, state_.x);
  before_jump_ = root_;
}

void Modes::jump() {
  last_weight_margin_.reset();
  std::vector<RunEvent> unheard;
  evaluate_roots(state_.t, state_.x);
  if (root_ == before_jump_) return;
  noise_.take(state_);
  follow_jumps(unheard);
}

// Where a formula jumps, roots that depend on it jump too, and their modes follow at once; until no more of them do.
void Modes::follow_jumps(std::vector<RunEvent>& events) {
  for (std::size_t pass = 0; pass <= state_.mode.size(); ++pass) {
    evaluate_roots(state_.t, state_.x);
    const Eigen::VectorXd root = root_;
    bool changed = false;
    for (int k = 0; k < root.size(); ++k) {
      if (root[k] == before_jump_[k]) continue;
      const double before = state_.w[k];
      const ModeStatus status = state_.mode[std::size_t(k)];
      if (!follow_jump(k, root[k])) continue;
      tell(k, before, status, events);
      changed = true;
    }
    before_jump_ = root;
    if (!changed) return;
  }
}

// The sign of the root gives the mode; where it lands on zero, what happens next. Returns whether the mode is another one.
bool Modes::follow_jump(int k, double root) {
  const double before = state_.w[k];
  const ModeStatus status = state_.mode[std::size_t(k)];
  scale_[k] = std::max(scale_[k], std::abs(root));
  if (slides(k) && std::abs(root) <= tolerance(k)) return false;
  if (!is_floor(k) && std::abs(root) <= noise_.of_root(k)) {
    settle(k);
  } else {
    armed_[std::size_t(k)] = !is_floor(k);
    slack_[k] = 0;
    set_outcome(k, mode(k).outcome(root));
  }
  return state_.w[k] != before || state_.mode[std::size_t(k)] != status;
}

// --- words -------------------------------------------------------------------------------------------------------------

std::string Modes::name(int k) const {
  const std::string& label = mode(k).label;
  return label.empty() ? "comparison " + std::to_string(k + 1) : label;
}

std::string Modes::last_settled() const { return name(fired_); }

void Modes::tell(int k, double before, ModeStatus status_before, std::vector<RunEvent>& events) const {
  const ModeStatus now = state_.mode[std::size_t(k)];
  if (quiet_ || (now == status_before && (state_.w[k] == before || slides(k)))) return;
  const char* what = now == ModeStatus::sliding             ? "sticks"
                     : status_before == ModeStatus::sliding ? "slips"
                     : is_floor(k)                          ? (state_.w[k] > before ? "steps up" : "steps down")
                     : now == ModeStatus::above             ? "becomes true"
                                                            : "becomes false";
  events.push_back({state_.t, name(k) + " " + what});
}

}  // namespace armature
