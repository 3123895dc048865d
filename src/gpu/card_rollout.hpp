// A rollout (run/rollout.hpp) on cards, each of which takes a share of the motions. Those that meet something rare are left to the processor.
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
  // Throws RequestError for what a card cannot run.
  CardRollout(const Prepared& prepared, const MotionDevices& devices, Arithmetic arithmetic = Arithmetic::exact);

  // Fills `kept` and `failed` but for the motions that it returns: they left. stopped: nobody wants the rest.
  std::vector<long> run(const RolloutArrays& arrays, const std::function<bool()>& stopped);

 private:
  struct Range {
    long first, count;  // motions
  };
  using Stopped = std::function<bool()>;
  std::vector<long> run_range(MotionProgram& program, const RolloutArrays& arrays, Range range,
                              const Stopped& stopped) const;
  std::vector<long> run_batch(MotionProgram& program, const RolloutArrays& arrays, Range range,
                              const Stopped& stopped) const;

  const Prepared prepared_;  // without the ledger of energy, which the processor keeps
  Arithmetic arithmetic_;
  MotionDevices devices_;
  std::vector<std::unique_ptr<MotionProgram>> programs_;  // of each
};

}  // namespace armature::internal
