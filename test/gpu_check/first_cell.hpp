// The time from the beginning of a process to the first cell that the card computes. Each is measured in a process of its own, while no other
// has the card open: the driver starts sooner where one has.
#pragma once

#include <string>

#include "gpu_check/check.hpp"

namespace armature::internal::gpu_check {

// As a part of the page, since nothing may have opened the card before. Empty: there is no card. XDG_CACHE_HOME has to be set.
std::string time_first_cells(const Check& check);

// What such a process does; its exit status. began: ns of the monotonic clock; part: "driver", or which case of studies.
int run_first_cell(const std::string& models, const std::string& began, const std::string& part);

}  // namespace armature::internal::gpu_check
