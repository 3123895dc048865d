// The document of the page of `armature modes`: the state that the motion is linearized about, its vibrations as pictures of the machine over one
// period, and the linear system. viewer/src/modes/document.ts reads it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/model.hpp"
#include "modes/modes_study.hpp"
#include "read/reader.hpp"

namespace armature::internal {

nlohmann::ordered_json modes_document(const Model& model, const Settings& settings, const ModesResult& result);

}  // namespace armature::internal
