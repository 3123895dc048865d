// What a report computes with: the model as a WebAssembly module, the tables of step/page_table.hpp, and the values that can be changed.
// viewer/src/compute/model.ts reads it; docs/design/015-a-report-that-computes.md explains it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "model/model.hpp"
#include "prepare/prepare.hpp"
#include "record/recorder.hpp"
#include "report/scene.hpp"

namespace armature::internal {

// {refused: a sentence} where a page cannot compute this model; null where the program was built without the page's kernel. steps: that the
// run took; channels: that it recorded.
nlohmann::ordered_json page_model(const Model& model, const Prepared& prepared, long steps, const Scene& scene,
                                  const std::vector<Channel>& channels);

}  // namespace armature::internal
