#include "record/result_list.hpp"

#include <array>
#include <fstream>

#include "record/write_text.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;

// The first line of a list whose result did not come to its end.
constexpr std::array ending_lines = {"", "ended: failed", "ended: stopped"};  // in the order of Ending

bool is_folder(const fs::directory_entry& entry) { return entry.is_directory() && !entry.is_symlink(); }

void link_or_copy(const fs::path& from, const fs::path& to) {
  constexpr auto options = fs::copy_options::copy_symlinks;
  fs::create_directories(to.parent_path());
  std::error_code error;
  fs::copy(from, to, options | fs::copy_options::create_hard_links, error);
  if (error) fs::copy(from, to, options | fs::copy_options::overwrite_existing);
}

// A hard link to the same file, or a copy of it.
bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored) ||
         (fs::file_size(a, ignored) == fs::file_size(b, ignored) && read_bytes(a) == read_bytes(b));
}

}  // namespace

std::optional<ResultList> read_list(const fs::path& folder) {
  std::ifstream in(folder / ResultList::name);
  if (!in) return {};
  ResultList list{.files = {ResultList::name}};
  for (std::string line; std::getline(in, line);) {
    if (line == ending_lines[1])
      list.ending = Ending::failed;
    else if (line == ending_lines[2])
      list.ending = Ending::stopped;
    else
      list.files.insert(line);
  }
  return list;
}

void write_list(const fs::path& folder, Ending ending) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!is_folder(entry)) files.insert(entry.path().lexically_relative(folder).string());
  files.erase(ResultList::name);
  std::string text = ending_lines[static_cast<std::size_t>(ending)];
  if (!text.empty()) text += "\n";
  for (const std::string& file : files) text += file + "\n";
  write_text(folder / ResultList::name, text);
}

// Links where that is possible, so that the files are at no time only where a killed program leaves them.
std::optional<std::string> keep_foreign_files(const fs::path& folder, const fs::path& successor) {
  const ResultList ours = read_list(folder).value_or(ResultList{});
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path name = entry.path().lexically_relative(folder);
    if (ours.contains(name)) continue;
    if (is_folder(entry)) {
      if (fs::is_empty(entry.path())) fs::create_directories(successor / name);
    } else if (!fs::exists(fs::symlink_status(successor / name))) {
      link_or_copy(entry.path(), successor / name);
    } else if (!same_file(entry.path(), successor / name)) {
      return name.string();
    }
  }
  return {};
}

}  // namespace armature::internal
