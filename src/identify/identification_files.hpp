// The files of `armature identify`: identify.json, the model with its new values, measured and simulated values as CSV.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "identify/identification.hpp"

namespace armature::internal {

// identify.json, less the text of the model.
nlohmann::ordered_json to_json(const IdentifyResult& result, const Model& model, const IdentifyOptions& options);

// Settings (--set) of the estimates: parameters, and start values where there is one record.
Settings settings_of(const IdentifyResult& result, const Model& model);

// The text of the model with the new values; comments and order stay. Empty: a value has no single place in the text, and why.
std::string identified_text(const IdentifyResult& result, const Model& model, const Settings& settings,
                            std::string& why);

// Returns the names of the files. Throws RecordError.
std::vector<std::string> write_files(const IdentifyResult& result, const Model& model, const IdentifyOptions& options,
                                     const std::filesystem::path& folder);

}  // namespace armature::internal
