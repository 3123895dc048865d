// The whole gallery: entries are read, their experiments run, their numbers judged, their pictures drawn, the page written.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "gallery/page.hpp"

namespace armature::internal::gallery {

// The folder that holds gallery/ (entries) and models/: the one given, else the nearest above `program`, or
// share/armature beside it; nothing: there is none.
std::optional<std::filesystem::path> find_root(const std::filesystem::path& given,
                                               const std::filesystem::path& program);

// Leaves only what `only` names: an entry ("rrr") or an item ("rrr/fig2"), and the experiments that it needs. False: there
// is no such thing.
bool keep_only(std::vector<Entry>& entries, const std::vector<std::string>& only);

// Files go to `folder`; entries must outlive the result.
Gallery make_gallery(const std::vector<Entry>& entries, const std::filesystem::path& root,
                     const std::filesystem::path& folder, const Launch& launch, int threads,
                     const GalleryProgress& progress = {});

}  // namespace armature::internal::gallery
