#include "events/clear_steps.hpp"

#include <algorithm>
#include <cmath>

namespace armature::internal {

namespace {

constexpr int most_ahead = 64, longest_pause = 15;  // steps
constexpr double round_off = 1e-12;                 // of an output, against the largest it can be in the box
// What states always may do in a box, so that round-off of one at rest does not leave it: of what their rates, or values, change in a step.
constexpr double uneven = 1e-3, at_rest = 1e-10;

using Moving = SecondRates::Moving;

// A polynomial over |u| <= 1/2, by time: h du = dt.
Moving moving(const StepPath::Polynomial& p, int order, double h) {
  const double r = 0.5;
  double value = 0, rate = 0, second = 0;
  for (int k = order; k > 0; --k) {
    const double size = std::abs(p[static_cast<std::size_t>(k)]);
    value = r * (value + size);
    if (k > 1) rate = r * (rate + k * size);
    if (k > 2) second = r * (second + k * (k - 1) * size);
  }
  const double bend = order > 1 ? 2 * p[2] : 0;
  return {{p[0] - value, p[0] + value},
          {(p[1] - rate) / h, (p[1] + rate) / h},
          {(bend - second) / (h * h), (bend + second) / (h * h)}};
}

bool within(const Range& inner, const Range& outer) { return inner.low >= outer.low && inner.high <= outer.high; }
bool within(const Moving& inner, const Moving& outer) {
  return within(inner.second, outer.second) && within(inner.rate, outer.rate) && within(inner.value, outer.value);
}

// Room for some time ahead, with twice the second rate.
Moving with_room(const Moving& x, double h, double ahead) {
  const double least = (uneven * x.rate.size() * h + at_rest * x.value.size()) / (h * h);
  const double bend = 2 * std::max(x.second.size(), least);
  const Range rate{x.rate.low - ahead * bend, x.rate.high + ahead * bend};
  return {{x.value.low + ahead * std::min(rate.low, 0.0), x.value.high + ahead * std::max(rate.high, 0.0)},
          rate,
          {-bend, bend}};
}

}  // namespace

ClearSteps::ClearSteps(const PathRanges& ranges, const Program& program)
    : ranges_(ranges),
      second_rates_(program),
      step_(ranges.entries().size() + (ranges.reads_time() ? 1 : 0)),
      box_(step_),
      held_(ranges.held().size()),
      begin_(static_cast<std::size_t>(program.output_count())),
      next_(begin_),
      largest_(begin_) {}

bool ClearSteps::contain(const double* held, const double* end, const step::Guard* guards, int count) {
  if (!goes_on(end)) return false;
  if (wait_ > 0) return --wait_, false;
  if (is_proved(held, end, guards, count)) return pause_ = 0, true;
  // too close to a zero, or the box too large: later, with a smaller one
  has_box_ = false;
  wait_ = pause_ = std::min(2 * pause_ + 1, longest_pause);
  ahead_ = std::max(ahead_ / 2, 1);
  return false;
}

bool ClearSteps::goes_on(const double* end) {
  const StepPath& path = ranges_.path();
  const double t0 = path.middle() - 0.5 * path.length(), t1 = path.middle() + 0.5 * path.length();
  constexpr double same_time = 1e-9;  // of a step
  const bool known = knows_begin_ && std::abs(t0 - begin_t_) <= same_time * path.length();
  begin_.swap(next_);
  std::copy_n(end, next_.size(), next_.begin());
  begin_t_ = t1, knows_begin_ = true;
  return known;
}

bool ClearSteps::is_proved(const double* held, const double* end, const step::Guard* guards, int count) {
  enclose_step();
  if (!has_box_ || !is_in_box(held)) {
    if (has_box_) ahead_ = std::min(2 * ahead_, most_ahead);
    make_box(held);
  }
  return guards_hold(end, guards, count);
}

void ClearSteps::enclose_step() {
  const StepPath& path = ranges_.path();
  const double h = path.length();
  for (std::size_t i = 0; i < ranges_.entries().size(); ++i) step_[i] = moving(path[i], path.order(), h);
  if (ranges_.reads_time())
    step_.back() = {{path.middle() - 0.5 * h, path.middle() + 0.5 * h}, Range::point(1), Range::point(0)};
}

bool ClearSteps::is_in_box(const double* held) const {
  for (std::size_t i = 0; i < held_.size(); ++i)
    if (held[ranges_.held()[i]] != held_[i]) return false;
  for (std::size_t i = 0; i < step_.size(); ++i)
    if (!within(step_[i], box_[i])) return false;
  return true;
}

void ClearSteps::make_box(const double* held) {
  // what the program reads
  const double h = ranges_.path().length();
  for (std::size_t i = 0; i < held_.size(); ++i) {
    held_[i] = held[ranges_.held()[i]];
    second_rates_.input(ranges_.held()[i]) = Enclosure::point(held_[i]);
  }
  const std::size_t entries = ranges_.entries().size();
  for (std::size_t i = 0; i < entries; ++i) {
    box_[i] = with_room(step_[i], h, ahead_ * h);
    second_rates_.set(ranges_.entries()[i] + 1, box_[i]);
  }
  if (ranges_.reads_time()) {
    box_.back() = {{step_.back().value.low, step_.back().value.high + ahead_ * h}, Range::point(1), Range::point(0)};
    second_rates_.set(0, box_.back());
  }
  // what follows from it
  second_rates_.run();
  for (std::size_t k = 0; k < largest_.size(); ++k) largest_[k] = second_rates_.largest(static_cast<int>(k));
  has_box_ = true;
  ++boxes_;
}

bool ClearSteps::guards_hold(const double* end, const step::Guard* guards, int count) const {
  const double h = ranges_.path().length();
  for (int i = 0; i < count; ++i) {
    const auto k = static_cast<std::size_t>(guards[i].output);
    const double least = std::min(guards[i].at(begin_[k]), guards[i].at(end[k]));
    const double noise = round_off * second_rates_.output(guards[i].output).value.size();
    if (!(least > 0.125 * h * h * largest_[k] + noise)) return false;
  }
  return true;
}

}  // namespace armature::internal
