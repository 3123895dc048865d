// Draws the pictures of an item into SVG files.
#pragma once

#include "gallery/experiments.hpp"
#include "gallery/verdict.hpp"

namespace armature::internal::gallery {

struct DrawnPicture {
  std::filesystem::path file;  // within the gallery's folder
  std::string title;
  bool colors = false;  // its colors are values: they stay as they are in the dark
};

// root: where the commands run, so that models can be read again. What cannot be drawn is added to the item's problems.
std::vector<DrawnPicture> draw_pictures(const Entry& entry, JudgedItem& item, const ExperimentResults& results,
                                        const std::filesystem::path& root, const std::filesystem::path& folder);

}  // namespace armature::internal::gallery
