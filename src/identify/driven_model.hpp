// A model whose inputs follow a record: columns with the name of an input drive it, as tables of time with straight lines between the values.
#pragma once

#include <string>
#include <vector>

#include "identify/measured_record.hpp"
#include "model/finding.hpp"
#include "model/model.hpp"

namespace armature::internal {

// inputs: gets the names of the columns that drive the model. Throws RequestError.
Model driven_by(const Model& model, const MeasuredRecord& record, std::vector<std::string>& inputs);

// The same for a record of inputs alone: throws RequestError where a column is no input of the model, or none is there.
Model driven_by_inputs(const Model& model, const MeasuredRecord& record);

// Warnings for a motion from `start` to `end`: inputs that the record gives for a part of it only. Beyond that part they keep their first and last
// values. A model that no record drives has none.
Findings held_inputs(const Model& driven, double start, double end);

}  // namespace armature::internal
