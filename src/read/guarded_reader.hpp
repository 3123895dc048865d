// Reads a model from a text of somebody else's: which files it may name is asked of the caller.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "model/model.hpp"

namespace armature::internal {

using MayRead = std::function<bool(const std::filesystem::path& file)>;

// As read_model_text (reader.hpp). A table or a mesh that may not be read is reported with its place.
Model read_guarded_text(const std::string& text, const std::string& file, const MayRead& may_read);

}  // namespace armature::internal
