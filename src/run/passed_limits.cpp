#include "run/passed_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace armature::internal {

namespace {

constexpr double tolerated = 0.01;  // of the limit

}  // namespace

std::vector<std::string> passed_limits(const std::vector<Prepared::CurrentLimit>& limits,
                                       const std::vector<Peak>& peaks, const RunOptions& options) {
  std::vector<std::string> sentences;
  for (const Prepared::CurrentLimit& limit : limits) {
    const auto peak = std::find_if(peaks.begin(), peaks.end(), [&](const Peak& p) { return p.name == limit.current; });
    if (peak == peaks.end()) continue;
    const double excess = std::abs(peak->value) - limit.limit;
    if (excess <= tolerated * limit.limit) continue;
    sentences.push_back(fmt::format(
        "{} exceeds its limit of {:g} A: it reaches {:.4g} A at t = {:.4g} s, because {} with steps of {:g} s sees the "
        "limit a step too late (L/R is {:.2g} s); use steps of {:.1g} s, or an error-controlled integrator (dopri5), "
        "which stops the current at the limit",
        limit.current, limit.limit, peak->value, peak->t, options.integrator, options.step, limit.settling,
        options.step * tolerated * limit.limit / excess));
  }
  return sentences;
}

}  // namespace armature::internal
