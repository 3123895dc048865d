// Settings (--set) written into the text of a model file: reading that text gives the model that the settings give.
#pragma once

#include <string>

#include "read/reader.hpp"

namespace armature::internal {

// Comments, order and spaces stay as they are. Throws EditError (read/text_edit.hpp) for a value that has no single place in the text.
std::string with_settings(std::string text, const Settings& settings);

}  // namespace armature::internal
