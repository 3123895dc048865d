// report.html of map, sweep and optimize.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "report/study_document.hpp"
#include "study_arguments.hpp"

namespace armature::internal::cli {

// `result` has status and sentence; the tables of the method in force come besides those of the document. False: it is left out.
bool write_study_report(const std::filesystem::path& folder, const StudyArguments& arguments, const Model& model,
                        const nlohmann::ordered_json& result, const std::function<StudyDocument()>& document);

}  // namespace armature::internal::cli
