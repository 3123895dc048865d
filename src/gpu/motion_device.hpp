// Where the motions of gpu/motions.hpp run: a card (card.hpp); or, in tests, the processor.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "gpu/motions.hpp"

namespace armature::internal {

// A compiled unit with the memory that it works on. Whatever fails throws ComputationError.
class MotionProgram {
 public:
  virtual ~MotionProgram() = default;

  virtual long threads() const = 0;           // that run at once
  virtual std::size_t slot_size() const = 0;  // bytes a thread

  virtual void* allocate(std::size_t bytes) = 0;  // zeros
  virtual void free_all() = 0;                    // what was allocated; with the program at the latest
  virtual void put(void* to, const void* from, std::size_t bytes) = 0;
  virtual void get(void* to, const void* from, std::size_t bytes) = 0;

  // A call goes on while the processor does something else.
  virtual void start(const step::MotionCall& call) = 0;
  virtual void wait() = 0;
};

// How hard the compiler tries. A quick compilation takes half the time or less, and its code a sixth more.
enum class Compilation { quick, thorough };

class MotionDevice {
 public:
  virtual ~MotionDevice() = default;
  virtual std::string name() const = 0;
  virtual std::unique_ptr<MotionProgram> load(const std::string& unit, Compilation compilation) = 0;  // see device_code.hpp
};
using MotionDevices = std::vector<std::shared_ptr<MotionDevice>>;

}  // namespace armature::internal
