// An identification as a page by itself: what was measured under what the model does, estimates and residuals as tables.
#pragma once

#include <string>

#include "identify/identification.hpp"
#include "report/figure.hpp"

namespace armature::internal {

// Measured and simulated curves of one record, a panel for each column.
plot::Figure identification_figure(const IdentifyResult& result, int experiment);

std::string identification_page(const IdentifyResult& result, const Model& model);

}  // namespace armature::internal
