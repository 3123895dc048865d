// A run as run.json holds it.
#pragma once

#include "observe/outcome.hpp"
#include "prepare/prepare.hpp"
#include "read/reader.hpp"
#include "record/result_list.hpp"
#include "record/run_record.hpp"

namespace armature::internal {

std::string to_string(RunStatus status);
Ending ending_of(RunStatus status);
RunRecord describe(const Model& model, const Settings& settings, const Prepared& prepared, const Outcome& outcome);

}  // namespace armature::internal
