// Properties that must hold for anything drawn at random: the same draws in every run of the tests. Others are drawn with another
// seed in the environment: ARMATURE_SEED=7 ./go test -R Pulses
//
//   for_random_draws(20, [] { const double x = random_number(-1, 1); RC_ASSERT(std::abs(std::sin(x)) <= 1); });
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>

namespace armature::internal {

inline std::uint64_t seed_of_draws() {
  const char* given = std::getenv("ARMATURE_SEED");
  return given ? std::strtoull(given, nullptr, 10) : 18;
}

template <class Property>
void for_random_draws(int count, const Property& property) {
  rc::detail::TestParams parameters;
  parameters.seed = seed_of_draws();
  parameters.maxSuccess = count;
  parameters.disableShrinking = true;  // a draw is a machine or a motion: smaller numbers are not simpler ones
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata{}, parameters);
  std::ostringstream words;
  rc::detail::printResultMessage(result, words);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << words.str() << "ARMATURE_SEED=" << parameters.seed;
}

// Inside a property: a number between two, in a million parts.
inline double random_number(double low, double high) {
  return low + (high - low) * *rc::gen::inRange(0, 1'000'001) / 1e6;
}

// A whole number from low to high.
inline int random_integer(int low, int high) { return *rc::gen::inRange(low, high + 1); }

}  // namespace armature::internal
