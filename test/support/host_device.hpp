// A device of gpu/motion_device.hpp without a card: the unit that a card would get, compiled by the C++ compiler, and its threads one
// after the other.
#pragma once

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "gpu/motion_device.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {

class HostProgram final : public MotionProgram {
 public:
  HostProgram(const std::string& unit, long threads) : threads_(threads) {
    std::ofstream(folder_ / "unit.cpp") << unit;
    // no unique symbols: units in double and in single precision have tableaus of the same name
    const std::string command =
        "cd '" + folder_.path().string() +
        "' && c++ -std=c++20 -O1 -fPIC -shared -fno-gnu-unique -ffp-contract=off -Wall -Wno-unused-function "
        "-Werror unit.cpp -o unit.so";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("the unit does not compile");
    library_ = ::dlopen((folder_ / "unit.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw std::runtime_error(::dlerror());
    run_ = reinterpret_cast<Run*>(::dlsym(library_, "armature_motions"));
    slot_size_ = *static_cast<const unsigned long long*>(::dlsym(library_, "armature_slot_size"));
  }
  ~HostProgram() override {
    free_all();
    ::dlclose(library_);
  }

  long threads() const override { return threads_; }
  std::size_t slot_size() const override { return static_cast<std::size_t>(slot_size_); }
  void* allocate(std::size_t bytes) override { return memory_.emplace_back(std::calloc(bytes, 1)); }
  void free_all() override {
    for (void* memory : memory_) std::free(memory);
    memory_.clear();
  }
  void put(void* to, const void* from, std::size_t bytes) override { copy(to, from, bytes); }
  void get(void* to, const void* from, std::size_t bytes) override { copy(to, from, bytes); }
  void start(const step::MotionCall& call) override {
    for (long thread = 0; thread < threads_; ++thread) run_(&call, thread);
  }
  void wait() override {}

 private:
  using Run = void(const step::MotionCall*, long long);
  static void copy(void* to, const void* from, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }

  TemporaryFolder folder_;
  long threads_;
  void* library_ = nullptr;
  Run* run_ = nullptr;
  unsigned long long slot_size_ = 0;
  std::vector<void*> memory_;
};

class HostDevice final : public MotionDevice {
 public:
  explicit HostDevice(long threads) : threads_(threads) {}
  std::string name() const override { return "this processor"; }
  std::unique_ptr<MotionProgram> load(const std::string& unit, const LoadOptions&) override {
    return std::make_unique<HostProgram>(unit, threads_);
  }

 private:
  long threads_;
};

}  // namespace armature::internal
