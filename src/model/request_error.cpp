#include "model/request_error.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expression/lower.hpp"
#include "model/diagnostics.hpp"

namespace armature::internal {

void require_known(const std::string& name, const std::vector<std::string>& names, const std::string& kind) {
  if (std::ranges::find(names, name) != names.end()) return;
  const auto nearest = nearest_name(name, names);
  throw RequestError(nearest ? fmt::format("unknown {} '{}' (did you mean '{}'?)", kind, name, *nearest)
                             : fmt::format("unknown {} '{}'; expected {}", kind, name, one_of(names)));
}

}  // namespace armature::internal
