// SHA-256 (FIPS 180-4), by which a file is known again.
#pragma once

#include <string>
#include <string_view>

namespace armature::internal {

std::string sha256(std::string_view bytes);  // 64 hexadecimal digits

}  // namespace armature::internal
