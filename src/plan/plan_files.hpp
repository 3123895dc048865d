// Files of a plan beside those of its run: plan.json, inputs.csv (a table for a controller) and gains.csv.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "plan/planning.hpp"

namespace armature::internal {

nlohmann::ordered_json to_json(const PlanResult& result, const PlanOptions& options);

// Returns their names. Throws RecordError.
std::vector<std::string> write_files(const PlanResult& result, const PlanOptions& options, const std::filesystem::path& folder);

}  // namespace armature::internal
