// The command that runs one motion of a study by itself, with everything that the study was told.
#pragma once

#include "study_arguments.hpp"

namespace armature::internal::cli {

std::string quoted_word(const std::string& text);  // as one word of a shell

// "armature run press.yaml --set ripple=0 --rtol 1e-05": what all motions share. `names` are the study's variables.
std::string shared_command(const StudyArguments& arguments, const Model& model, const std::vector<std::string>& names);

// " --result 'peak=max(x)'": so that the run prints what the study has found.
std::string result_option(const std::string& name_and_formula);

// "--set w0=2 --set start.keep.phi=1.5": what is one motion's own.
std::string point_settings(const Model& model, const std::vector<std::string>& names, const std::vector<double>& point);

// The whole, with {name} in place of each variable's value.
std::string command_pattern(const StudyArguments& arguments, const Model& model, const std::vector<std::string>& names);

}  // namespace armature::internal::cli
