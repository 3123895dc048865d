#include "errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <system_error>

#include "expression/interruption.hpp"
#include "plugin/plugin.hpp"
#include "progress_bar.hpp"
#include "record/json_text.hpp"
#include "study/team.hpp"
#include "terminal.hpp"

namespace armature::internal::cli {
namespace {

using Json = nlohmann::ordered_json;

// A line that holds a name of thousands of letters says what it has to say at its beginning.
std::string cut_lines(const std::string& text) {
  constexpr std::size_t longest = 2000;
  std::string result;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::size_t length = end - from;
    const bool cut = length > longest;
    if (cut) length = longest;
    while (cut && length > 0 && (static_cast<unsigned char>(text[from + length]) & 0xc0) == 0x80) --length;
    result += (from == 0 ? "" : "\n") + text.substr(from, length) + (cut ? "…" : "");
    from = end + 1;
  }
  return result;
}

// What is not about one place of the file: a list of this one sentence.
Json one_error(const std::string& sentence) {
  return Json::array({{{"file", ""}, {"line", 0}, {"column", 0}, {"key", ""}, {"message", cut_lines(sentence)}}});
}

void print_error(const std::string& whole, bool json, const char* status, Json errors) {
  const std::string sentence = cut_lines(whole);
  if (!json) {
    fmt::print(stderr, "{}\n", styled(Style::error, fitted(sentence, stderr, 2), stderr));
    return;
  }
  const Json result = {{"status", status}, {"sentence", sentence}, {"errors", std::move(errors)}};
  fmt::print("{}\n", json_text(result));
}

Json to_json(const ModelError& error) {
  Json errors = Json::array();
  for (const Diagnostic& diagnostic : error.diagnostics()) {
    errors.push_back({{"file", error.file_of(diagnostic)},
                      {"line", diagnostic.where.line},
                      {"column", diagnostic.where.column},
                      {"key", diagnostic.key},
                      {"message", error.message_of(diagnostic)}});
  }
  return errors;
}

}  // namespace

// All processes of a team read the same command line and the same file: one of them reports what is wrong. The others
// exit with success, because mpirun would end the job before the message appears.
bool speaks_for_team() { return team_from_environment().rank == 0; }

int refuse(const std::string& sentence, bool json) {
  if (!speaks_for_team()) return ok;
  print_error(sentence, json, "error", one_error(sentence));
  return bad_input;
}

int guarded(const Verb& verb, bool json) {
  // Large models take a while to be compiled. Ctrl-C ends the program meanwhile, as ever.
  ProgressBar bar(0, 1);
  const auto show = [&] {
    if (!json) bar.show([](double elapsed) { return fmt::format("compiling, {:.0f} s", elapsed); });
    return false;
  };
  const Interruption compiling(show, [&] { bar.wipe(); });
  try {
    return verb();
  } catch (const ModelError& error) {
    if (!speaks_for_team()) return ok;
    print_error(error.what(), json, "error", to_json(error));
    return bad_input;
  } catch (const UsageError& error) {
    return refuse((error.names_option ? "--" : "") + std::string(error.what()), json);
  } catch (const RecordError& error) {  // may be that of one process
    print_error(error.what(), json, "error", one_error(error.what()));
    return bad_input;
  } catch (const Interrupted&) {
    print_error("stopped", json, "stopped", one_error("stopped"));
    return failed;
  } catch (const ComputationError& error) {
    print_error(error.what(), json, "failed", one_error(error.what()));
    return failed;
  } catch (const PluginError& error) {
    print_error(error.what(), json, "failed", one_error(error.what()));
    return failed;
  } catch (const std::filesystem::filesystem_error& error) {
    return refuse(fmt::format("{}: {}", error.path1().string(), error.code().message()), json);
  } catch (const std::system_error& error) {  // of printing: what is lost cannot be printed as JSON either
    fmt::print(stderr, "cannot write the output: {}\n", error.code().message());
    return failed;
  } catch (const std::bad_alloc&) {
    const std::string sentence = "there is not enough memory";
    print_error(sentence, json, "failed", one_error(sentence));
    return failed;
  } catch (const std::exception& error) {
    const std::string sentence = fmt::format("internal error: {}", error.what());
    print_error(sentence, json, "failed", one_error(sentence));
    return failed;
  }
}

}  // namespace armature::internal::cli
