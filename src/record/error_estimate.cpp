#include "record/error_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace armature::internal {

namespace {

constexpr double round_off = 4 * std::numeric_limits<double>::epsilon();  // of a number that formulas give

double difference(double a, double b) {
  return a == b ? round_off * std::abs(a) : std::max(std::abs(a - b), round_off * std::abs(a));
}

}  // namespace

double error_of(const ErrorEstimate::Numbers& errors, const std::string& name) {
  const auto found = std::ranges::find(errors, name, &ErrorEstimate::Numbers::value_type::first);
  return found == errors.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

ErrorEstimate::Numbers differences_of(const ErrorEstimate::Numbers& a, const ErrorEstimate::Numbers& b) {
  ErrorEstimate::Numbers errors;
  for (const auto& [name, value] : a) {
    const double exact = error_of(b, name), error = std::isinf(value) && value == exact ? 0 : difference(value, exact);
    errors.emplace_back(name, error);
  }
  return errors;
}

}  // namespace armature::internal
