#include "prepare/beam_errors.hpp"

namespace armature::internal {

std::vector<std::string> BeamErrors::warnings() const {
  std::vector<std::string> sentences = slopes_.warnings();
  for (std::string& sentence : curvatures_.warnings()) sentences.push_back(std::move(sentence));
  return sentences;
}

}  // namespace armature::internal
