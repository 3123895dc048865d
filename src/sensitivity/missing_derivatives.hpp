// Motions of a search that have no derivative, in which differences of motions took its place: counted by all threads.
#pragma once

#include <fmt/format.h>

#include <mutex>
#include <string>

namespace armature::internal {

class MissingDerivatives {
 public:
  void add(const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (count_++ == 0) first_ = why;
  }
  // "2 motions have no derivative, …"; empty: all have one.
  std::string sentence() const {
    const std::lock_guard lock(mutex_);
    if (count_ == 0) return {};
    return fmt::format("{} no derivative, and differences of motions took its place: {}",
                       count_ == 1 ? "one motion has" : fmt::format("{} motions have", count_), first_);
  }

 private:
  mutable std::mutex mutex_;
  long count_ = 0;
  std::string first_;
};

}  // namespace armature::internal
