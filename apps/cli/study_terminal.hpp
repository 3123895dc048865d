// A study at the terminal: its session with a progress bar and Ctrl-C, and what is printed about it when it ends.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "expression/interruption.hpp"
#include "interrupt.hpp"
#include "progress_bar.hpp"
#include "report/study_document.hpp"
#include "session_arguments.hpp"
#include "study/cell_session.hpp"
#include "study/motion_diagnostics.hpp"
#include "study/study_errors.hpp"

namespace armature::internal::cli {

using Json = nlohmann::ordered_json;

class StudyTerminal {
 public:
  // request: what the command line asks for, in its own words (SessionOptions).
  StudyTerminal(const SessionArguments& arguments, const std::string& verb, Json request);

  CellSession& session() { return session_; }

  // After an interruption: says how many of `count` cells are kept, returns the exit code.
  int stopped(long count) const;

  // Puts the result in its place. True: it was printed as JSON (--json), and nothing else is to be said.
  bool publish(Json result, const CellSession::Write& write, const std::string& name = "result.json");

  // For the errors of some motions (study_errors.hpp); nothing: they are not wanted.
  std::optional<ErrorTime> time_for_errors() const;

  std::string how() const;  // "4 cells computed in 0.2 s, 3 taken over"
  std::string path() const { return session_.path().string(); }

 private:
  bool show(const std::string& what, long done, long count);  // false: stop
  SessionOptions options(const std::string& verb, Json request);

  const SessionArguments& arguments_;
  Interrupt interrupt_;
  Interruption interruption_;  // of compiling and of motions that are run again, in this thread
  std::unique_ptr<ProgressBar> bar_;
  std::string what_;  // is being computed
  long before_ = 0;   // cells that were done when it began
  bool began_ = false;
  CellSession session_;
};

// What went wrong with motions, on stderr: "2 of 18 motions failed:\n  …", "warning: 3 of 25 motions would give a warning in a run:\n  …".
// Where the errors of a study come from, or why there are none; "8 motions repeated with dop853, …".
std::string source_of(const StudyErrors& errors);
Json to_json(const StudyErrors& errors, const std::vector<std::string>& results);

void print_diagnostics(const MotionDiagnostics& failures, const MotionDiagnostics& warnings);

}  // namespace armature::internal::cli
