// In what two jobs of cells differ, in the words of the command line: "--rtol was 1e-10, is 1e-5".
#pragma once

#include <string>

namespace armature::internal {

// before, now: what CellStore keeps of a job, JSON with the options and the text of the model; other texts are compared line
// by line. The first few differences; empty: there is none.
std::string job_difference(const std::string& before, const std::string& now);

}  // namespace armature::internal
