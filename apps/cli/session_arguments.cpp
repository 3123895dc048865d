#include "session_arguments.hpp"

#include <fmt/format.h>

#include <charconv>

namespace armature::internal::cli {

const CLI::Validator whole(
    [](std::string& text) {
      int value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      const bool fits = error == std::errc() && end == text.data() + text.size() && value > 0;
      return fits ? std::string() : fmt::format("'{}' is not a whole number greater than zero", text);
    },
    "");

void SessionArguments::add_to(CLI::App& verb) {
  verb.add_option("-o,--output", output, "folder of the results; results/<file>_<verb> if not given")->type_name("DIR");
  verb.add_option("--threads", threads, "threads of this process; one per core if not given")
      ->type_name("N")
      ->check(whole);
  auto* resumes = verb.add_flag("--resume", resume, "go on where an interrupted command stopped");
  verb.add_flag("--restart", restart, "drop what an interrupted command has left")->excludes(resumes);
  verb.add_flag("--no-report", no_report, "write no report.html");
}

}  // namespace armature::internal::cli
