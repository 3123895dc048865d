#include "errors.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <system_error>

#include "analysis/team.hpp"
#include "record/json_text.hpp"

namespace armature::cli {
namespace {

using Json = nlohmann::ordered_json;

// What is not about one place of the file: a list of this one sentence.
Json one_error(const std::string& sentence) {
  return Json::array({{{"line", 0}, {"column", 0}, {"key", ""}, {"message", sentence}}});
}

void print_error(const std::string& sentence, bool json, const char* status, Json errors) {
  if (!json) {
    fmt::print(stderr, "{}\n", sentence);
    return;
  }
  const Json result = {{"status", status}, {"sentence", sentence}, {"errors", std::move(errors)}};
  fmt::print("{}\n", json_text(result));
}

Json to_json(const ModelError& error) {
  Json errors = Json::array();
  for (const Diagnostic& diagnostic : error.diagnostics()) {
    errors.push_back({{"line", diagnostic.where.line},
                      {"column", diagnostic.where.column},
                      {"key", diagnostic.key},
                      {"message", diagnostic.message}});
  }
  return errors;
}

}  // namespace

// All processes of a team read the same command line and the same file: one of them says what is wrong. The others leave
// without a complaint, for which mpirun would end the job before it is said.
bool speaks_for_team() { return team_from_environment().rank == 0; }

int refuse(const std::string& sentence, bool json) {
  if (!speaks_for_team()) return ok;
  print_error(sentence, json, "error", one_error(sentence));
  return bad_input;
}

int guarded(const Verb& verb, bool json) {
  try {
    return verb();
  } catch (const ModelError& error) {
    if (!speaks_for_team()) return ok;
    print_error(error.what(), json, "error", to_json(error));
    return bad_input;
  } catch (const UsageError& error) {
    return refuse(error.what(), json);
  } catch (const RecordError& error) {  // may be that of one process
    print_error(error.what(), json, "error", one_error(error.what()));
    return bad_input;
  } catch (const ComputationError& error) {
    print_error(error.what(), json, "failed", one_error(error.what()));
    return failed;
  } catch (const std::filesystem::filesystem_error& error) {
    return refuse(fmt::format("{}: {}", error.path1().string(), error.code().message()), json);
  } catch (const std::system_error& error) {  // of printing: what is lost cannot be printed as JSON either
    fmt::print(stderr, "the output cannot be written: {}\n", error.code().message());
    return failed;
  } catch (const std::bad_alloc&) {
    const std::string sentence = "there is not enough memory for this";
    print_error(sentence, json, "failed", one_error(sentence));
    return failed;
  } catch (const std::exception& error) {
    const std::string sentence = fmt::format("internal error: {}", error.what());
    print_error(sentence, json, "failed", one_error(sentence));
    return failed;
  }
}

}  // namespace armature::cli
