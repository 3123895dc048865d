// Tables and texts as an HDF5 file, with the same bytes whenever it is written (no times of creation inside).
//
// The HDF5 library is loaded when the first file is written: it brings some thirty others along, for which a plain run
// should not have to wait. Where it is not installed, nothing is written: every number also goes into a CSV file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace armature::internal {

// Why no HDF5 file can be written here; empty if one can.
const std::string& hdf5_obstacle();

class Hdf5File {
 public:
  explicit Hdf5File(const std::filesystem::path& path);  // throws RecordError
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  void write(const std::string& name, const std::string& text);  // one string
  // A table of `columns` columns, row by row; 1: a list.
  void write(const std::string& name, std::span<const double> values, int columns = 1);
  void close();  // throws RecordError if something could not be written

 private:
  void write(const std::string& name, std::int64_t type, const std::vector<std::uint64_t>& sizes, const void* data);

  std::string path_;
  std::int64_t file_ = -1;  // also where there is no library
  bool failed_ = false;
};

}  // namespace armature::internal
