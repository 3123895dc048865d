#include "trust.hpp"

#include <fmt/format.h>

#include "couple/trusted.hpp"
#include "errors.hpp"
#include "read/fmu_uses.hpp"
#include "terminal.hpp"

namespace armature::internal::cli {

void require_trust(const Model& model, const std::vector<FmuArchive>& fmus, bool trust) {
  internal::require_trust(model.file, fmus, trust, "add --trust");
  // on stderr: stdout may be JSON
  for (const auto& [use, bytes] : fmus)
    if (!quiet())
      fmt::print(stderr, "{}\n", fitted(fmt::format("{} runs code of its own (fmus.{})", use.file, use.name), stderr));
}

void refuse_fmus(const Model& model) {
  if (!fmu_uses(model).empty())
    throw UsageError(
        fmt::format("{}: fmus: only 'armature run' couples FMUs; this verb computes many motions", model.file));
}

}  // namespace armature::internal::cli
