#include "gallery/gallery.hpp"
#include "record/json_text.hpp"
#include "record/write_text.hpp"

#include <algorithm>
#include <chrono>
#include <set>

namespace armature::internal::gallery {
namespace {

namespace fs = std::filesystem;

bool holds_gallery(const fs::path& folder) {
  return fs::is_directory(folder / "gallery") && fs::is_directory(folder / "models");
}

std::set<std::string> used_experiments(const std::vector<Item>& items) {
  std::set<std::string> used;
  for (const Item& item : items) {
    used.insert(item.animation);
    for (const Number& number : item.numbers) used.insert(number.of), used.insert(number.other);
    for (const Picture& picture : item.pictures) used.insert(picture.of.begin(), picture.of.end());
  }
  return used;
}

}  // namespace

std::optional<fs::path> find_root(const fs::path& given, const fs::path& program) {
  if (!given.empty()) return holds_gallery(given) ? std::optional(given) : std::nullopt;
  for (fs::path folder = program.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    if (holds_gallery(folder)) return folder;
    if (holds_gallery(folder / "share" / "armature")) return folder / "share" / "armature";
  }
  return {};
}

bool keep_only(std::vector<Entry>& entries, const std::vector<std::string>& only) {
  if (only.empty()) return true;
  std::set<std::string> found;
  const auto wanted = [&](const std::string& name) {
    const bool named = std::ranges::find(only, name) != only.end();
    if (named) found.insert(name);
    return named;
  };
  for (Entry& entry : entries) {
    if (wanted(entry.name)) continue;
    std::erase_if(entry.items, [&](const Item& item) { return !wanted(entry.name + "/" + item.name); });
    const auto used = used_experiments(entry.items);
    std::erase_if(entry.experiments, [&](const Experiment& each) { return !used.contains(each.name); });
  }
  std::erase_if(entries, [](const Entry& entry) { return entry.items.empty(); });
  return std::ranges::all_of(only, [&](const std::string& name) { return found.contains(name); });
}

Gallery make_gallery(const std::vector<Entry>& entries, const fs::path& root, const fs::path& folder,
                     const Launch& launch, int threads, const GalleryProgress& progress) {
  const auto began = std::chrono::steady_clock::now();
  Gallery gallery;
  gallery.results = run_experiments(entries, folder, launch, threads, progress);
  for (const Entry& entry : entries) {
    ShownEntry shown{&entry, {}};
    for (const Item& item : entry.items) {
      ShownItem each{judge(entry, item, gallery.results), {}};
      each.pictures = draw_pictures(entry, each.judged, gallery.results, root, folder);
      shown.items.push_back(std::move(each));
    }
    gallery.entries.push_back(std::move(shown));
  }
  gallery.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  write_text(folder / "index.html", html_page(gallery, folder));
  write_text(folder / "result.json", json_text(to_json(gallery)) + "\n");
  return gallery;
}

}  // namespace armature::internal::gallery
