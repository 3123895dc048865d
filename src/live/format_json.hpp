// The reference of the file format for pages and editors: what may be written where, and what it means.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace armature::internal {

// [{name, what, keys: [{name, what, value, words}]}], in the order of the reference.
nlohmann::ordered_json format_json();

}  // namespace armature::internal
