// Files of a plan beside those of its run: plan.json, inputs.csv (a table for a controller) and gains.csv; and that of an excitation.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "plan/excitation.hpp"
#include "plan/planning.hpp"

namespace armature::internal {

nlohmann::ordered_json to_json(const PlanResult& result, const PlanOptions& options);

// Returns their names. Throws RecordError.
std::vector<std::string> write_files(const PlanResult& result, const PlanOptions& options,
                                     const std::filesystem::path& folder);

nlohmann::ordered_json to_json(const Excitation& excitation);
void write_excitation(const Excitation& excitation,
                      const std::filesystem::path& file);  // t and inputs; throws RecordError

}  // namespace armature::internal
