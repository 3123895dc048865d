// report.html of the verbs that run many motions.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "report/study_document.hpp"
#include "study_arguments.hpp"

namespace armature::internal::cli {

// Sizes of the cells of a grid: those of the grid itself, then halved level by level.
std::vector<StudyLevel> grid_levels(const std::vector<Axis>& axes, int finest);

// `result` has status and sentence; the tables of the method in force come besides those of the document.
bool write_study_report(const std::filesystem::path& folder, const StudyArguments& arguments, const Model& model,
                        const nlohmann::ordered_json& result, const std::function<StudyDocument()>& document);

// The integrator and what goes with it.
StudyCard method_card(const SimulateOptions& options, const Settings& settings);

}  // namespace armature::internal::cli
