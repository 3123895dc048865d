// The singular poses of a run in its page: what can move there, as arrows at bodies and joints.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "prepare/prepare.hpp"
#include "record/run_record.hpp"
#include "report/report_recorder.hpp"
#include "report/scene.hpp"

namespace armature::internal {

// A list of {t, kind, ways}: at each located zero of a determinant under `record`, as far as the pose there is singular, and at the other
// singular poses that the drawn frames start from or pass. ways: three numbers for the center of each body, then for the place of each
// joint, the longest of them of length one. An empty list: there are none.
nlohmann::ordered_json free_motions(const Model& model, const Prepared& prepared, const Scene& scene,
                                    const RunRecord& record, const ReportRecorder& rows);

}  // namespace armature::internal
