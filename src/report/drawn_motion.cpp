#include "report/drawn_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/joint_kinds.hpp"
#include "model/request_error.hpp"
#include "read/fmu_uses.hpp"
#include "read/reader.hpp"
#include "record/run_record.hpp"

namespace armature::internal::plot {
namespace {

constexpr int rows_of_path = 1000;

// Channels of the start alone: t, q and v.
MotionRows start_of(const Prepared& prepared) {
  const StoredState start = store(prepared.start, prepared.system->equations());
  MemoryRecorder rows;
  std::vector<Channel> channels{{"t", "s"}};
  std::vector<double> row{start.t};
  for (const StoredState::Entries* entries : {&start.q, &start.v})
    for (const auto& [name, value] : *entries) channels.push_back({name, ""}), row.push_back(value);
  rows.begin(channels);
  rows.row(row);
  return MotionRows(rows);
}

void record_reactions(Model& model) {
  for (const Joint& joint : model.joints)
    if (std::ranges::count(model.record.reactions, joint.name) == 0 && !words_of(joint.type).glyph.empty())
      model.record.reactions.push_back(joint.name);
}

}  // namespace

DrawnMotion motion_of_run(const std::filesystem::path& folder) {
  const RunRecord record = read_run(folder);
  const bool is_folder = std::filesystem::is_directory(folder);
  return {read_model_text(record.model_text, record.model_file, record.settings, record.model_root),
          MotionRows(is_folder ? folder : folder.parent_path())};
}

DrawnMotion motion_of_model(Model model, const StartChoice& start, const PoseOptions& options,
                            const Progress& progress) {
  if (options.reactions) record_reactions(model);
  const double last = options.times.empty() ? 0 : std::ranges::max(options.times);
  double end = !options.traces.empty() ? std::max(last, model.simulate.end) : last;
  if (options.reactions) end = std::max(end, 0.01 * model.simulate.end);
  if (end > 0) {
    model.simulate.end = end;
    model.simulate.record = std::min(model.simulate.record.value_or(end), end / rows_of_path);
  }
  Prepared prepared = compile(model);
  require_chosen_start(prepared, start);
  if (!(end > prepared.start.t)) return {std::move(model), start_of(prepared)};
  if (!fmu_uses(model).empty())
    throw RequestError(
        fmt::format("{}: has FMUs, whose motion 'armature run' computes; draw its results folder", model.file));
  MemoryRecorder rows;
  const Outcome outcome = simulate(prepared, rows, progress);
  if (outcome.status != RunStatus::finished) throw ComputationError(outcome.sentence);
  return {std::move(model), MotionRows(rows)};
}

std::vector<double> times_within(const MotionRows& rows, std::vector<double> times) {
  const double first = rows.t().front(), last = rows.t().back(), slack = 1e-9 * (last - first);
  if (times.empty()) return {first};
  for (double t : times)
    if (!(t >= first - slack && t <= last + slack))
      throw RequestError(
          fmt::format("{} goes from t = {:g} s to {:g} s; there is nothing at {:g} s", rows.from(), first, last, t));
  return times;
}

}  // namespace armature::internal::plot
