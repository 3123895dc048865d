// Tuning on a card: its runs as motions of gpu/motions.hpp, with the numbers of TuningRun.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "study/card_cells.hpp"
#include "tuning/tuning_run.hpp"

namespace armature::internal {

// Why a card cannot run it, in a sentence; empty: it can.
std::string tuning_card_refusal(const TuningMachine& machine, Arithmetic arithmetic);

// Cells of the grid, alpha fastest, as TuningLanes has them. The arrays must outlive it. Throws RequestError for what a card cannot run.
CardJob tuning_card_job(const TuningMachine& machine, double speed_limit, const std::vector<double>& alpha,
                        const std::vector<double>& beta, Arithmetic arithmetic);

}  // namespace armature::internal
