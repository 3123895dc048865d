// Lists of numbers as text: base64 (RFC 4648) of little-endian floats.
#pragma once

#include <span>
#include <string>

namespace armature::internal {

std::string base64(std::span<const unsigned char> bytes);
std::string base64_float32(std::span<const double> values);
std::string base64_float32(std::span<const float> values);
std::string base64_float64(std::span<const double> values);

}  // namespace armature::internal
