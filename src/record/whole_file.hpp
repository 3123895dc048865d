// A file that is replaced whole or not at all: it is written beside its place and then renamed. A full disk leaves the old
// file as it was.
#pragma once

#include <filesystem>
#include <string_view>

namespace armature::internal {

class WholeFile {
 public:
  explicit WholeFile(const std::filesystem::path& file);  // throws RecordError: nothing can be written there
  ~WholeFile();                                           // removes what was not put in place
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  // Where to write: a file beside the place, or the place itself where that is a device or a pipe.
  const std::filesystem::path& beside() const { return beside_; }
  void write(std::string_view text) const;  // to beside(); throws RecordError
  void put_in_place();                      // with the permissions of the old file; throws RecordError

 private:
  std::filesystem::path file_, beside_;
};

}  // namespace armature::internal
