#include "inspect/self_test.hpp"

#include <fmt/format.h>

#include <chrono>

#include "expression/machine_code.hpp"
#include "read/reader.hpp"
#include "record/recorder.hpp"
#include "run/simulate.hpp"

namespace armature::internal {

namespace {

// A pendulum that falls from the horizontal.
constexpr const char* test_model = R"(armature: 1
gravity: [0, -9.81, 0]
bodies: {bob: {mass: 1 kg, center: [1 m, 0, 0], inertia: {zz: 0}}}
joints: {theta: {type: revolute, axis: z, between: [ground, bob]}}
simulate: {end: 1 s, rtol: 1e-9}
)";

struct TestMotion {
  Outcome outcome;
  bool machine_code = false;
};

TestMotion run_test_motion(bool machine_code) {
  allow_machine_code(machine_code);
  Prepared prepared = compile(read_model_text(test_model, "doctor"));
  assemble_start(prepared);
  MemoryRecorder recorder;
  TestMotion motion{simulate(prepared, recorder), false};
  motion.machine_code = prepared.system->program(Kernel::acceleration)->has_machine_code(1);
  allow_machine_code(true);
  return motion;
}

std::string failure_of(const Outcome& fast, const Outcome& slow) {
  for (const Outcome* outcome : {&fast, &slow})
    if (outcome->status != RunStatus::finished) return outcome->sentence;
  if (fast.last.x != slow.last.x) return "machine code and interpreter differ";
  const double error = fast.statistics.energy_error;
  return error < 1e-6 ? "" : fmt::format("energy is off by {:g} J", error);
}

}  // namespace

SelfTest run_self_test() {
  const auto began = std::chrono::steady_clock::now();
  const TestMotion fast = run_test_motion(true), slow = run_test_motion(false);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - began;
  return {fast.machine_code, fast.outcome.statistics.energy_error, time.count(),
          failure_of(fast.outcome, slow.outcome)};
}

}  // namespace armature::internal
