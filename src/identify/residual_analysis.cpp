#include "identify/residual_analysis.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace armature::internal {

namespace {

constexpr std::size_t most_frequencies = 512;

// |sum r e^{-i omega t}| at any times, scaled to the amplitude of a sine.
double amplitude_at(double frequency, const std::vector<double>& t, const std::vector<double>& r) {
  std::complex<double> sum = 0;
  const double omega = 2 * std::numbers::pi * frequency;
  for (std::size_t k = 0; k < t.size(); ++k) sum += std::polar(r[k], -omega * t[k]);
  return 2 * std::abs(sum) / static_cast<double>(t.size());
}

// Frequencies from one period in the record to half the mean rate of sampling; few enough to look at each.
void fill_spectrum(const std::vector<double>& t, const std::vector<double>& r, ResidualAnalysis& result) {
  const double duration = t.back() - t.front();
  if (t.size() < 8 || !(duration > 0)) return;
  // Multiples of one period in the record; a long record is looked at with fewer of them, spread evenly.
  const std::size_t half = t.size() / 2, count = std::min(half, most_frequencies);
  double power = 0;
  for (std::size_t k = 1; k <= count; ++k) {
    const double frequency = static_cast<double>(k) * static_cast<double>(half) / static_cast<double>(count) / duration;
    result.frequency.push_back(frequency);
    result.amplitude.push_back(amplitude_at(frequency, t, r));
    power += result.amplitude.back() * result.amplitude.back();
  }
  // The frequency with most power, and its share of all.
  const auto peak = std::ranges::max_element(result.amplitude);
  result.peak_frequency = result.frequency[static_cast<std::size_t>(peak - result.amplitude.begin())];
  result.peak_share = power > 0 ? *peak * *peak / power : 0;
}

}  // namespace

ResidualAnalysis analyze_residuals(std::span<const double> t, std::span<const double> residuals) {
  ResidualAnalysis result;
  // Without the values that were not measured.
  std::vector<double> times, r;
  for (std::size_t k = 0; k < residuals.size(); ++k)
    if (!std::isnan(residuals[k])) times.push_back(t[k]), r.push_back(residuals[k]);
  result.count = static_cast<long>(r.size());
  if (r.empty()) return result;
  double sum = 0, squares = 0;
  for (const double x : r) sum += x, squares += x * x, result.largest = std::max(result.largest, std::abs(x));
  const double n = static_cast<double>(r.size());
  result.mean = sum / n, result.rms = std::sqrt(squares / n);
  // The correlation of neighbors: of noise within 3/sqrt(n) of zero.
  double products = 0, variance = 0;
  for (std::size_t k = 0; k < r.size(); ++k) {
    variance += (r[k] - result.mean) * (r[k] - result.mean);
    if (k > 0) products += (r[k] - result.mean) * (r[k - 1] - result.mean);
  }
  result.neighbor_correlation = variance > 0 ? products / variance : 0;
  result.correlation_bound = 3 / std::sqrt(n);
  // The spectrum is that of the residuals about their mean.
  for (double& x : r) x -= result.mean;
  fill_spectrum(times, r, result);
  return result;
}

}  // namespace armature::internal
