// Numbers on their way to a card and back: doubles, or floats where it computes in single precision.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "gpu/motion_device.hpp"

namespace armature::internal {

class NumberTransfer {
 public:
  NumberTransfer(MotionProgram& program, Arithmetic arithmetic)
      : program_(program), single_(arithmetic == Arithmetic::single) {}

  std::size_t size() const { return single_ ? sizeof(float) : sizeof(double); }  // of a number there
  // Where the k-th number of an array lies there.
  void* at(void* array, std::size_t k) const { return static_cast<char*>(array) + k * size(); }
  void put(void* to, const double* from, std::size_t count) {
    if (!single_) return program_.put(to, from, count * size());
    numbers_.assign(from, from + count);
    program_.put(to, numbers_.data(), count * size());
  }
  void get(double* to, const void* from, std::size_t count) {
    if (!single_) return program_.get(to, from, count * size());
    numbers_.resize(count);
    program_.get(numbers_.data(), from, count * size());
    std::copy(numbers_.begin(), numbers_.end(), to);
  }

 private:
  MotionProgram& program_;
  bool single_;
  std::vector<float> numbers_;
};

}  // namespace armature::internal
