// The motion that a picture shows: that of a run, or as much of a model's as the picture needs.
#pragma once

#include <filesystem>

#include "report/motion_rows.hpp"
#include "report/pose_drawing.hpp"
#include "run/chosen_start.hpp"
#include "run/simulate.hpp"

namespace armature::internal::plot {

struct DrawnMotion {
  Model model;
  MotionRows rows;
};

// The run in a folder, with the model as it was then. Throws RecordError.
DrawnMotion motion_of_run(const std::filesystem::path& folder);

// The start of a model. Where later times, paths or reactions are to be drawn, it is simulated up to the last of the times, for paths to
// its end. Throws RequestError and ComputationError.
DrawnMotion motion_of_model(Model model, const StartChoice& start, const PoseOptions& options,
                            const Progress& progress = {});

// Times of the options, if there are none the first of the motion. Throws RequestError where one is outside of it.
std::vector<double> times_within(const MotionRows& rows, std::vector<double> times);

}  // namespace armature::internal::plot
