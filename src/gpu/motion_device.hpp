// Where the motions of gpu/motions.hpp run: a card (card.hpp); or, in tests, the processor.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
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

// How hard the compiler tries. A quick compilation takes half the time or less, and its code a sixth more. both: quickly compiled code begins,
// and what a thorough compilation makes meanwhile goes on; or thoroughly compiled code alone, where the cache has it.
enum class Compilation { quick, thorough, both };

// exact: the bits of the processor. fast: multiplication and addition in one operation, and functions of the card where Armature has none
// of its own; results differ in their last digits. single: single precision, for previews; results have about four digits.
enum class Arithmetic { exact, fast, single };
// As options and results name it; empty: exact.
inline std::string name_of(Arithmetic arithmetic) {
  return arithmetic == Arithmetic::fast ? "fast" : arithmetic == Arithmetic::single ? "preview" : "";
}
// At the end of a sentence about results.
inline std::string preview_phrase(Arithmetic arithmetic) {
  return arithmetic == Arithmetic::single ? "; a preview in single precision" : "";
}

struct LoadOptions {
  Compilation compilation = Compilation::quick;
  Arithmetic arithmetic = Arithmetic::exact;
  std::function<bool()> stopped = {};  // nobody wants the program any more
  bool by_all_cores =
      false;  // they translate its functions side by side, which takes less time, and which cannot be stopped
};

class MotionDevice {
 public:
  virtual ~MotionDevice() = default;
  virtual std::string name() const = 0;
  virtual std::unique_ptr<MotionProgram> load(
      const std::string& unit, const LoadOptions& options) = 0;  // see device_code.hpp; throws Interrupted
};
using MotionDevices = std::vector<std::shared_ptr<MotionDevice>>;

// What computes motions besides the processor.
struct Cards {
  MotionDevices devices = {};
  Arithmetic arithmetic = Arithmetic::exact;
  // The processor computes motions, too: while the program for the cards is compiled, and whenever it has nothing to do for them. With exact
  // arithmetic alone, since nobody could tell otherwise what a motion was computed by.
  bool helped = true;
  std::optional<Compilation> compilation = {};  // empty: as many motions deserve
  bool empty() const { return devices.empty(); }
  bool are_helped() const { return helped && arithmetic == Arithmetic::exact; }
};

}  // namespace armature::internal
