#include "execute.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "interrupt.hpp"
#include "progress_bar.hpp"
#include "record/csv_recorder.hpp"
#include "record/record_error.hpp"
#include "record/results_folder.hpp"
#include "simulate/describe.hpp"
#include "verbs.hpp"

namespace armature::cli {
namespace {

namespace fs = std::filesystem;

// An exception must not cost the rows that are recorded: it becomes a failed outcome.
Outcome compute_guarded(const Job& job, const Computation& compute, Recorder& recorder) {
  Interrupt interrupt;
  ProgressBar bar(job.prepared.start.t, job.prepared.options.end);
  const Progress progress = [&](double t, long steps) {
    bar.update(t, steps);
    return !interrupt.requested();
  };
  try {
    return compute(job.prepared, recorder, progress);
  } catch (const std::exception& error) {
    Outcome outcome;
    outcome.status = RunStatus::failed;
    outcome.sentence = fmt::format("internal error: {}", error.what());
    outcome.last = job.prepared.start;
    return outcome;
  }
}

void print_json(const RunRecord& record, const fs::path& folder) {
  auto json = to_json(record);
  json["model"].erase("text");
  json["results"] = folder.string();
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void print_statistics(const RunStatistics& statistics) {
  const IntegratorStatistics& integrator = statistics.integrator;
  if (integrator.steps > 0)
    fmt::print("{} steps, {} rejected, {} evaluations in {:.3g} s\n", integrator.steps, integrator.rejected,
               integrator.evaluations, statistics.seconds);
  if (statistics.constraints == 0) return;
  fmt::print("largest constraint error {:.2g} in position, {:.2g} in velocity", statistics.position_error,
             statistics.velocity_error);
  if (statistics.smallest_rank > 0)  // 0: nothing was accelerated, or ida decides on rank for itself
    fmt::print("; smallest rank {} of {} rows", statistics.smallest_rank, statistics.constraints);
  fmt::print("\n");
}

void print_text(const Outcome& outcome, const fs::path& folder) {
  for (const std::string& warning : outcome.warnings) fmt::print(stderr, "warning: {}\n", warning);
  fmt::print(outcome.status == RunStatus::finished ? stdout : stderr, "{}\n", outcome.sentence);
  print_statistics(outcome.statistics);
  fmt::print("results: {}/trajectory.csv ({} rows) and {}/run.json{}\n", folder.string(), outcome.statistics.rows,
             folder.string(), outcome.status == RunStatus::finished ? "" : "; everything up to there is kept");
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) fmt::print("{}\n", note);
  std::fflush(stdout);
}

// Writes the rest of the files and puts the folder in its place.
void publish(CsvRecorder& recorder, ResultsFolder& folder, const RunRecord& record) {
  recorder.close();
  write_run(folder.partial() / "run.json", record);
  folder.publish();
}

}  // namespace

int execute(const Job& job, const Computation& compute) {
  if (!job.json) print_notes(job.prepared.notes);
  ResultsFolder folder(job.output.empty() ? fs::path("results") / folder_name(job.model.name) : fs::path(job.output));
  CsvRecorder recorder(folder.partial() / "trajectory.csv");
  const Outcome outcome = compute_guarded(job, compute, recorder);
  const RunRecord record = describe(job.model, job.settings, job.prepared, outcome);
  try {
    publish(recorder, folder, record);
  } catch (const RecordError& error) {
    fmt::print(stderr, "{}\n{}\n", outcome.sentence, error.what());
    return failed;
  }
  if (job.json)
    print_json(record, folder.path());
  else
    print_text(outcome, folder.path());
  return outcome.status == RunStatus::finished ? ok : failed;
}

}  // namespace armature::cli
