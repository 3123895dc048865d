// What `armature format NAME` answers: the reference of a section, a type or a key, how a machine element is modeled, the largest
// sizes of a model, or the findings of a run.
#pragma once

#include <string>

namespace armature::internal {

// Lines of any length. An empty name: all sections, in a line each, or as Markdown in full. Throws RequestError: nothing has this name.
std::string format_answer(const std::string& name, bool markdown = false);

}  // namespace armature::internal
