#include "live/dropped_file.hpp"

#include <fmt/format.h>

#include "import/import.hpp"
#include "model/model.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;

constexpr int bad_request = 400;

// Letters of the name that a file of the folder can have; folders of the computer from which it came are left out.
std::string stem_of(const std::string& name) {
  const std::string stem = fs::path(name).filename().stem().string();
  return stem.empty() || stem.starts_with('.') ? "dropped" : stem;
}

// "five_bar.yaml", or "five_bar_2.yaml" where the folder has one of that name.
std::string free_name(const std::string& stem, const ServedFolder& folder) {
  std::string name = stem + ".yaml";
  for (int k = 2; !folder.stamp(name).empty(); ++k) name = fmt::format("{}_{}.yaml", stem, k);
  return name;
}

ImportedModel imported_from(const std::string& name, const std::string& text, const ServedFolder& folder) {
  ImportOptions options;
  options.root = folder.root().string();
  options.may_read = [&folder](const fs::path& path) { return folder.holds(path); };
  try {
    return import_robot(text, (folder.root() / fs::path(name).filename()).string(), options);
  } catch (const ModelError& error) {
    throw FolderError(bad_request, error.about(name).what());  // without the folders above
  }
}

}  // namespace

DroppedFile dropped_file(const std::string& name, const std::string& text, const ServedFolder& folder) {
  if (text.find('\0') != std::string::npos)
    throw FolderError(
        bad_request,
        fmt::format("{}: this is not a text; drop a model file (.yaml) or a robot (URDF, SDFormat, MJCF)", name));
  DroppedFile dropped;
  dropped.name = free_name(stem_of(name), folder);
  if (!is_xml(text)) {
    dropped.text = text;
    return dropped;
  }
  ImportedModel imported = imported_from(name, text, folder);
  dropped.text = std::move(imported.text), dropped.format = std::move(imported.format);
  dropped.loops = std::move(imported.loops), dropped.not_taken = std::move(imported.not_taken);
  return dropped;
}

}  // namespace armature::internal
