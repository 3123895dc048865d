// What run.json holds: everything about a run but its rows.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/finding.hpp"
#include "record/error_estimate.hpp"
#include "record/stored_state.hpp"
#include "record/verification.hpp"

namespace armature::internal {

struct RunRecord {
  using Numbers = std::vector<std::pair<std::string, double>>;

  std::string version;  // of the program that wrote it
  std::string model_name, model_file, model_text;
  std::string model_root;                                     // empty: the folder of the file
  std::vector<std::pair<std::string, std::string>> settings;  // --set

  std::string status, sentence;  // "finished", "stopped", "failed"
  std::vector<std::string> notes, warnings;
  std::vector<std::pair<std::string, std::string>> findings;  // code, sentence: the warnings, or of the failure
  std::vector<std::pair<double, std::string>> events;         // t in s, what happened

  struct Peak {
    std::string name;
    double value, t;
  };
  std::vector<Peak> peaks;  // largest sizes during the run: of the motors' currents, A

  // options in force
  std::string integrator, formulation;
  std::vector<std::string> stabilization;  // "projection", "baumgarte", "post_adjust"
  Numbers options;                         // end, record, rtol, alpha, …
  Numbers atol_q, atol_v, atol_z;          // by name of the coordinate
  Numbers statistics;
  Numbers results;  // formulas over the motion, by name: --result; NaN: the motion did not get to its end
  std::vector<std::pair<std::string, std::string>> result_units;  // where they are known

  std::optional<ErrorEstimate> errors;       // of peaks, results and the last state
  std::optional<Verification> verification;  // --verify
  std::optional<StoredState> start, last;    // none: there was no start
};

void add(const Findings& findings, RunRecord& record);

nlohmann::ordered_json to_json(const StoredState& state);
nlohmann::ordered_json to_json(const RunRecord& record);
void write_run(const std::filesystem::path& file, const RunRecord& record);  // throws RecordError

// The run whose results lie in `folder` (or run.json itself). Throws RecordError.
RunRecord read_run(const std::filesystem::path& folder);

// The state that `armature modes` has found, without outcomes of comparisons; nothing: the folder is not one of its results.
// Throws RecordError.
std::optional<StoredState> read_rest(const std::filesystem::path& folder);

}  // namespace armature::internal
