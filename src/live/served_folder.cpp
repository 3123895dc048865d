#include "live/served_folder.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <utility>

#include "model/file_kind.hpp"
#include "record/record_error.hpp"
#include "record/whole_file.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;

constexpr int most_entries = 5000;  // that are looked at for a list

bool is_model_name(const fs::path& path) { return path.extension() == ".yaml" || path.extension() == ".yml"; }

bool inside(const fs::path& path, const fs::path& root) {
  const auto [end, _] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return end == root.end();
}

bool has_control_characters(const std::string& name) {
  return std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

// Why a name is not one of this folder, whatever lies on the disk; empty: it is.
std::string fault_of(const std::string& name) {
  const fs::path path(name);
  if (name.empty()) return "a file needs a name";
  if (has_control_characters(name)) return "the name of a file cannot contain control characters";
  if (path.is_absolute()) return fmt::format("'{}' is outside the served folder", name);
  if (name.find('\\') != std::string::npos) return fmt::format("'{}': folders are separated by /, not by \\", name);
  if (std::any_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; }))
    return fmt::format("'{}': '..' is not allowed; files outside the folder are not served", name);
  return "";
}

void replace(const fs::path& path, const std::string& text) {
  try {
    WholeFile file(path);
    file.write(text);
    file.put_in_place();
  } catch (const RecordError& error) {
    throw FolderError(500, error.what());
  }
}

}  // namespace

ServedFolder::ServedFolder(const fs::path& root) {
  std::error_code error;
  root_ = fs::canonical(root, error);
  if (error || !fs::is_directory(root_)) throw FolderError(404, fmt::format("{}: is not a folder", root.string()));
}

// Folders nearest to the root first, so that what is left out of a large tree lies deepest.
ServedFolder::Listing ServedFolder::models() const {
  Listing listing;
  std::deque<fs::path> folders{root_};
  int looked_at = 0;
  for (; !folders.empty() && listing.complete; folders.pop_front()) {
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folders.front(), ignored)) {
      if (++looked_at > most_entries) listing.complete = false;
      if (!listing.complete) break;
      const fs::path& path = entry.path();
      if (path.filename().string().starts_with(".")) continue;
      if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) folders.push_back(path);
      if (is_model_name(path) && entry.is_regular_file(ignored) && holds(path))
        listing.names.push_back(path.lexically_relative(root_).string());
    }
  }
  std::ranges::sort(listing.names, {}, [](const std::string& name) {
    return std::pair(std::ranges::count(name, '/') > 0, name);  // those of the folder itself first
  });
  return listing;
}

bool ServedFolder::holds(const fs::path& path) const {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return !error && inside(real, root_);
}

fs::path ServedFolder::place(const std::string& name) const {
  if (const std::string fault = fault_of(name); !fault.empty()) throw FolderError(403, fault);
  if (!holds(root_ / name)) throw FolderError(403, fmt::format("'{}' is outside the served folder", name));
  if (!is_model_name(name)) throw FolderError(403, fmt::format("'{}' is not a model file (.yaml)", name));
  return root_ / name;
}

ServedFolder::File ServedFolder::read(const std::string& name) const {
  const fs::path path = place(name);
  if (const std::string why = why_no_file(path, "model file"); !why.empty())
    throw FolderError(404, fmt::format("{}: {}", name, why));
  const std::string before = stamp(name);  // a change while it is read shows later
  const std::optional<std::string> text = read_file(path);
  if (!text) throw FolderError(403, fmt::format("{}: cannot be read: {}", name, std::strerror(errno)));
  return {*text, before};
}

std::string ServedFolder::stamp(const std::string& name) const {
  struct stat found {};
  if (stat(place(name).c_str(), &found) != 0) return "";
  return fmt::format("{}.{}.{}.{}", found.st_mtim.tv_sec, found.st_mtim.tv_nsec, found.st_size, found.st_ino);
}

std::string ServedFolder::write(const std::string& name, const std::string& text, const std::string& known) const {
  const fs::path path = place(name);
  std::error_code ignored;
  if (!fs::is_directory(path.parent_path(), ignored))
    throw FolderError(404, fmt::format("{}: there is no folder '{}'", name, fs::path(name).parent_path().string()));
  const std::string now = stamp(name);
  if (now != known)
    throw FolderError(409, known.empty() ? fmt::format("{}: the file already exists", name)
                           : now.empty() ? fmt::format("{}: is no longer there", name)
                                         : fmt::format("{}: has changed on disk since it was read", name));
  replace(path, text);
  return stamp(name);
}

}  // namespace armature::internal
