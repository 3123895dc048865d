#include "study_terminal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "inspect/error_bars.hpp"
#include "model/counted.hpp"
#include "record/json_text.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr std::size_t most_told = 5;

std::string place_text(const StudyPoint& place) {
  std::string text;
  for (const auto& [name, value] : place) text += fmt::format("{}{} = {:.6g}", text.empty() ? "" : ", ", name, value);
  return text;
}

void print_detail(const std::string& text) { fmt::print(stderr, "{}\n", fitted("  " + text, stderr, 4)); }

void print_failures(const MotionDiagnostics& failures) {
  if (failures.kinds.empty()) return;
  const std::string heading = fmt::format("{} of {} failed:", failures.count, counted(failures.motions, "motion"));
  fmt::print(stderr, "{}\n", styled(Style::error, heading, stderr));
  for (std::size_t k = 0; k < std::min(failures.kinds.size(), most_told); ++k) {
    const MotionDiagnostic& kind = failures.kinds[k];
    print_detail(fmt::format("{}at {}: {}", kind.count > 1 ? fmt::format("{}, the first ", kind.count) : "",
                             place_text(kind.at), kind.sentence));
  }
  if (failures.kinds.size() > most_told)
    print_detail(fmt::format("for {} more", counted(static_cast<long>(failures.kinds.size() - most_told), "reason")));
}

void print_warnings(const MotionDiagnostics& warnings) {
  if (warnings.count == 0) return;
  print_warning(
      fmt::format("{} of {} would give a warning in a run:", warnings.count, counted(warnings.motions, "motion")));
  for (const MotionDiagnostic& kind : warnings.kinds)
    print_detail(fmt::format("{}: {}, the first at {}: {}", kind.code, kind.count, place_text(kind.at), kind.sentence));
}

}  // namespace

// While the model is compiled, whoever was asked before draws that it is.
StudyTerminal::StudyTerminal(const SessionArguments& arguments, const std::string& verb, Json request)
    : arguments_(arguments),
      interruption_([this, show = Interruption::current()] {
        if (show && Abandonable::now()) show();
        return interrupt_.requested();
      }),
      session_(options(verb, std::move(request))) {}

SessionOptions StudyTerminal::options(const std::string& verb, Json request) {
  return {.threads = arguments_.threads,
          .progress = [this](const std::string& what, long done, long count) { return show(what, done, count); },
          .folder = arguments_.folder(verb),
          .resume = arguments_.resume,
          .restart = arguments_.restart,
          .settings = arguments_.model.settings(),
          .request = std::move(request)};
}

bool StudyTerminal::show(const std::string& what, long done, long count) {
  const bool speaks = session_.team().rank == 0 && !arguments_.model.json && !quiet();
  if (!began_ && session_.restored() > 0 && speaks)
    fmt::print("{} {} found\n", counted(session_.restored(), "finished cell"),
               session_.restored() == 1 ? "was" : "were");
  began_ = true;
  if (!bar_ || what != what_) {
    bar_ = std::make_unique<ProgressBar>(0, 1);
    what_ = what;
    before_ = done;
  }
  bar_->show([&](double elapsed) { return cells_line(what, before_, done, count, elapsed, columns(stderr)); });
  if (done == count) bar_->wipe();
  return !interrupt_.requested();
}

int StudyTerminal::stopped(long count) const {
  if (session_.team().rank == 0)
    fmt::print(
        stderr, "{}\n",
        fitted(fmt::format("stopped: {} of {} cells are done and kept in {}; the same command with --resume continues",
                           session_.computed(), count, session_.partial().string()),
               stderr, 2));
  return failed;
}

bool StudyTerminal::publish(Json result, const CellSession::Write& write, const std::string& name) {
  const Json description = session_.publish(std::move(result), write, name);
  if (arguments_.model.json) fmt::print("{}\n", json_text(description));
  return arguments_.model.json;
}

std::optional<ErrorTime> StudyTerminal::time_for_errors() const {
  if (arguments_.no_verify || !errors_are_wanted()) return std::nullopt;
  return ErrorTime{internal::time_for_errors(session_.seconds()), [this] { return !interrupt_.requested(); }};
}

std::string StudyTerminal::how() const {
  const long restored = std::min(session_.restored(), session_.computed());
  std::string text =
      fmt::format("{} computed in {:.3g} s", counted(session_.computed() - restored, "cell"), session_.seconds());
  if (restored > 0) text += fmt::format(", {} reused", restored);
  if (!session_.team().alone()) text += fmt::format(", by {} processes", session_.team().size);
  return text;
}

std::string source_of(const StudyErrors& errors) {
  if (!errors.missing.empty()) return "no error estimate: " + errors.missing;
  return fmt::format("{} repeated with {}", counted(errors.motions, "motion"), errors.how);
}

Json to_json(const StudyErrors& errors, const std::vector<std::string>& results) {
  Json json{{"repetition", errors.how}, {"motions", errors.motions}};
  if (!errors.cells.empty()) json["cells"] = errors.cells;
  if (!errors.missing.empty()) json["missing"] = errors.missing;
  for (std::size_t k = 0; k < errors.worst.size(); ++k) json["worst"][results[k]] = errors.worst[k];
  if (!errors.of_other_class.empty()) json["of_other_class"] = errors.of_other_class;
  return json;
}

void print_diagnostics(const MotionDiagnostics& failures, const MotionDiagnostics& warnings) {
  print_failures(failures);
  print_warnings(warnings);
}

}  // namespace armature::internal::cli
