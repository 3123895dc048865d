// What the residuals of one column say: how large they are, whether they are noise, and at which frequency they are not.
#pragma once

#include <span>
#include <vector>

namespace armature::internal {

struct ResidualAnalysis {
  long count = 0;  // measured values
  double rms = 0, mean = 0, largest = 0;
  // Correlation of neighbors. White noise has none: beyond the bound, 3/sqrt(count), the model misses something that the data show.
  double neighbor_correlation = 0, correlation_bound = 0;
  bool is_white() const {
    return neighbor_correlation <= correlation_bound && -neighbor_correlation <= correlation_bound;
  }
  // The frequency with the largest part of the power, and that part.
  double peak_frequency = 0, peak_share = 0;  // Hz
  // Amplitude spectrum, one-sided: a sine of amplitude A shows as A.
  std::vector<double> frequency, amplitude;
};

// residuals: NaN where nothing was measured. Times need not be equidistant.
ResidualAnalysis analyze_residuals(std::span<const double> t, std::span<const double> residuals);

}  // namespace armature::internal
