#include "run/describe.hpp"

#include "record/version.hpp"

namespace armature::internal {
namespace {

std::vector<std::string> stabilization_names(const RunOptions& options) {
  std::vector<std::string> names;
  if (options.projection) names.emplace_back("projection");
  if (options.alpha != 0 || options.beta != 0) names.emplace_back("baumgarte");
  if (options.post_adjust) names.emplace_back("post_adjust");
  return names;
}

RunRecord::Numbers option_numbers(const RunOptions& options) {
  RunRecord::Numbers numbers = {{"end", options.end},   {"record", options.record}, {"step", options.step},
                                {"rtol", options.rtol}, {"alpha", options.alpha},   {"beta", options.beta}};
  if (options.max_step > 0) numbers.emplace_back("max_step", options.max_step);
  if (options.post_adjust) {
    numbers.emplace_back("post_adjust_weight", options.post_adjust->weight);
    numbers.emplace_back("post_adjust_penalty", options.post_adjust->penalty);
    numbers.emplace_back("post_adjust_tolerance", options.post_adjust->tolerance);
    numbers.emplace_back("post_adjust_iterations", options.post_adjust->iterations);
  }
  return numbers;
}

RunRecord::Numbers statistics_numbers(const RunStatistics& statistics) {
  const IntegratorStatistics& integrator = statistics.integrator;
  return {{"steps", double(integrator.steps)},
          {"rejected", double(integrator.rejected)},
          {"evaluations", double(integrator.evaluations)},
          {"jacobians", double(integrator.jacobians)},
          {"projections", double(integrator.projections)},
          {"smallest_step", integrator.smallest_step},
          {"largest_step", integrator.largest_step},
          {"rows", double(statistics.rows)},
          {"constraints", double(statistics.constraints)},
          {"smallest_rank", double(std::max(0, statistics.smallest_rank))},
          {"near_singular", double(statistics.near_singular)},
          {"position_error", statistics.position_error},
          {"velocity_error", statistics.velocity_error},
          {"constraint_share", statistics.gap.share},
          {"energy_error", statistics.energy_error},
          {"energy_size", statistics.energy_size},
          {"seconds", statistics.seconds}};
}

void describe_options(const RunOptions& options, const Equations& equations, RunRecord& record) {
  record.integrator = options.integrator;
  record.formulation = options.formulation;
  record.stabilization = stabilization_names(options);
  record.options = option_numbers(options);
  int entry = 0;
  const auto next = [&] { return entry < options.atol.size() ? options.atol[entry++] : 0.0; };
  for (const Coordinate& q : equations.positions) record.atol_q.emplace_back(q.name, next());
  for (const Coordinate& v : equations.velocities) record.atol_v.emplace_back(v.name, next());
  for (const Coordinate& z : equations.others)
    if (z.kind != Coordinate::Kind::reference) record.atol_z.emplace_back(z.name, next());
}

}  // namespace

Ending ending_of(RunStatus status) {
  switch (status) {
    case RunStatus::finished: return Ending::finished;
    case RunStatus::stopped: return Ending::stopped;
    case RunStatus::failed: break;
  }
  return Ending::failed;
}

std::string to_string(RunStatus status) {
  switch (status) {
    case RunStatus::finished: return "finished";
    case RunStatus::stopped: return "stopped";
    case RunStatus::failed: break;
  }
  return "failed";
}

RunRecord describe(const Model& model, const Settings& settings, const Prepared& prepared, const Outcome& outcome) {
  const Equations& equations = prepared.system->equations();
  RunRecord record;
  record.version = version();
  record.model_name = model.name;
  record.model_file = model.file;
  record.model_text = model.text;
  record.model_root = model.root;
  record.settings = settings;
  record.status = to_string(outcome.status);
  record.sentence = outcome.sentence;
  record.notes = prepared.notes;
  add(outcome.findings, record);
  for (const RunEvent& event : outcome.events) record.events.emplace_back(event.t, event.what);
  for (const Peak& peak : outcome.peaks) record.peaks.push_back({peak.name, peak.value, peak.t});
  describe_options(prepared.options, equations, record);
  // the pose at every row follows from a prescribed motion: nothing was integrated
  if (outcome.statistics.integrator.steps == 0 && outcome.last.t > prepared.start.t) record.integrator = "kinematics";
  record.statistics = statistics_numbers(outcome.statistics);
  record.start = store(prepared.start, equations);
  record.last = store(outcome.last, equations);
  return record;
}

}  // namespace armature::internal
