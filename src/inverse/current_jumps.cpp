#include "inverse/current_jumps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/findings.hpp"

namespace armature::internal {

namespace {

constexpr double visible_jump = 1e-6;  // of a jump, against the largest current
constexpr double small = 1e-3;         // A: of motors without any larger current
constexpr double instant = 1e-10;      // of the time between rows: what changes within it jumps

}  // namespace

CurrentJumps::CurrentJumps(const std::vector<std::string>& motors) {
  for (const std::string& name : motors) motors_.push_back({name, small, {}});
}

void CurrentJumps::add_row(double t, const Eigen::VectorXd& current, const Eigen::VectorXd& rate,
                           const Between& between) {
  for (Eigen::Index k = 0; k < current.size(); ++k) {
    Motor& motor = motors_[static_cast<std::size_t>(k)];
    motor.largest = std::max(motor.largest, std::abs(current[k]));
    if (!begun_) continue;
    const double by_rates = 0.5 * (t - t_) * (rate_[k] + rate[k]);
    if (std::abs(current[k] - current_[k] - by_rates) > visible_jump * motor.largest)
      look_between(k, t, current[k], by_rates, between);
  }
  begun_ = true, t_ = t, current_ = current, rate_ = rate;
}

// Changes are those besides the change that the rates make, which may hide a jump.
void CurrentJumps::look_between(Eigen::Index k, double t, double current, double by_rates, const Between& between) {
  Motor& motor = motors_[static_cast<std::size_t>(k)];
  double a = 0, b = 1, before = current_[k], after = current - by_rates;
  // Bisection towards the half in which more of the change is left; what becomes smaller with the interval is no jump.
  while (b - a > instant) {
    if (std::abs(after - before) <= visible_jump * motor.largest) return;
    const double s = 0.5 * (a + b);
    if (!between(s, middle_)) return;
    const double middle = middle_[k] - s * by_rates;
    if (std::abs(middle - before) > std::abs(after - middle))
      b = s, after = middle;
    else
      a = s, before = middle;
  }
  const double size = std::abs(after - before);
  if (size > visible_jump * motor.largest) motor.jumps.push_back({t_ + b * (t - t_), size});
}

Findings CurrentJumps::findings() const {
  Findings findings;
  for (const Motor& motor : motors_) {
    int count = 0;
    Jump largest{0, 0};
    for (const Jump& jump : motor.jumps) {
      if (jump.size <= visible_jump * motor.largest) continue;  // of what turned out as round-off
      ++count;
      if (jump.size > largest.size) largest = jump;
    }
    if (count == 0) continue;
    findings.push_back(finding<FindingCode::current_jump>(
        "motor"_a = motor.name, "jump"_a = largest.size, "t"_a = largest.t,
        "count"_a = count > 1 ? fmt::format(" (the largest of {} jumps)", count) : ""));
  }
  return findings;
}

}  // namespace armature::internal
