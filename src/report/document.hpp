// The one JSON document that a page is made of: the run, what the machine looks like, where it was at each frame, and the
// recorded channels. viewer/src/document.ts reads it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "model/model.hpp"
#include "record/run_record.hpp"
#include "report/page_model.hpp"
#include "report/report_recorder.hpp"
#include "report/scene.hpp"

namespace armature::internal {

// frames: of the motion; its first decides where symbols are.
nlohmann::ordered_json to_json(const Scene& scene, const std::vector<float>& frames);
// computed: what the page is to compute with, too; null: it does not. prepared: by which singular poses are shown; null: they are not.
nlohmann::ordered_json run_document(const Model& model, const RunRecord& record, const ReportRecorder& rows,
                                    const PageRun* computed = nullptr, const Prepared* prepared = nullptr);

}  // namespace armature::internal
