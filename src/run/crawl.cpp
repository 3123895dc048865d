#include "run/crawl.hpp"

#include <utility>

namespace armature::internal {

bool Crawl::judge(double t, long steps, double end, bool is_pause) {
  step_ = (t - t_) / static_cast<double>(interval);
  end_ = end;
  remaining_ = (end - t) / step_;
  t_ = t;
  next_look_ = steps + interval;
  return remaining_ > (is_pause ? pause_out_of_reach : out_of_reach) && !std::exchange(known_, true);
}

}  // namespace armature::internal
