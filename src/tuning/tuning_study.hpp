// The study of `armature tune`: gains of Baumgarte's method over a grid, and what a run with the best of them would warn of.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "observe/outcome.hpp"
#include "study/cell_session.hpp"
#include "tuning/tuning.hpp"

namespace armature::internal {

struct TuningResult {
  Tuning tuning;      // tuning.complete: false where it was stopped
  Findings findings;  // of a run with the best gains; none where it was stopped
};

// options.cells and options.threads are those of the session. Throws ModelError, RequestError where there is nothing to tune,
// ComputationError where there is no motion, and with a folder RecordError.
TuningResult tune_gains(const Model& model, TuningOptions options, CellSession& session);

// Its files: tune.json, the grids and the boundary of stability as CSV, results.h5.
nlohmann::ordered_json to_json(const TuningResult& result);
void write_files(const Tuning& tuning, const nlohmann::ordered_json& description, const std::filesystem::path& folder);

}  // namespace armature::internal
