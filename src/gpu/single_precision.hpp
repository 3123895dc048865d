// Device code in single precision, for previews: the same text with float in place of double. Numbers that a card is given and gives are
// floats then, too (number_transfer.hpp).
#pragma once

#include <string>
#include <string_view>

namespace armature::internal {

// `double` becomes `float`, 1.5 becomes 1.5f; what a float cannot hold becomes zero or INFINITY. Whole numbers stay as they are.
std::string in_single_precision(std::string_view code);

}  // namespace armature::internal
