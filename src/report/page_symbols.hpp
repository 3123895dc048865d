// The display list of a machine as a page carries it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "report/scene.hpp"

namespace armature::internal::plot {

// Decided at the first of these frames; how far sliders go is of all.
nlohmann::ordered_json page_symbols(const Scene& scene, const std::vector<float>& frames);

}  // namespace armature::internal::plot
