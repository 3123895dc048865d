#include "record/results_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>  // renameat2
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>

#include "record/record_error.hpp"
#include "record/write_text.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw RecordError(fmt::format("{}: {}", path.string(), reason));
}

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
                                   KindFile{ResultKind::singularities, "singularities.json", "singularities"},
                                   KindFile{ResultKind::comparison, "compare.json", "a comparison"},
                                   KindFile{ResultKind::identification, "identify.json", "an identification"}};

const KindFile* kind_in(const fs::path& folder, const ResultList& list) {
  for (const KindFile& each : kind_files)
    if (list.contains(each.file) && fs::exists(folder / each.file)) return &each;
  return nullptr;
}

bool holds_nothing(const fs::path& folder) {
  return !fs::exists(folder) || (fs::is_directory(folder) && fs::is_empty(folder));
}

// A user's own folder, given by mistake, must not vanish in the swap, nor what another command took long to compute.
void require_replaceable(const fs::path& folder, ResultKind kind) {
  if (holds_nothing(folder)) return;
  const std::optional<ResultList> list = read_list(folder);
  if (!list)
    fail(folder, fmt::format("exists and is not a results folder: it has no list ({}) of files that Armature wrote. "
                             "Give another folder with -o, or remove this one",
                             ResultList::name));
  const KindFile* found = kind_in(folder, *list);
  if (found && found->kind != kind)
    fail(folder, fmt::format("holds {}, which this would replace; give another folder with -o, or remove that one",
                             found->words));
}

bool holds_finished_result(const fs::path& folder) {
  const std::optional<ResultList> list = read_list(folder);
  return list && list->ending == Ending::finished;
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

// DIR.partial is the program's own as soon as it has a list, empty at first.
void require_own_partial(const fs::path& partial) {
  if (!holds_nothing(partial) && !read_list(partial))
    fail(partial,
         "exists and was not made by Armature, which would write there; remove it, or give another folder with -o");
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

// What the user put into the old folder at the last moment goes to its successor, too.
void remove_replaced(const fs::path& old, const fs::path& successor) {
  if (keep_foreign_files(old, successor)) return;  // a file of the user's that has no place there: the old folder stays
  std::error_code ignored;
  fs::remove_all(old, ignored);
}

fs::path unused_name(const fs::path& folder) {
  fs::path name = folder;
  name += ".old";
  for (int k = 2; fs::exists(fs::symlink_status(name)); ++k) (name = folder) += fmt::format(".old{}", k);
  return name;
}

// Where the file system cannot exchange two names in one step: old aside, new in place, old away.
bool replace_by_steps(const fs::path& partial, const fs::path& folder) {
  const fs::path old = unused_name(folder);
  if (::rename(folder.c_str(), old.c_str()) != 0) return false;
  if (::rename(partial.c_str(), folder.c_str()) != 0) {
    const int reason = errno;
    ::rename(old.c_str(), folder.c_str());
    errno = reason;
    return false;
  }
  remove_replaced(old, folder);
  return true;
}

bool replace(const fs::path& partial, const fs::path& folder) {
  if (::rename(partial.c_str(), folder.c_str()) == 0) return true;  // there was none, or an empty one
  if (::renameat2(AT_FDCWD, partial.c_str(), AT_FDCWD, folder.c_str(), RENAME_EXCHANGE) != 0)
    return replace_by_steps(partial, folder);
  remove_replaced(partial, folder);
  return true;
}

// A link to a folder leads to the place of the results.
fs::path end_of_links(const fs::path& folder) {
  if (!fs::is_symlink(folder)) return folder;
  std::error_code error;
  const fs::path end = fs::canonical(folder, error);
  if (error) fail(folder, "is a broken link");
  return end;
}

}  // namespace

ResultsFolder::ResultsFolder(const fs::path& folder, ResultKind kind, Abandoned abandoned)
    : folder_(end_of_links(without_trailing_slash(folder))), partial_(folder_), kind_(kind) {
  partial_ += ".partial";
  if (abandoned == Abandoned::join) return;
  require_replaceable(folder_, kind);
  require_own_partial(partial_);
  if (abandoned == Abandoned::drop) remove_abandoned(partial_);
  std::error_code error;
  fs::create_directories(partial_, error);
  if (error) fail(partial_, "cannot be made: " + error.message());
  lock_ = lock_folder(partial_);
  if (lock_ < 0) fail(partial_, "another run is writing it");
  write_text(partial_ / ResultList::name, "");
}

ResultsFolder::~ResultsFolder() {
  if (lock_ < 0) return;
  std::error_code ignored;
  const fs::path list = partial_ / ResultList::name;
  const auto entries = fs::directory_iterator(partial_, ignored);
  if (std::distance(begin(entries), end(entries)) == 1 && fs::remove(list, ignored)) fs::remove(partial_, ignored);
  ::close(lock_);
}

// A result that did not come to its end leaves a finished one where it is.
void ResultsFolder::step_aside(Ending ending) {
  if (ending == Ending::finished || !holds_finished_result(folder_)) return;
  kept_ = folder_;
  folder_ += ending == Ending::failed ? ".failed" : ".stopped";
  try {
    require_replaceable(folder_, kind_);
  } catch (const RecordError& error) {
    fail(partial_, fmt::format("holds the results; {}", error.what()));
  }
}

void ResultsFolder::publish(Ending ending) {
  step_aside(ending);
  const auto refuse = [&](const std::string& reason) {
    fail(folder_, fmt::format("cannot be replaced ({}); the results are in {}", reason, partial_.string()));
  };
  try {
    write_list(partial_, ending);
    const auto covered = fs::is_directory(folder_) ? keep_foreign_files(folder_, partial_) : std::nullopt;
    if (covered) refuse(fmt::format("'{}' in it was not written by Armature; move it away", *covered));
    if (!replace(partial_, folder_)) refuse(std::strerror(errno));
  } catch (const fs::filesystem_error& error) {
    refuse(error.code().message());
  }
}

bool is_being_written(const fs::path& partial) {
  if (!fs::is_directory(partial)) return false;
  const int lock = lock_folder(partial);
  if (lock >= 0) ::close(lock);
  return lock < 0;
}

std::string folder_name(const std::string& model_name) {
  std::string name;
  for (unsigned char c : model_name) name += std::isalnum(c) || c == '-' || c == '.' || c >= 0x80 ? char(c) : '_';
  return name.empty() || name[0] == '.' ? "run" + name : name;
}

}  // namespace armature::internal
