// A rollout (run/rollout.hpp) on a card. Motions that meet something rare are left to the processor.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "gpu/motion_device.hpp"
#include "prepare/prepare.hpp"
#include "run/rollout.hpp"

namespace armature::internal {

class CardRollout {
 public:
  // prepared outlives it. Throws RequestError for what a card cannot run.
  CardRollout(const Prepared& prepared, std::shared_ptr<MotionDevice> device);

  // Fills `kept` and `failed` but for the motions that it returns: they left. stopped: nobody wants the rest.
  std::vector<long> run(const RolloutArrays& arrays, const std::function<bool()>& stopped);

 private:
  std::vector<long> run_batch(const RolloutArrays& arrays, long first, long count, const std::function<bool()>& stopped);

  const Prepared& prepared_;
  std::shared_ptr<MotionDevice> device_;
  std::unique_ptr<MotionProgram> program_;
};

}  // namespace armature::internal
