// An integrator of its own for comparisons: Gragg's midpoint rule, extrapolated (Bulirsch and Stoer) to order 16, with fixed steps. In extended
// precision: extrapolation magnifies round-off, which in double precision would be larger than the errors of the runs that are compared.
#pragma once

#include <functional>
#include <vector>

namespace armature::internal {

using Own = long double;
using OwnState = std::vector<Own>;
using OwnRates = std::function<OwnState(Own t, const OwnState& y)>;

inline OwnState midpoint_step(const OwnRates& f, const OwnState& y, Own t, Own H, int n) {
  const Own h = H / n;
  const auto moved = [](const OwnState& from, Own by, const OwnState& rate) {
    OwnState to = from;
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += by * rate[i];
    return to;
  };
  OwnState before = y, at = moved(y, h, f(t, y));
  for (int k = 1; k < n; ++k) {
    OwnState after = moved(before, 2 * h, f(t + k * h, at));
    before = std::move(at), at = std::move(after);
  }
  const OwnState last = moved(before, h, f(t + H, at));
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = 0.5 * (at[i] + last[i]);
  return at;
}

// y at t1, from y at t0.
inline OwnState integrated(const OwnRates& f, OwnState y, Own t0, Own t1, int steps) {
  constexpr int columns = 8;
  const Own H = (t1 - t0) / steps;
  for (int step = 0; step < steps; ++step) {
    std::vector<OwnState> row;  // the last row of Neville's scheme
    for (int k = 0; k < columns; ++k) {
      std::vector<OwnState> next{midpoint_step(f, y, t0 + step * H, H, 2 * (k + 1))};
      for (int j = 1; j <= k; ++j) {
        const Own ratio = Own(k + 1) / (k + 1 - j);
        OwnState better = next[j - 1];
        for (std::size_t i = 0; i < y.size(); ++i) better[i] += (next[j - 1][i] - row[j - 1][i]) / (ratio * ratio - 1);
        next.push_back(std::move(better));
      }
      row = std::move(next);
    }
    y = row.back();
  }
  return y;
}

}  // namespace armature::internal
