// Why a text is not valid YAML. The parser complains where it gives up, often on the line after the mistake and in its own words.
#pragma once

#include <optional>
#include <string>

#include "model/model.hpp"

namespace armature::internal {

struct YamlFault {
  Location where;
  std::string message;
};

// `given_up`: where the parser stopped, `complaint`: its words. Nothing: none of the usual mistakes.
std::optional<YamlFault> yaml_fault(const std::string& text, Location given_up, const std::string& complaint);

}  // namespace armature::internal
