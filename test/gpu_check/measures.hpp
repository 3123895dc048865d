// Times and differences.
#pragma once

#include <bit>
#include <chrono>
#include <cstdint>
#include <span>

namespace armature::internal::gpu_check {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}

template <class Work>
double seconds_of(const Work& work) {
  const auto began = Clock::now();
  work();
  return seconds_since(began);
}

// How many differ, bit by bit.
inline long differing_numbers(std::span<const double> a, std::span<const double> b) {
  long differ = a.size() != b.size();
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    differ += std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i]);
  return differ;
}

}  // namespace armature::internal::gpu_check
