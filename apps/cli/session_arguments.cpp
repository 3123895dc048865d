#include "session_arguments.hpp"

namespace armature::internal::cli {

void SessionArguments::add_to(CLI::App& verb) {
  verb.add_option("-o,--output", output, "results folder (default: results/<file>_<verb>)")->type_name("DIR");
  verb.add_option("--threads", threads, "threads of this process (default: one per core)")
      ->type_name("N")
      ->check(whole);
  auto* resumes = verb.add_flag("--resume", resume, "continue an interrupted command");
  verb.add_flag("--restart", restart, "discard the cells that an interrupted command computed")->excludes(resumes);
  verb.add_flag("--no-report", no_report, "do not write report.html");
}

}  // namespace armature::internal::cli
