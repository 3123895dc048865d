#include "run/passed_limits.hpp"

#include <algorithm>
#include <cmath>

#include "model/findings.hpp"

namespace armature::internal {

namespace {

constexpr double tolerated = 0.01;  // of the limit

}  // namespace

Findings passed_limits(const std::vector<Prepared::CurrentLimit>& limits, const std::vector<Peak>& peaks,
                       const RunOptions& options) {
  Findings findings;
  for (const Prepared::CurrentLimit& limit : limits) {
    const auto peak = std::find_if(peaks.begin(), peaks.end(), [&](const Peak& p) { return p.name == limit.current; });
    if (peak == peaks.end()) continue;
    const double excess = std::abs(peak->value) - limit.limit;
    if (excess <= tolerated * limit.limit) continue;
    findings.push_back(finding<FindingCode::current_limit>(
        "current"_a = limit.current, "limit"_a = limit.limit, "largest"_a = peak->value, "t"_a = peak->t,
        "integrator"_a = options.integrator, "step"_a = options.step, "settling"_a = limit.settling,
        "shorter"_a = options.step * tolerated * limit.limit / excess));
  }
  return findings;
}

}  // namespace armature::internal
