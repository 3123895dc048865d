// Map, sweep and optimization as pages show them.
#pragma once

#include "read/reader.hpp"
#include "report/study_document.hpp"
#include "study/map.hpp"
#include "study/optimization.hpp"
#include "study/sweep.hpp"

namespace armature::internal {

StudyDocument map_picture(const MapResult& map, const std::string& classify, const Model& model);
StudyDocument sweep_picture(const SweepResult& sweep, const Model& model);
StudyDocument optimization_picture(const OptimizationResult& result, const Model& model);

// The integrator and what goes with it.
StudyCard method_card(const SimulateOptions& options, const Settings& settings);

}  // namespace armature::internal
