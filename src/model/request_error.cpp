#include "model/request_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "expression/lower.hpp"

namespace armature::internal {

void require_known(const std::string& name, const std::vector<std::string>& names, const std::string& kind) {
  if (std::ranges::find(names, name) != names.end()) return;
  const auto nearest = nearest_name(name, names);
  throw RequestError(nearest ? fmt::format("unknown {} '{}' (did you mean '{}'?)", kind, name, *nearest)
                             : fmt::format("unknown {} '{}'; there are {}", kind, name, fmt::join(names, ", ")));
}

}  // namespace armature::internal
