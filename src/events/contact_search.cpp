// The search of contacts.hpp: in each step, the first time at which a contact changes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "events/contacts.hpp"

namespace armature::internal {

using step::EventTime;
using step::Guard;
using step::SearchPoint;
using step::StepPart;

namespace {

constexpr double penetrated = 1e-3;  // of the machine's length, or of a radian: as far as constraints may open in a run

// Of values at three points in a row: all are positive, and farther from zero than what lies between them is likely to stray.
bool stay_positive(double a, double b, double c) {
  return std::min({a, b, c}) > 2 * (std::abs(b - a) + std::abs(c - b));
}

}  // namespace

const double* Contacts::run(Kernel kernel, double t, const double* x) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set(t, x);
  evaluator.set_outcomes(dynamics_.weights());
  return evaluator.kernels().run(kernel).gaps->lane;
}

void Contacts::evaluate_gaps(double t, const double* x) {
  gaps_ = Eigen::Map<const Eigen::VectorXd>(run(Kernel::contact_gaps, t, x), gaps_.size());
}

void Contacts::evaluate_motion(double t, const double* x, Eigen::VectorXd& motion) {
  motion = Eigen::Map<const Eigen::VectorXd>(run(Kernel::contact_motion, t, x), motion.size());
}

// Of a gap just opened, or a sliding just begun, the zero that it left does not count.
int Contacts::put_guards() {
  guards_.clear();
  const int n = static_cast<int>(contacts_.size());
  for (int i = 0; i < n; ++i) {
    const Contact& contact = contacts_[place(i)];
    if (!closed(place(i)))
      guards_.push_back({i, 1, contact.armed ? 0 : contact.slack});
    else if (slides(place(i)) && rows_.friction[i] > 0)
      guards_.push_back({n + i, direction(place(i)), contact.armed ? 0 : contact.sliding});
  }
  return static_cast<int>(guards_.size());
}

// Of three ends of steps in a row that are about as far from each other.
bool Contacts::slides_on(const Guard& guard, double length) const {
  if (!(begin_.previous_length > 0 && length <= 2 * begin_.previous_length)) return false;
  return stay_positive(guard.at(begin_.previous[guard.output]), guard.at(begin_.motion[guard.output]),
                       guard.at(end_[guard.output]));
}

// The step ends without a change.
void Contacts::begin_next(const Integrator& integrator) {
  begin_.previous_length = begin_.known(integrator.previous_t()) ? integrator.t() - integrator.previous_t() : 0;
  begin_.previous.swap(begin_.motion), begin_.motion.swap(end_);
  begin_.t = integrator.t();
}

// Most are far from closing: a gap strays from its ends by less than it would move with its rates there, and a sliding velocity from three
// points by less than it moves from point to point.
int Contacts::keep_near(const Integrator& integrator, double until, int guards) {
  const double t0 = integrator.previous_t();
  if (!begin_.known(t0)) {
    integrator.interpolate(t0, x_);
    evaluate_motion(t0, x_.data(), begin_.motion);
    begin_.t = t0, begin_.previous_length = 0;
  }
  const int n = static_cast<int>(contacts_.size());
  const auto keep = [&](int count, const auto& near) {
    return static_cast<int>(std::stable_partition(guards_.begin(), guards_.begin() + count, near) - guards_.begin());
  };
  bool slides = false;
  guards = keep(guards, [&](const Guard& guard) {
    if (guard.output >= n) return !slides_on(guard, until - t0) && (slides = true);
    const double a = guard.at(begin_.motion[guard.output]), c = guard.at(end_[guard.output]);
    const double rates = std::abs(begin_.motion[2 * n + guard.output]) + std::abs(end_[2 * n + guard.output]);
    return !(std::min(a, c) > 2 * std::abs(c - a) + (until - t0) * rates);
  });
  if (!slides) return guards;
  integrator.interpolate(0.5 * (t0 + until), x_);
  evaluate_gaps(0.5 * (t0 + until), x_.data());
  return keep(guards, [&](const Guard& guard) {
    if (guard.output < n) return true;
    return !stay_positive(guard.at(begin_.motion[guard.output]), guard.at(gaps_[guard.output]),
                          guard.at(end_[guard.output]));
  });
}

std::optional<double> Contacts::find_zero(const Integrator& integrator, double until) {
  const double t0 = integrator.previous_t();
  const int all = keep_near(integrator, until, put_guards());
  if (all == 0) return std::nullopt;
  const bool has_ranges = ranges_.begin(integrator, dynamics_.evaluator().inputs());
  const int count = zeros_.keep_open(has_ranges, t0, until, guards_.data(), all);
  const auto negative = [&](double t) {
    if (t != until) integrator.interpolate(t, x_), evaluate_gaps(t, x_.data());
    const Eigen::VectorXd& values = t != until ? gaps_ : end_;
    return std::any_of(guards_.begin(), guards_.begin() + count,
                       [&](const Guard& guard) { return guard.at(values[guard.output]) < 0; });
  };
  if (count > 0) {
    const StepPart part = zeros_.first(t0, until, guards_.data(), count, negative);
    if (part.found) return first_zero(integrator, part, count);
    if (part.ended) return part.from;  // the step ends where nothing changes
  }
  for (const Guard& guard : guards_)  // those that are far are not negative there
    if (guard.at(end_[guard.output]) < 0) return until;
  return std::nullopt;
}

double Contacts::first_zero(const Integrator& integrator, const StepPart& part, int guards) {
  double earliest = part.to;
  for (int k = 0; k < guards; ++k) {
    Guard guard = guards_[place(k)];
    const auto value = [&](double t) {
      integrator.interpolate(t, x_);
      evaluate_gaps(t, x_.data());
      return guard.at(gaps_[guard.output]);
    };
    const SearchPoint from{part.from, value(part.from)}, to{part.to, value(part.to)};
    if (!(to.value < 0)) continue;
    double t = step::time_behind_zero(value, from, to);
    // one that was clearly on its side halfway is there without slack
    if (const double half = 0.5 * (integrator.previous_t() + t); guard.offset > 0 && value(half) > 3 * guard.offset) {
      guard.offset = 0;
      t = step::time_behind_zero(value, {half, value(half)}, {t, value(t)});
    }
    earliest = std::min(earliest, t);
  }
  return earliest;
}

double Contacts::force_margin(double t, const double* x) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set_outcomes(dynamics_.engine().weights_at(t, x));
  evaluator.set(t, x);
  const double least = least_margin(evaluator.kernels().run(Kernel::contact_forces).contact_forces->lane);
  return least < 0 && value(softness_) > 0 && modes_hold(t, x) ? 1 : least;
}

// Of contacts that share their load in many ways the smallest forces may leave a cone of friction, or pull, where others give the same motion
// within all cones: an edge that sticks at both its ends.
bool Contacts::modes_hold(double t, const double* x) {
  const State now = state_;
  std::vector<int> pushing;
  for (int i = 0; i < rows_.count(); ++i)
    if (closed(place(i))) pushing.push_back(i);
  state_.t = t, state_.x = Eigen::Map<const Eigen::VectorXd>(x, state_.x.size());
  const ContactSolution solution = evaluate() ? solve_forces(pushing) : ContactSolution();
  state_ = now;
  dynamics_.set_state(state_);
  for (std::size_t k = 0; k < pushing.size() && solution.found; ++k) {
    const ContactState state = solution.state[k];
    if (state == ContactState::open ||
        (is_rough(pushing[k]) && (state == ContactState::stick) != sticks(place(pushing[k]))))
      return false;
  }
  return solution.found;
}

// forces: N of each, then mu N - |T|.
double Contacts::least_margin(const double* forces) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (!closed(i)) continue;
    Contact& contact = contacts_[i];
    contact.force = std::max(contact.force, std::abs(forces[i]));
    const double scale = contact.force > 0 ? contact.force : 1;
    least = std::min(least, forces[i] / scale);
    if (sticks(i)) least = std::min(least, forces[contacts_.size() + i] / scale);
  }
  return least;
}

// Forces take a solve at every point but the end of a step, where the integrator has had one.
std::optional<double> Contacts::find_pull(const Integrator& integrator, double until) {
  const double t0 = integrator.previous_t(), t1 = integrator.t();
  if (until == t1 && integrator.ends_with_derivative())
    if (const double* forces = dynamics_.contact_forces(t1); forces && walk_.passes(t0, t1, least_margin(forces)))
      return std::nullopt;
  std::optional<double> end;
  const auto margin = [&](double t) {
    integrator.interpolate(t, x_);
    const double value = force_margin(t, x_.data());
    if (t == t1) end = value;
    return value;
  };
  const EventTime pull = walk_.find(t0, t1, until, {}, margin);
  end ? walk_.take_end(*end) : walk_.forget();
  return pull.found ? std::optional(pull.t) : std::nullopt;
}

bool Contacts::has_drifted(const double* end_gaps) const {
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (closed(i) && std::abs(end_gaps[i]) > contacts_[i].gap) return true;
  return false;
}

// A gap with a kink, as that of a rim that comes to lie flat, may be missed by any step: nothing goes on from there.
std::string Contacts::penetration(const Eigen::VectorXd& gaps) const {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const RigidContact& law = *contacts_[i].law;
    const double gap = gaps[static_cast<Eigen::Index>(i)];
    const double size = law.unit == "m" ? length_ : 1;
    if (closed(i) || !(size > 0) || gap >= -penetrated * size - contacts_[i].gap) continue;
    return fmt::format(
        "{}: rigid surfaces overlap by {:.4g} {}. The gap must be smooth where they touch. The rim of a disc or "
        "cylinder that comes "
        "to lie flat touches all around: give it feet, contacts of some points of its rim, or a stiffness. A gap with "
        "abs, min or max: "
        "give each place a contact of its own",
        law.label, -gap, law.unit);
  }
  return "";
}

void Contacts::note_end() {
  const int n = static_cast<int>(contacts_.size());
  for (int i = 0; i < n; ++i) {
    Contact& contact = contacts_[place(i)];
    if (!closed(place(i)) ? end_[i] > contact.gap : slides(place(i)) && std::abs(end_[n + i]) > contact.sliding)
      contact.armed = true;
  }
}

std::optional<double> Contacts::find_change(const Integrator& integrator, double until) {
  look_at_sliding();
  if (until < integrator.t())
    integrator.interpolate(until, x_);
  else
    x_ = integrator.x();
  evaluate_motion(until, x_.data(), end_);
  std::optional<double> change = find_zero(integrator, until);
  bool any_closed = false;
  for (std::size_t i = 0; i < contacts_.size(); ++i) any_closed = any_closed || closed(i);
  if (any_closed)
    if (const std::optional<double> pull = find_pull(integrator, change.value_or(until))) change = pull;
  dynamics_.forget_contact_forces();
  if (!change && (has_drifted(end_.data()) || !penetration(end_).empty())) change = until;
  if (!change) note_end();
  if (!change && until == integrator.t()) begin_next(integrator);
  return change;
}

}  // namespace armature::internal
