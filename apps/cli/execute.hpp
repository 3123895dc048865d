// What `run` and `kinematics` share: a computation that records rows, watched by a progress bar and by Ctrl-C, into a
// folder that appears whole; then the summary.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "inspect/error_bars.hpp"
#include "read/reader.hpp"
#include "record/result_list.hpp"
#include "record/run_record.hpp"
#include "report/page_model.hpp"
#include "run/warn.hpp"
#include "study/undefined_results.hpp"

namespace armature::internal::cli {

struct Job {
  const Model& model;
  Settings settings;
  const Prepared& prepared;
  std::filesystem::path folder;  // of the results
  bool json = false;
  bool report = true;  // writes report.html, where the program has its page
  const PageRun* computed =
      nullptr;         // that page computes the motion for other values, beside this run; null: it does not
  bool brief = false;  // prints only warnings and failures; the caller prints the rest
  std::function<NamedNumbers()> results = {};  // formulas over the motion; asked for when it got to its end
  ErrorBars* errors = nullptr;                 // of the numbers, from a repetition beside the computation
  const std::optional<Verification>* verification = nullptr;  // what the computation makes of it
  std::function<std::vector<std::string>(const std::filesystem::path&)> further_files =
      {};                             // writes more into the folder; returns their names
  std::optional<Ending> ending = {};  // of what the run is part of, where that did not come to its end
  std::function<void(nlohmann::ordered_json&)> further_json = {};  // adds to what --json prints
  std::function<void(nlohmann::ordered_json&)> further_page = {};  // adds to the document of report.html
};

using Computation = std::function<Outcome(const Prepared&, Recorder&, const Progress&, const Warn&)>;

int execute(const Job& job, const Computation& compute);  // exit code

}  // namespace armature::internal::cli
