// What is finished of a computation that somebody stops: as much as a moment is enough for.
#pragma once

#include <chrono>
#include <optional>

#include "expression/interruption.hpp"

namespace armature::internal {

class LastMoment {
 public:
  // Asked again and again while there is more to finish. The moment begins where the computation is seen to be stopped.
  bool is_over() {
    constexpr std::chrono::milliseconds moment{50};
    if (!interrupted()) return false;
    const auto now = std::chrono::steady_clock::now();
    if (!stopped_) stopped_ = now;
    return now - *stopped_ > moment;
  }

 private:
  std::optional<std::chrono::steady_clock::time_point> stopped_;
};

}  // namespace armature::internal
