// Any bytes as the run.json that `--from` reads: a start of the model, or a sentence.
#include <fstream>

#include "fuzz/fuzz.hpp"
#include "prepare/prepare.hpp"
#include "read/reader.hpp"
#include "record/record_error.hpp"
#include "record/run_record.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace armature::internal;

// With a motor's current, a comparison and a sampled controller: all kinds of state.
constexpr const char* model = R"x(armature: 1
gravity: [0, -9.81, 0]
plane: xy
bodies: {a: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}}
joints: {hinge: {type: revolute, between: [ground, a]}}
drives: {m: {type: dc_motor, on: hinge, torque_constant: 1, resistance: 1, inductance: 1 mH, voltage: u}}
controllers: {u: {type: pd, measure: hinge, target: 1, kp: 2, sampled: {period: 10 ms}}}
forces: {f: {type: effort, on: hinge, is: "if(hinge > 0.5, 1, 0)"}}
simulate: {end: 0.05, record: 0.01}
)x";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TemporaryFolder folder;
  static const Prepared compiled = compile(read_model_text(model));
  std::ofstream(folder / "run.json", std::ios::binary) << text_of(data, size);
  try {
    const RunRecord record = read_run(folder.path());
    if (!record.last) return 0;
    Prepared prepared = compiled;
    assemble_start(prepared, restore(*record.last, prepared.system->equations()));
    require(!prepared.failure.empty() || prepared.start.x.allFinite(), "a start that is not finite");
  } catch (const RecordError& error) {
    require(*error.what() != 0, "a run is refused without a sentence");
  } catch (const ModelError& error) {
    require(!error.diagnostics().empty(), "a start is refused without a sentence");
  }
  return 0;
}
