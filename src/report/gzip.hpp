// Bytes compressed as gzip, which pages unpack by themselves.
#pragma once

#include <string>
#include <string_view>

namespace armature::internal {

std::string gzip(std::string_view bytes);

}  // namespace armature::internal
