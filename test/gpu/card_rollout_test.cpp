// Rollouts as a card computes them, in the code of this processor, against those of the engine.
#include "gpu/card_rollout.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "model/request_error.hpp"
#include "support/host_device.hpp"
#include "support/rollout_start.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

Prepared prepared_for(Model model, const std::string& integrator, double step,
                      const std::vector<std::string>& free = {}) {
  Prepared prepared = compile(model, free);
  assemble_start(prepared);
  prepare_for_rollout(prepared, integrator, step);
  return prepared;
}

std::vector<std::uint64_t> bits_of(const std::vector<double>& numbers) {
  std::vector<std::uint64_t> bits;
  for (const double number : numbers) bits.push_back(std::bit_cast<std::uint64_t>(number));
  return bits;
}

// States along one motion, moved on by both.
void expect_same_states(const Prepared& prepared, std::vector<double> inputs, bool change, long every,
                        const MotionDevices& devices = {std::make_shared<HostDevice>(4)}) {
  constexpr long motions = 11, steps = 24;
  const std::vector<double> start = rollout_start(prepared);
  const auto nx = static_cast<long>(start.size());
  std::vector<double> states(static_cast<std::size_t>(motions * nx));
  std::vector<long> failed(motions);
  Rollout engine(prepared);
  RolloutArrays arrays{.motions = 1, .steps = motions, .states = start.data(), .every = 1};
  arrays.kept = states.data(), arrays.failed = failed.data();
  engine.run(0, arrays);

  arrays.motions = motions, arrays.steps = steps, arrays.every = every, arrays.states = states.data();
  arrays.inputs = inputs.empty() ? nullptr : inputs.data(), arrays.inputs_change = change;
  std::vector<double> here(static_cast<std::size_t>(arrays.rows() * motions * nx)), there(here.size());
  arrays.kept = here.data();
  for (long first = 0; first < motions; first += lane_count) engine.run(first, arrays);
  arrays.kept = there.data();
  const std::vector<long> left = CardRollout(prepared, devices).run(arrays, [] { return false; });
  EXPECT_TRUE(left.empty());
  EXPECT_EQ(bits_of(there), bits_of(here));
  EXPECT_NE(there.front(), states.front());
}

TEST(CardRollout, ProjectsWithTheBitsOfTheEngine) {
  expect_same_states(prepared_for(shipped("four_bar"), "rk4", 1e-3), {}, false, 0);
}

TEST(CardRollout, TakesInputsThatChangeAndKeepsStates) {
  Model model = shipped("crane");
  const Prepared prepared = prepared_for(model, "rk2", 1e-3, {"rope"});
  std::vector<double> inputs;
  for (int k = 0; k < 24 * 11; ++k) inputs.push_back(0.5 + 0.01 * (k % 17));
  expect_same_states(prepared, inputs, true, 5);
}

TEST(CardRollout, IsSharedBySeveralCards) {
  expect_same_states(
      prepared_for(shipped("four_bar"), "rk4", 1e-3), {}, false, 6,
      {std::make_shared<HostDevice>(2), std::make_shared<HostDevice>(3), std::make_shared<HostDevice>(1)});
}

TEST(CardRollout, RefusesWhatTheProcessorAloneCanRun) {
  Prepared prepared = prepared_for(shipped("four_bar"), "rk4", 1e-3);
  prepared.options.formulation = "null_space";
  EXPECT_THROW(CardRollout(prepared, {std::make_shared<HostDevice>(1)}), RequestError);
}

}  // namespace
}  // namespace armature::internal
