#include "live/served_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace armature {
namespace {

namespace fs = std::filesystem;

bool is_model_name(const fs::path& path) { return path.extension() == ".yaml" || path.extension() == ".yml"; }

bool inside(const fs::path& path, const fs::path& root) {
  const auto [end, _] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return end == root.end();
}

bool leads_out(const std::string& name) {
  const fs::path path(name);
  return name.empty() || path.is_absolute() || name.find('\\') != std::string::npos ||
         name.find('\0') != std::string::npos ||
         std::any_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

void write_all(int file, const std::string& text, const fs::path& path) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = ::write(file, text.data() + done, text.size() - done);
    if (wrote <= 0) throw FolderError(500, fmt::format("{}: cannot be written", path.filename().string()));
    done += static_cast<std::size_t>(wrote);
  }
}

// Beside the file, with its permissions; then in its place.
void replace(const fs::path& path, const std::string& text) {
  std::string name = (path.parent_path() / ("." + path.filename().string() + ".XXXXXX")).string();
  const int file = mkstemp(name.data());
  if (file < 0) throw FolderError(500, fmt::format("{}: cannot be written", path.filename().string()));
  try {
    struct stat old {};
    fchmod(file, stat(path.c_str(), &old) == 0 ? old.st_mode & 07777 : 0644);
    write_all(file, text, path);
    if (fsync(file) != 0 || close(file) != 0 || rename(name.c_str(), path.c_str()) != 0)
      throw FolderError(500, fmt::format("{}: cannot be written", path.filename().string()));
  } catch (...) {
    unlink(name.c_str());
    throw;
  }
}

}  // namespace

ServedFolder::ServedFolder(const fs::path& root) {
  std::error_code error;
  root_ = fs::canonical(root, error);
  if (error || !fs::is_directory(root_)) throw FolderError(404, fmt::format("{}: is not a folder", root.string()));
}

std::vector<std::string> ServedFolder::models() const {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(root_, ignored))
    if (is_model_name(entry.path()) && entry.is_regular_file(ignored) && holds(entry.path()))
      names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

bool ServedFolder::holds(const fs::path& path) const {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return !error && inside(real, root_);
}

fs::path ServedFolder::place(const std::string& name) const {
  if (leads_out(name) || !holds(root_ / name))
    throw FolderError(403, fmt::format("'{}' lies outside the folder that is served", name));
  if (!is_model_name(name)) throw FolderError(403, fmt::format("'{}' is not a model file (.yaml)", name));
  return root_ / name;
}

ServedFolder::File ServedFolder::read(const std::string& name) const {
  const fs::path path = place(name);
  std::error_code ignored;
  std::ifstream in(path, std::ios::binary);
  if (!in || !fs::is_regular_file(path, ignored))
    throw FolderError(404, fmt::format("{}: there is no such file", name));
  const std::string before = stamp(name);  // a change while it is read shows later
  std::ostringstream text;
  text << in.rdbuf();
  return {text.str(), before};
}

std::string ServedFolder::stamp(const std::string& name) const {
  struct stat found {};
  if (stat(place(name).c_str(), &found) != 0) return "";
  return fmt::format("{}.{}.{}.{}", found.st_mtim.tv_sec, found.st_mtim.tv_nsec, found.st_size, found.st_ino);
}

std::string ServedFolder::write(const std::string& name, const std::string& text, const std::string& known) const {
  const fs::path path = place(name);
  if (stamp(name) != known)
    throw FolderError(409, known.empty() ? fmt::format("{}: there is such a file already", name)
                                         : fmt::format("{}: has changed on disk since it was read", name));
  replace(path, text);
  return stamp(name);
}

}  // namespace armature
