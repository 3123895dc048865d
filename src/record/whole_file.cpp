#include "record/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "record/record_error.hpp"
#include "record/write_text.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, int reason) {
  throw RecordError(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(reason)));
}

// A link stays a link: what it leads to is replaced.
fs::path where_links_lead(const fs::path& file) {
  std::error_code error;
  const fs::path end = fs::is_symlink(file, error) ? fs::canonical(file, error) : file;
  return error ? file : end;
}

mode_t usual_permissions() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

WholeFile::WholeFile(const fs::path& file) : file_(where_links_lead(file)) {
  struct stat old {};
  const bool exists = stat(file_.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) fail(file_, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) {
    beside_ = file_;
    return;
  }
  if (exists && access(file_.c_str(), W_OK) != 0) fail(file_, errno);
  std::string name = (file_.parent_path() / fmt::format(".{}.XXXXXX", file_.filename().string())).string();
  const int descriptor = mkstemp(name.data());  // puts letters in place of the X
  if (descriptor < 0) fail(file_, errno);
  fchmod(descriptor, exists ? old.st_mode & 07777 : usual_permissions());
  close(descriptor);
  beside_ = name;
}

WholeFile::~WholeFile() {
  if (beside_ != file_) unlink(beside_.c_str());
}

void WholeFile::write(std::string_view text) const {
  if (!try_write_text(beside_, text)) fail(file_, errno);
}

// The bytes reach the disk before the name does: a power cut leaves the old file or the new one.
void WholeFile::put_in_place() {
  if (beside_ == file_) return;
  const int descriptor = open(beside_.c_str(), O_RDONLY | O_CLOEXEC);
  const bool stored = descriptor >= 0 && fsync(descriptor) == 0;
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  if (!stored) fail(file_, reason);
  if (rename(beside_.c_str(), file_.c_str()) != 0) fail(file_, errno);
  beside_ = file_;
}

}  // namespace armature::internal
