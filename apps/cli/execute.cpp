#include "execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "errors.hpp"
#include "expression/interruption.hpp"
#include "interrupt.hpp"
#include "model/counted.hpp"
#include "model/request_error.hpp"
#include "number_with_error.hpp"
#include "plugin/plugin.hpp"
#include "progress_bar.hpp"
#include "record/csv_recorder.hpp"
#include "record/json_text.hpp"
#include "record/record_error.hpp"
#include "record/results_folder.hpp"
#include "report/document.hpp"
#include "report_page.hpp"
#include "run/describe.hpp"
#include "terminal.hpp"
#include "verbs.hpp"
#include "verification_table.hpp"

namespace armature::internal::cli {
namespace {

namespace fs = std::filesystem;

Outcome failure(const Job& job, std::string sentence) {
  Outcome outcome;
  outcome.status = RunStatus::failed;
  outcome.sentence = std::move(sentence);
  outcome.last = job.prepared.start;
  return outcome;
}

// An exception must not cost the rows that are recorded: it becomes a failed outcome. So does a disk that is full.
// said: the warnings that were printed while it went on.
Outcome compute_guarded(const Job& job, const Computation& compute, Recorder& recorder,
                        std::vector<std::string>& said) {
  Interrupt interrupt;
  const Interruption interruption([&] { return interrupt.requested(); });
  ProgressBar bar(job.prepared.start.t, job.prepared.options.end);
  const Progress progress = [&](double t, long steps) {
    bar.update(t, steps);
    return !interrupt.requested();
  };
  const Warn warn = [&](const std::string& warning) {
    bar.wipe();
    print_warning(warning);
    said.push_back(warning);
  };
  try {
    return compute(job.prepared, recorder, progress, warn);
  } catch (const RecordError& error) {
    return failure(job, error.what());
  } catch (const Interrupted&) {
    Outcome stopped = failure(job, "stopped");
    stopped.status = RunStatus::stopped;
    return stopped;
  } catch (const RequestError& error) {
    return failure(job, error.what());
  } catch (const ComputationError& error) {
    return failure(job, error.what());
  } catch (const PluginError& error) {
    return failure(job, error.what());
  } catch (const std::exception& error) {
    return failure(job, fmt::format("internal error: {}", error.what()));
  }
}

void print_json(const Job& job, const RunRecord& record, const fs::path& folder) {
  auto json = to_json(record);
  json["model"].erase("text");
  json["results"] = folder.string();
  if (job.further_json) job.further_json(json);
  fmt::print("{}\n", json_text(json));
}

void print_statistics(const RunStatistics& statistics) {
  const IntegratorStatistics& integrator = statistics.integrator;
  if (integrator.steps > 0)
    fmt::print("{}, {} rejected, {} in {:.3g} s\n", counted(integrator.steps, "step"), integrator.rejected,
               counted(integrator.evaluations, "evaluation"), statistics.seconds);
  if (statistics.constraints == 0) return;
  std::string text = fmt::format("largest constraint error {:.2g} in position, {:.2g} in velocity",
                                 statistics.position_error, statistics.velocity_error);
  if (statistics.smallest_rank >= 0)  // else nothing was accelerated, or ida decides on rank for itself
    text += fmt::format("; smallest rank {} of {}", statistics.smallest_rank, statistics.constraints);
  fmt::print("{}\n", fitted(text, stdout, 2));
}

const ErrorEstimate* known(const std::optional<ErrorEstimate>& errors) {
  return errors && errors->missing.empty() ? &*errors : nullptr;
}

double error_in(ErrorEstimate::Numbers ErrorEstimate::*list, const RunRecord& record, const std::string& name) {
  const ErrorEstimate* errors = quiet() ? nullptr : known(record.errors);
  return error_of(errors ? errors->*list : ErrorEstimate::Numbers{}, name);
}

void print_peaks(const std::vector<Peak>& peaks, const RunRecord& record) {
  for (const Peak& peak : peaks)
    fmt::print("largest {}: {} at t = {:.6g} s\n", peak.name,
               number_with_error(peak.value, peak.unit, error_in(&ErrorEstimate::peaks, record, peak.name), 6), peak.t);
}

// The positions at the end, where their errors are known.
void print_last(const Job& job, const RunRecord& record) {
  constexpr std::size_t most = 4;
  const ErrorEstimate* errors = known(record.errors);
  if (!errors || errors->last.empty() || !record.last) return;
  const auto& positions = job.prepared.system->equations().positions;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, positions.size()); ++k)
    text += fmt::format("{}{} = {}", k > 0 ? ", " : "", positions[k].name,
                        number_with_error(record.last->q[k].second, positions[k].unit, errors->last[k].second));
  if (positions.size() > most) text += fmt::format("; {} more in run.json", positions.size() - most);
  fmt::print("{}\n", fitted(fmt::format("at t = {:g} s: {}", record.last->t, text), stdout, 2));
}

// Where the errors come from, or why there are none.
void print_source(const std::optional<ErrorEstimate>& errors) {
  if (!errors) return;
  if (!errors->missing.empty()) return print_note("no error estimate: " + errors->missing);
  print_note("± is the difference from a repetition with " + errors->how);
}

void print_warnings(const std::vector<std::string>& warnings, const std::vector<std::string>& said) {
  for (const std::string& warning : warnings)
    if (std::find(said.begin(), said.end(), warning) == said.end()) print_warning(warning);
}

std::string unit_of(const RunRecord& record, const std::string& result) {
  const auto found = std::ranges::find(record.result_units, result, &std::pair<std::string, std::string>::first);
  return found == record.result_units.end() ? "" : found->second;
}

std::string result_in_words(const RunRecord& record, const std::string& name, double value) {
  if (std::isnan(value)) return name + " has no value";
  const double error = error_in(&ErrorEstimate::results, record, name);
  return name + " = " + number_with_error(value, std::isnan(error) ? "" : unit_of(record, name), error);
}

void print_text(const Job& job, const Outcome& outcome, const RunRecord& record, const ResultsFolder& place,
                const std::vector<std::string>& further) {
  const fs::path& folder = place.path();
  if (outcome.status == RunStatus::finished)
    print_note(outcome.sentence);
  else
    fmt::print(stderr, "{}\n", styled(Style::error, fitted(outcome.sentence, stderr, 2), stderr));
  if (!quiet()) print_statistics(outcome.statistics), print_peaks(outcome.peaks, record), print_last(job, record);
  for (const auto& [name, value] : record.results) fmt::print("{}\n", result_in_words(record, name, value));
  print_source(record.errors);
  std::vector<std::string> files{fmt::format("trajectory.csv ({})", counted(outcome.statistics.rows, "row")),
                                 "run.json"};
  files.insert(files.end(), further.begin(), further.end());
  print_results(folder.string(), files);
  if (outcome.status != RunStatus::finished) fmt::print("everything recorded before that is kept\n");
  if (!place.kept().empty()) fmt::print("the finished results in {} are left as they were\n", place.kept().string());
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) print_note(note);
  std::fflush(stdout);
}

// Returning the pieces of a large model one by one takes longer than anything else that is left to do when a run is stopped.
// The system gets all of it back at once when the program ends.
void leave_to_exit(const Job& job) {
  static auto& left = *new std::vector<std::shared_ptr<const System>>;
  left.push_back(job.prepared.system);
}

// Whoever stops a run waits a moment for its report, and no longer: that of a large model takes seconds. Ctrl-C meanwhile leaves the
// report out.
bool report_run(const Job& job, const fs::path& folder, const RunRecord& record, ReportRecorder& rows, bool stopped,
                const Interrupt& interrupt) {
  constexpr std::chrono::milliseconds moment{50};
  const auto until = std::chrono::steady_clock::now() + moment;
  const Interruption interruption(
      [&] { return interrupt.requested() || (stopped && std::chrono::steady_clock::now() > until); });
  const Abandonable work;
  return job.report && write_report(folder, Page::report, job.json, [&] {
           rows.finish();
           auto document = run_document(job.model, record, rows, job.computed, &job.prepared);
           if (job.further_page) job.further_page(document);
           return document;
         });
}

}  // namespace

int execute(const Job& job, const Computation& compute) {
  if (!job.json && !job.brief) print_notes(job.prepared.remarks);
  ResultsFolder folder(job.folder);
  CsvRecorder csv(folder.partial() / "trajectory.csv");
  ReportRecorder rows(csv);
  std::vector<std::string> said;
  const Outcome outcome = compute_guarded(job, compute, job.report ? static_cast<Recorder&>(rows) : csv, said);
  if (outcome.status == RunStatus::stopped) leave_to_exit(job);
  const Interrupt interrupt;  // what is computed is put in place, whatever is asked for
  RunRecord record = describe(job.model, job.settings, job.prepared, outcome);
  if (job.results && outcome.status == RunStatus::finished) {
    NamedNumbers results = job.results();
    record.results = std::move(results.numbers);
    record.result_units = std::move(results.units);
    add(results.findings, record);
  }
  if (job.errors) record.errors = job.errors->end(outcome, record.results, [&] { return !interrupt.requested(); });
  if (job.verification) record.verification = *job.verification;
  std::vector<std::string> further;
  try {
    csv.close();
    write_run(folder.partial() / "run.json", record);
    if (job.further_files) further = job.further_files(folder.partial());
    further.push_back(report_run(job, folder.partial(), record, rows, outcome.status == RunStatus::stopped, interrupt)
                          ? "report.html"
                          : "");
    folder.publish(job.ending.value_or(ending_of(outcome.status)));
  } catch (const RecordError& error) {
    if (outcome.sentence == error.what()) throw ComputationError(outcome.sentence);
    throw ComputationError(fmt::format("{}\n{}", outcome.sentence, error.what()));
  }
  if (!job.json) print_warnings(record.warnings, said);
  if (!job.json && record.errors && !record.errors->sentence.empty()) print_warning(record.errors->sentence);
  if (job.json)
    print_json(job, record, folder.path());
  else if (!job.brief || outcome.status != RunStatus::finished)
    print_text(job, outcome, record, folder, further);
  if (!job.json && record.verification) print_verification(*record.verification);
  return outcome.status == RunStatus::finished ? ok : failed;
}

}  // namespace armature::internal::cli
