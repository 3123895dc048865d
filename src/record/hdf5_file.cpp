#include "record/hdf5_file.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <hdf5.h>

#include "record/record_error.hpp"

namespace armature::internal {

namespace {

// The part of the library that is used. The headers' own macros would link it.
struct Library {
  void* handle = ::dlopen(ARMATURE_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  std::string obstacle = handle ? "" : fmt::format("the HDF5 library could not be loaded: {}", ::dlerror());

  template <class Symbol>
  Symbol* find(const char* name) {
    void* symbol = handle ? ::dlsym(handle, name) : nullptr;
    if (!symbol && obstacle.empty()) obstacle = fmt::format("{} lacks {}", ARMATURE_HDF5_LIBRARY, name);
    return reinterpret_cast<Symbol*>(symbol);
  }
#define ARMATURE_HDF5(name) \
  decltype(::name)* name = find<decltype(::name)>(#name)  // NOLINT(bugprone-macro-parentheses): a name
  ARMATURE_HDF5(H5open);
  ARMATURE_HDF5(H5Eset_auto2);
  ARMATURE_HDF5(H5Fcreate);
  ARMATURE_HDF5(H5Fclose);
  ARMATURE_HDF5(H5Screate_simple);
  ARMATURE_HDF5(H5Sclose);
  ARMATURE_HDF5(H5Pcreate);
  ARMATURE_HDF5(H5Pset_obj_track_times);
  ARMATURE_HDF5(H5Pclose);
  ARMATURE_HDF5(H5Dcreate2);
  ARMATURE_HDF5(H5Dwrite);
  ARMATURE_HDF5(H5Dclose);
  ARMATURE_HDF5(H5Tcopy);
  ARMATURE_HDF5(H5Tset_size);
  ARMATURE_HDF5(H5Tset_cset);
  ARMATURE_HDF5(H5Tclose);
#undef ARMATURE_HDF5
  hid_t* text_type = find<hid_t>("H5T_C_S1_g");
  hid_t* number_type = find<hid_t>("H5T_NATIVE_DOUBLE_g");
  hid_t* creation_properties = find<hid_t>("H5P_CLS_DATASET_CREATE_ID_g");
};

const Library& hdf5() {
  static const Library library;
  return library;
}

constexpr unsigned truncate = 2;  // H5F_ACC_TRUNC

}  // namespace

const std::string& hdf5_obstacle() { return hdf5().obstacle; }

Hdf5File::Hdf5File(const std::filesystem::path& path) : path_(path.string()) {
  if (!hdf5_obstacle().empty()) return;
  hdf5().H5open();
  hdf5().H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // we report errors ourselves
  file_ = hdf5().H5Fcreate(path_.c_str(), truncate, H5P_DEFAULT, H5P_DEFAULT);
  if (file_ < 0) throw RecordError(fmt::format("{}: cannot be written", path_));
}

Hdf5File::~Hdf5File() {
  if (file_ >= 0) hdf5().H5Fclose(file_);
}

void Hdf5File::write(const std::string& name, const std::string& text) {
  if (file_ < 0) return;
  const hid_t type = hdf5().H5Tcopy(*hdf5().text_type);
  hdf5().H5Tset_size(type, text.size() + 1);
  hdf5().H5Tset_cset(type, H5T_CSET_UTF8);
  write(name, type, {1}, text.c_str());
  hdf5().H5Tclose(type);
}

void Hdf5File::write(const std::string& name, std::span<const double> values, int columns) {
  std::vector<std::uint64_t> sizes{values.size()};
  if (columns != 1) sizes = {values.size() / static_cast<unsigned>(columns), static_cast<std::uint64_t>(columns)};
  if (file_ >= 0) write(name, *hdf5().number_type, sizes, values.data());
}

void Hdf5File::write(const std::string& name, std::int64_t type, const std::vector<std::uint64_t>& sizes,
                     const void* data) {
  const Library& h5 = hdf5();
  const std::vector<hsize_t> extents(sizes.begin(), sizes.end());
  const hid_t space = h5.H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
  const hid_t properties = h5.H5Pcreate(*h5.creation_properties);
  h5.H5Pset_obj_track_times(properties, false);
  const hid_t set = h5.H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  failed_ = failed_ || set < 0 || h5.H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0;
  if (set >= 0) h5.H5Dclose(set);
  h5.H5Pclose(properties);
  h5.H5Sclose(space);
}

void Hdf5File::close() {
  if (file_ < 0) return;
  failed_ = hdf5().H5Fclose(file_) < 0 || failed_;
  file_ = -1;
  if (failed_) throw RecordError(fmt::format("{}: cannot be written", path_));
}

}  // namespace armature::internal
