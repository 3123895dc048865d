#include "couple/fmu_archive.hpp"

#include <fmt/format.h>

#include "model/file_kind.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

std::vector<FmuArchive> fmu_archives(const Model& model) {
  std::vector<FmuArchive> archives;
  for (const FmuUse& use : fmu_uses(model)) {
    std::optional<std::string> bytes = read_file(use.file);
    if (!bytes) throw RequestError(fmt::format("{}: the file cannot be read", use.file));
    archives.push_back({use, *std::move(bytes)});
  }
  return archives;
}

}  // namespace armature::internal
