#include "inspect/divergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace armature::internal {

namespace {

constexpr double parted = 1e-2, small = 1e-5;
constexpr double power = 4;
constexpr double most_growth = 100;  // logarithms since the start, at the rate of the end
constexpr std::size_t fewest_rows = 5;
constexpr double most_in_a_row = 0.5;  // of the decades from small to parted

std::size_t first_above(const std::vector<double>& differences, double level) {
  const auto found =
      std::find_if(differences.begin(), differences.end(), [&](double difference) { return !(difference <= level); });
  return static_cast<std::size_t>(found - differences.begin());
}

// ln D of rows first … last.
std::vector<double> logarithms(const std::vector<double>& differences, std::size_t first, std::size_t last) {
  std::vector<double> list;
  double largest = 0;
  for (std::size_t i = 0; i <= last; ++i) {
    largest = std::max(largest, differences[i]);
    if (i >= first) list.push_back(std::log(largest));
  }
  return list;
}

bool jumps(const std::vector<double>& logarithms) {
  const double most = most_in_a_row * std::log(parted / small);
  for (std::size_t i = 1; i < logarithms.size(); ++i)
    if (!(logarithms[i] - logarithms[i - 1] <= most)) return true;
  return false;
}

double slope(const double* t, const std::vector<double>& y) {
  const auto n = static_cast<double>(y.size());
  double mean_t = 0, mean_y = 0, above = 0, below = 0;
  for (std::size_t i = 0; i < y.size(); ++i) mean_t += t[i] / n, mean_y += y[i] / n;
  for (std::size_t i = 0; i < y.size(); ++i)
    above += (t[i] - mean_t) * (y[i] - mean_y), below += (t[i] - mean_t) * (t[i] - mean_t);
  return above / below;
}

}  // namespace

std::vector<double> lasting(std::vector<double> differences) {
  for (std::size_t i = 0; i + 1 < differences.size(); ++i)
    differences[i] = std::min(differences[i + 1], differences[i]);
  return differences;
}

std::string in_words(const GrowthToDivergence& divergence, const std::string& how) {
  if (divergence.rate > 0)
    return fmt::format(
        "errors grow by a factor of e every {:.2g} s, and from t = {:.4g} s on the run and {} differ by more than 1 %; "
        "a "
        "hundredth of the tolerance moves that time by {:.2g} s",
        1 / divergence.rate, divergence.t, how, std::log(100) / divergence.rate);
  if (divergence.sudden)
    return fmt::format(
        "from t = {:.4g} s on the run and {} are different motions: they separate at once, as happens where a "
        "comparison or a singular pose decides, or where the run steps over a short force",
        divergence.t, how);
  return fmt::format("from t = {:.4g} s on the run and {} differ by more than 1 %; use a smaller tolerance or step",
                     divergence.t, how);
}

std::optional<GrowthToDivergence> find_divergence(const std::vector<double>& t,
                                                  const std::vector<double>& differences) {
  const std::size_t last = first_above(differences, parted), after_small = first_above(differences, small);
  if (last >= differences.size()) return std::nullopt;
  GrowthToDivergence result{t[last], 0};
  const std::size_t first = after_small == 0 ? 0 : after_small - 1;
  const std::vector<double> grown = logarithms(differences, first, last);
  result.sudden = jumps(grown);
  if (after_small == 0 || last - after_small + 1 < fewest_rows) return result;
  const bool as_a_power = t[last] - t[0] > std::pow(parted / small, 1 / power) * (t[after_small] - t[0]);
  if (result.sudden || as_a_power) return result;
  const double rate = slope(t.data() + first, grown);
  if (rate * (t[last] - t[0]) < most_growth) result.rate = rate;
  return result;
}

}  // namespace armature::internal
