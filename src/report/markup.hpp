// Text as it stands in HTML and SVG, between tags and in attributes.
#pragma once

#include <string>

namespace armature::internal {

std::string escaped(const std::string& text);

}  // namespace armature::internal
