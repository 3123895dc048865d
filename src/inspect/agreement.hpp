// How far two recordings of one motion agree, channel by channel.
//
//     digits = -log10( largest |a - b| / scale )
//
// The scale of a channel is the largest size that it reaches; at least a thousandth of the largest among the channels of its
// unit, so that what is zero but for rounding does not count; and of a state at least atol/rtol, below which its tolerance is
// absolute.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "prepare/prepare.hpp"
#include "record/recorder.hpp"

namespace armature::internal {

using ChannelScales = std::map<std::string, double>;  // of those that are compared

// Channels that measure errors of the run itself, and the time, are left out.
ChannelScales channel_scales(const MemoryRecorder& rows, const Prepared& prepared);

constexpr double all_digits = 16;
constexpr double of_its_unit = 1e-3;

double agreeing_digits(double a, double b, double scale);  // NaN where there is none

// Over the rows that both have; NaN where one of them has no such channel, or no number in it.
double agreeing_digits(const MemoryRecorder& a, const MemoryRecorder& b, const std::string& channel, double scale);

// Row by row, the largest |a - b| / scale of the positions and velocities.
std::vector<double> differences(const MemoryRecorder& a, const MemoryRecorder& b, const ChannelScales& scales,
                                const Equations& equations);

}  // namespace armature::internal
