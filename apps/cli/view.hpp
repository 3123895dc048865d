// armature view, apart from the other verbs: few files need it.
#pragma once

#include "verbs.hpp"

namespace armature::cli {

Verb add_view(CLI::App& app);

}  // namespace armature::cli
