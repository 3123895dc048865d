// Whether a grid has room in this machine's memory, before anything is computed.
#pragma once

#include <string>
#include <vector>

namespace armature::internal::cli {

// `bytes` that a cell takes. Throws UsageError, which says how many cells there would be and how much memory they would take.
void require_room(const std::vector<long>& counts, double bytes, const std::string& option);

}  // namespace armature::internal::cli
