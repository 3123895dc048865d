#include "tuning/tuning_card.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expression/c_code.hpp"
#include "expression/program_inputs.hpp"
#include "gpu/device_code.hpp"
#include "model/request_error.hpp"
#include "tuning/tuning_motion.hpp"

namespace armature::internal {

extern const std::string_view tuning_motion_text;  // tuning/tuning_motion.hpp and all that it includes

namespace {

std::shared_ptr<const Program> look_program(const TuningMachine& machine) {
  return machine.prepared.system->make_program(tuning_outputs(machine));
}

// Outcomes of comparisons at a state are those of the step before it, which a card does not keep.
bool reads_comparisons(const TuningMachine& machine) {
  const Layout& n = machine.prepared.system->layout();
  const std::vector<bool> read = inputs_read(*look_program(machine));
  return std::any_of(read.begin() + n.w(), read.begin() + n.w() + n.nw, [](bool is_read) { return is_read; });
}

std::string unit_of(const TuningMachine& machine, Arithmetic arithmetic) {
  Prepared prepared = machine.prepared;
  prepared.options.alpha = prepared.options.beta = 1;  // with Baumgarte's terms; the gains are inputs
  prepared.options.projection = false;
  MotionCode code;
  code.headers = tuning_motion_text;
  code.motion = "TuningMotion";
  code.programs = device_function(*look_program(machine), "model_look");
  code.members = fmt::format(
      "  static constexpr int position_errors = {}, velocity_errors = {};\n"
      "  static void look(const double* in, double* out) {{ model_look(in, out); }}\n",
      machine.position.size(), machine.velocity.size());
  return device_code(prepared, code, arithmetic);
}

}  // namespace

std::string tuning_card_refusal(const TuningMachine& machine, Arithmetic arithmetic) {
  if (const std::string refusal = device_refusal(machine.prepared); !refusal.empty()) return refusal;
  if (const std::string foreign = foreign_function(*look_program(machine));
      !foreign.empty() && arithmetic == Arithmetic::exact)
    return foreign_refusal("the errors", foreign);
  return reads_comparisons(machine) ? "the constraints depend on comparisons" : "";
}

CardJob tuning_card_job(const TuningMachine& machine, double speed_limit, const std::vector<double>& alpha,
                        const std::vector<double>& beta, Arithmetic arithmetic) {
  const Prepared& prepared = machine.prepared;
  CardJob job;
  job.unit = unit_of(machine, arithmetic);
  job.inputs = 2, job.results = 3;
  job.count = static_cast<long>(alpha.size() * beta.size());
  job.common = {prepared.start.t, prepared.options.end, prepared.options.step, speed_limit,
                static_cast<double>(machine.references())};
  const auto append = [&](const auto& values) { job.common.insert(job.common.end(), values.begin(), values.end()); };
  append(prepared.start.x), append(prepared.start.d), append(prepared.parameters), append(machine.reference);
  const auto columns = static_cast<long>(alpha.size());
  job.start = [&alpha, &beta, columns]() -> CardStart {
    return [&alpha, &beta, columns](long index, double* inputs) {
      inputs[0] = alpha[static_cast<std::size_t>(index % columns)];
      inputs[1] = beta[static_cast<std::size_t>(index / columns)];
      return true;
    };
  };
  job.take = []() -> CardTake {
    return
        [](long, std::span<const double> results, std::span<double> row) { std::ranges::copy(results, row.begin()); };
  };
  return job;
}

}  // namespace armature::internal
