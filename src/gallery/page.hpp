// The page of the gallery, index.html, and the same as JSON.
#pragma once

#include "gallery/pictures.hpp"
#include "gallery/verdict.hpp"

namespace armature::internal::gallery {

struct ShownItem {
  JudgedItem judged;
  std::vector<DrawnPicture> pictures;
};

struct ShownEntry {
  const Entry* entry;
  std::vector<ShownItem> items;
};

struct Gallery {
  std::vector<ShownEntry> entries;
  ExperimentResults results;
  double seconds = 0;

  std::map<Verdict, int> verdicts() const;
  int failures() const { return verdicts()[Verdict::failed]; }
  std::string sentence() const;  // "62 figures, tables and problems: 40 reproduced, …"
};

// folder: where it will lie, for links to what the experiments wrote.
std::string html_page(const Gallery& gallery, const std::filesystem::path& folder);
Json to_json(const Gallery& gallery);

}  // namespace armature::internal::gallery
