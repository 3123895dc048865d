// armature export FILE --fmu.
#pragma once

#include <string>

#include "model_arguments.hpp"

namespace armature::internal::cli {

// version: "2.0" or "3.0". output: of the archive; empty: the name of the model file.
int write_fmu(const ModelArguments& model, const std::string& version, const std::string& output);

}  // namespace armature::internal::cli
