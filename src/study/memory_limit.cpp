#include "study/memory_limit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <array>

#include "model/request_error.hpp"

namespace armature::internal {

namespace {

// Half of what the machine has: the rest is for the report, and for others.
double allowed_bytes() {
  return 0.5 * static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string bytes_in_words(double bytes) {
  constexpr std::array units{"kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t k = 0;
  for (bytes /= 1e3; bytes >= 999.5 && k + 1 < units.size(); ++k) bytes /= 1e3;
  return fmt::format("{:.3g} {}", bytes, units[k]);
}

}  // namespace

void require_memory(const std::vector<long>& counts, double bytes, const std::string& option) {
  double cells = 1;
  for (const long count : counts) cells *= static_cast<double>(count);
  if (cells * bytes <= allowed_bytes()) return;
  throw RequestError(
      option,
      fmt::format(
          "{} = {:.6g} cells would need about {} of memory, more than half of this machine's ({}); take fewer values",
          fmt::join(counts, " x "), cells, bytes_in_words(cells * bytes), bytes_in_words(allowed_bytes())));
}

}  // namespace armature::internal
