#include "record/results_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>  // renameat2
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "record/record_error.hpp"

namespace armature {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw RecordError(fmt::format("{}: {}", path.string(), reason));
}

constexpr const char* list_name = ".armature";  // names the files of a result, one a line

// A result is known by a file of its own. A gallery has a result.json, too: it comes first.
struct KindFile {
  ResultKind kind;
  const char *file, *words;
};
constexpr std::array kind_files = {KindFile{ResultKind::gallery, "index.html", "a gallery"},
                                   KindFile{ResultKind::run, "run.json", "a run"},
                                   KindFile{ResultKind::study, "result.json", "a map, a sweep or an optimization"},
                                   KindFile{ResultKind::modes, "modes.json", "modes"},
                                   KindFile{ResultKind::tuning, "tune.json", "a tuning"},
                                   KindFile{ResultKind::singularities, "singularities.json", "singularities"}};

// The files of a result; nothing: the folder has no list.
std::optional<std::set<std::string>> listed_files(const fs::path& folder) {
  std::ifstream in(folder / list_name);
  if (!in) return {};
  std::set<std::string> names{list_name};
  for (std::string line; std::getline(in, line);) names.insert(line);
  return names;
}

const KindFile* kind_in(const fs::path& folder) {
  const auto listed = listed_files(folder);
  for (const KindFile& each : kind_files) {
    if (!listed && each.kind == ResultKind::gallery) continue;  // a page of anybody's
    if (fs::exists(folder / each.file) && (!listed || listed->contains(each.file))) return &each;
  }
  return nullptr;
}

// A user's own folder, given by mistake, must not vanish in the swap, nor what another command took long to compute.
void require_replaceable(const fs::path& folder, ResultKind kind) {
  if (!fs::exists(folder) || (fs::is_directory(folder) && fs::is_empty(folder))) return;
  const KindFile* found = fs::is_directory(folder) ? kind_in(folder) : nullptr;
  if (found && found->kind != kind)
    fail(folder, fmt::format("holds {}, which this would replace; name another folder with -o, or remove that one",
                             found->words));
  if (!found && !fs::exists(folder / list_name)) fail(folder, "exists and is not the result of a run");
}

std::vector<std::string> entries(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void write_list(const fs::path& folder) {
  std::ofstream out(folder / list_name);
  for (const std::string& name : entries(folder))
    if (name != list_name) out << name << "\n";
  out.close();
  if (!out) fail(folder / list_name, "cannot be written");
}

// What the user has put into the folder of a result lies in its successor as well. Links first, so that at no time it is
// only where a killed program leaves it.
void keep_foreign_files(const fs::path& folder, const fs::path& partial) {
  const auto ours = listed_files(folder);
  if (!ours) return;  // a folder without a list: all of it is ours
  constexpr auto options = fs::copy_options::recursive | fs::copy_options::copy_symlinks;
  for (const std::string& name : entries(folder)) {
    if (ours->contains(name) || fs::exists(partial / name)) continue;
    std::error_code error;
    fs::copy(folder / name, partial / name, options | fs::copy_options::create_hard_links, error);
    if (error) fs::copy(folder / name, partial / name, options | fs::copy_options::overwrite_existing);
  }
}

fs::path without_trailing_slash(const fs::path& folder) {
  const fs::path normal = folder.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

// Locks a folder for this process, so that two runs never write to one place; -1: another has it. The lock goes with the
// process, also when it is killed.
int lock_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  if (descriptor >= 0) ::close(descriptor);
  return -1;
}

void remove_abandoned(const fs::path& partial) {
  if (!fs::exists(partial)) return;
  const int lock = lock_folder(partial);
  if (lock < 0) fail(partial, "another run is writing it");
  std::error_code error;
  fs::remove_all(partial, error);
  ::close(lock);
  if (error) fail(partial, "cannot be removed: " + error.message());
}

// Where the file system cannot exchange two names in one step: old aside, new in place, old away.
bool replace_by_steps(const fs::path& partial, const fs::path& folder) {
  fs::path old = folder;
  old += ".old";
  std::error_code error;
  fs::remove_all(old, error);
  if (::rename(folder.c_str(), old.c_str()) != 0 || ::rename(partial.c_str(), folder.c_str()) != 0) return false;
  fs::remove_all(old, error);
  return true;
}

bool replace(const fs::path& partial, const fs::path& folder) {
  if (::rename(partial.c_str(), folder.c_str()) == 0) return true;  // there was none, or an empty one
  if (::renameat2(AT_FDCWD, partial.c_str(), AT_FDCWD, folder.c_str(), RENAME_EXCHANGE) != 0)
    return replace_by_steps(partial, folder);
  std::error_code error;
  fs::remove_all(partial, error);
  return true;
}

}  // namespace

ResultsFolder::ResultsFolder(const fs::path& folder, ResultKind kind, Abandoned abandoned)
    : folder_(without_trailing_slash(folder)), partial_(folder_) {
  partial_ += ".partial";
  if (abandoned == Abandoned::join) return;
  require_replaceable(folder_, kind);
  if (abandoned == Abandoned::drop) remove_abandoned(partial_);
  std::error_code error;
  fs::create_directories(partial_, error);
  if (error) fail(partial_, "cannot be made: " + error.message());
  lock_ = lock_folder(partial_);
  if (lock_ < 0) fail(partial_, "another run is writing it");
}

ResultsFolder::~ResultsFolder() {
  if (lock_ >= 0) ::close(lock_);
}

void ResultsFolder::publish() {
  try {
    write_list(partial_);
    if (fs::is_directory(folder_)) keep_foreign_files(folder_, partial_);
  } catch (const fs::filesystem_error& error) {
    fail(folder_, fmt::format("cannot be replaced ({}); the results are in {}", error.what(), partial_.string()));
  }
  if (!replace(partial_, folder_))
    fail(folder_,
         fmt::format("cannot be replaced ({}); the results are in {}", std::strerror(errno), partial_.string()));
}

std::string folder_name(const std::string& model_name) {
  std::string name;
  for (unsigned char c : model_name) name += std::isalnum(c) || c == '-' || c == '.' || c >= 0x80 ? char(c) : '_';
  return name.empty() || name[0] == '.' ? "run" + name : name;
}

}  // namespace armature
