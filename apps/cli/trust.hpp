// Whether the FMUs of a model may run: they are code of somebody else's.
#pragma once

#include "couple/fmu_archive.hpp"

namespace armature::internal::cli {

// Says which FMUs run their own code. Throws UsageError where one of them has not been trusted on this computer before and --trust is
// not given; with it, they are from now on.
void require_trust(const Model& model, const std::vector<FmuArchive>& fmus, bool trust);

// For verbs that compute many motions: an FMU takes part in one. Throws UsageError.
void refuse_fmus(const Model& model);

}  // namespace armature::internal::cli
