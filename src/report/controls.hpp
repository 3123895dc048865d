// What of a model file can be turned on a page: its parameters, start values and the choices of its method, each with the
// path to its value in the file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/model.hpp"
#include "read/text_edit.hpp"

namespace armature::internal {

// A list of {group, path, name, text, kind, value, unit, whole, read, choices}. kind "slider": a number in its unit, `whole` where it counts
// something, `read` where the reader turns it into a number, such as the end of a run; "text": a formula that uses names; "choice": one of
// the choices. `model` says what is read, and the values of formulas; it may be null.
nlohmann::ordered_json controls_of(const std::string& text, const YamlNode& root, const Model* model);

// set_value, and what goes with an integrator: a step, where it takes fixed ones.
std::string turn(const std::string& text, const KeyPath& path, const std::string& value);

}  // namespace armature::internal
