// Whether a grid fits into this machine's memory, before anything is computed.
#pragma once

#include <string>
#include <vector>

namespace armature::internal {

// `bytes` that a cell takes. Throws RequestError, which says how many cells there would be and how much memory they would take.
void require_memory(const std::vector<long>& counts, double bytes, const std::string& option);

}  // namespace armature::internal
