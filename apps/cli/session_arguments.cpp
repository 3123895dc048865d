#include "session_arguments.hpp"

namespace armature::cli {

void SessionArguments::add_to(CLI::App& verb) {
  verb.add_option("-o,--output", output, "folder of the results; results/<model name>_<verb> if not given")
      ->type_name("DIR");
  verb.add_option("--threads", threads, "threads of this process; one a core if not given")
      ->type_name("N")
      ->check(positive);
  auto* resumes = verb.add_flag("--resume", resume, "go on where an interrupted command stopped");
  verb.add_flag("--restart", restart, "drop what an interrupted command has left")->excludes(resumes);
  verb.add_flag("--no-report", no_report, "write no report.html");
}

}  // namespace armature::cli
