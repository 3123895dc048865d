// The motions of a study at many points, as cells: several at once in each thread where the model allows it, else one after
// the other. The numbers are the same.
#pragma once

#include <functional>

#include "step/lanes.hpp"
#include "study/cells.hpp"
#include "study/design.hpp"
#include "study/study.hpp"

namespace armature::internal {

// Writes the numbers of a motion that ended with this status; not asked for one that was stopped.
using MotionNumbers = std::function<void(const StudyRun& run, MotionStatus status, std::span<double> result)>;

// All but the last two are kept by reference. lanes: motions at once in a thread, 1 to 8.
CellJob study_cells(const Study& study, const Classes* classes, const Points& points, int width,
                    const MotionNumbers& numbers, int lanes = lane_count);

}  // namespace armature::internal
