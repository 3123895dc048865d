#include "run/crawl.hpp"

#include <utility>

namespace armature::internal {

bool Crawl::judge(double t, long steps, double end) {
  step_ = (t - t_) / static_cast<double>(interval);
  remaining_ = (end - t) / step_;
  t_ = t;
  next_look_ = steps + interval;
  return remaining_ > out_of_reach && !std::exchange(known_, true);
}

}  // namespace armature::internal
