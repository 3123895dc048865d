// The studies of `armature singularities`: along a motion (singular_motion.hpp), or over a grid of poses, computed in a session; and
// their files.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "singular/singular_motion.hpp"
#include "singular/workspace_map.hpp"
#include "study/cell_session.hpp"

namespace armature::internal {

// options.cells and options.threads are those of the session. Throws ModelError, RequestError for a name that does not exist,
// ComputationError where there is no start, and with a folder RecordError.
WorkspaceMap map_workspace(const Model& model, WorkspaceOptions options, CellSession& session);

std::string reach_sentence(const WorkspaceMap& map);  // "812 of 3721 poses within reach"

// singularities.json, map.csv, curves.csv, results.h5
nlohmann::ordered_json to_json(const WorkspaceMap& map);
void write_files(const WorkspaceMap& map, const nlohmann::ordered_json& description,
                 const std::filesystem::path& folder);

// singularities.json, motion.csv, results.h5
nlohmann::ordered_json to_json(const SingularMotion& motion, const std::string& model_name);
void write_files(const SingularMotion& motion, const Model& model, const std::filesystem::path& folder);

}  // namespace armature::internal
