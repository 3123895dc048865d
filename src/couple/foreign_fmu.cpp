#include "couple/foreign_fmu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstring>

#include "couple/foreign_text.hpp"
#include "import/zip.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

namespace {

namespace fs = std::filesystem;
using fmu_protocol::Deed;
using fmu_protocol::Memory;
using fmu_protocol::ValueType;
using fmu_protocol::Verdict;

fs::path binary_in(const fs::path& folder, const FmuInterface& fmu) {
  const fs::path file =
      folder / "binaries" / (fmu.version == 2 ? "linux64" : "x86_64-linux") / (fmu.identifier + ".so");
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) return file;
  throw RequestError(
      fmt::format("the FMU has no binary for 64-bit Linux ({})", file.lexically_relative(folder).string()));
}

ValueType type_of(const FmuPort& port) {
  switch (port.type) {
    case FmuPort::Type::real: return ValueType::real;
    case FmuPort::Type::integer: return ValueType::integer;
    case FmuPort::Type::boolean: break;
  }
  return ValueType::boolean;
}

// "SIGSEGV, segmentation fault"
std::string signal_name(int signal) {
  const char *name = sigabbrev_np(signal), *meaning = sigdescr_np(signal);
  if (!name || !meaning) return fmt::format("signal {}", signal);
  std::string words = meaning;
  words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
  return fmt::format("SIG{}, {}", name, words);
}

bool is_crash(int signal) {
  static constexpr int crashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
  return std::ranges::count(crashes, signal) > 0;
}

// In the words of the standards; "error" says no more than that it fails.
std::string status_in_words(int status) {
  switch (status) {
    case 2: return " (it discards the call)";
    case 3: return "";
    case 4: return " (fatal error)";
    case 5: return " (it answers \"pending\", which was not asked for)";
    default: return fmt::format(" (status {}, which FMI does not have)", status);
  }
}

}  // namespace

ForeignFmu::ForeignFmu(const FmuArchive& archive, FmuProcess::Wanted wanted)
    : name_(archive.use.name), time_limit_(archive.use.time_limit), interface_(fmu_interface(archive.bytes)) {
  unpack_zip(archive.bytes, folder_.path());
  const fs::path library = binary_in(folder_.path(), interface_);
  const std::size_t values = interface_.inputs.size() + interface_.outputs.size() + interface_.parameters.size();
  process_.emplace(std::vector{std::to_string(interface_.version), library.string(), interface_.token,
                               (folder_.path() / "resources").string(), name_, folder_.path().string()},
                   values, time_limit_, std::move(wanted));
  ask(fmu_protocol::Command::load);
}

// Numbers of this program are in SI, those of the FMU in its own units.
void ForeignFmu::exchange(std::span<const FmuValue> given, std::span<FmuValue> taken) {
  Memory& memory = process_->memory();
  fmu_protocol::Value* value = memory.values();
  for (const auto& [port, number] : given)
    *value++ = {port.reference, type_of(port), (number - port.offset) / port.factor};
  for (const auto& [port, number] : taken) *value++ = {port.reference, type_of(port), 0};
  memory.given = static_cast<std::uint32_t>(given.size());
  memory.taken = static_cast<std::uint32_t>(taken.size());
  given_ = given, taken_ = taken;
  ask(fmu_protocol::Command::exchange);
  value = memory.values() + given.size();
  for (auto& [port, number] : taken) number = port.factor * value++->number + port.offset;
}

void ForeignFmu::initialize(double t, double end) {
  process_->memory().t = t;
  process_->memory().length = end;
  ask(fmu_protocol::Command::initialize);
}

void ForeignFmu::step(double t, double length) {
  process_->memory().t = t_ = t;
  process_->memory().length = length_ = length;
  ask(fmu_protocol::Command::step);
}

void ForeignFmu::ask(fmu_protocol::Command command) {
  const auto end = process_->ask(command);
  failed_ = true;  // unless it comes to its end
  if (end && end->why == FmuEnd::Why::unwanted) throw FmuUnwanted();
  if (end)
    throw ComputationError(
        fmt::format("the FMU '{}' {}: it was to {}{}", name_, end_in_words(*end), what_it_does(), last_words()));
  const Memory& memory = process_->memory();
  switch (memory.verdict) {
    case Verdict::done: break;
    case Verdict::refused:
      throw ComputationError(
          fmt::format("the FMU '{}' fails to {}{}{}", name_, what_it_does(), status_in_words(memory.status), logged()));
    case Verdict::not_loaded: throw ComputationError(fmt::format("the FMU '{}' cannot be run{}", name_, logged()));
    case Verdict::terminated:
      throw ComputationError(fmt::format("the FMU '{}' ends the simulation at t = {:g} s", name_, memory.last));
  }
  failed_ = false;
}

std::string ForeignFmu::value_name() const {
  const std::size_t k = process_->memory().value;  // written by the FMU's process: it may be anything
  if (k < given_.size()) return given_[k].port.name;
  return k - given_.size() < taken_.size() ? taken_[k - given_.size()].port.name : "a variable";
}

std::string ForeignFmu::what_it_does() const {
  switch (process_->memory().deed) {
    case Deed::load: return "load its binary";
    case Deed::instantiate: return "make an instance";
    case Deed::set: return fmt::format("take a value of '{}'", value_name());
    case Deed::get: return fmt::format("give a value of '{}'", value_name());
    case Deed::setup: return "take its times";
    case Deed::begin_initialization: return "begin its initialization";
    case Deed::initialize: return "initialize";
    case Deed::step: return fmt::format("step from t = {:g} s to {:g} s", t_, t_ + length_);
    case Deed::free: break;
  }
  return "end";
}

std::string ForeignFmu::end_in_words(const FmuEnd& end) const {
  switch (end.why) {
    case FmuEnd::Why::signal:
      return fmt::format("{} ({})", is_crash(end.number) ? "crashed" : "was ended from outside",
                         signal_name(end.number));
    case FmuEnd::Why::exit:
      return end.number < 0 ? "ended its process" : fmt::format("ended its process with exit code {}", end.number);
    case FmuEnd::Why::too_slow:
      return fmt::format("did not answer within {:g} s, the limit that fmus.{}.time_limit sets", time_limit_, name_);
    case FmuEnd::Why::unwanted: break;
  }
  return "was interrupted";
}

// ": " and the last thing it logged.
std::string ForeignFmu::logged() const {
  const char* text = process_->memory().text;
  const std::string words = foreign_text({text, strnlen(text, fmu_protocol::text_size)});
  return words.empty() ? "" : ": " + words;
}

// What it logged, or else what it printed.
std::string ForeignFmu::last_words() const {
  const std::string log = logged(), printed = foreign_text(process_->printed());
  return log.empty() && !printed.empty() ? "; it printed: " + printed : log;
}

std::vector<std::string> ForeignFmu::end() {
  std::vector<std::string> deeds;
  if (failed_) return {};  // its last words are in the sentence of the failure
  const auto end = process_->end();
  if (const std::uint32_t count = process_->memory().warnings; count > 0)
    deeds.push_back(count == 1 ? "logged a warning" + logged()
                               : fmt::format("logged {} warnings, the last{}", count, logged()));
  if (const std::string words = foreign_text(process_->printed()); !words.empty()) deeds.push_back("printed: " + words);
  if (end && end->why != FmuEnd::Why::unwanted)
    deeds.push_back(fmt::format("{} after its last step, when it was to end", end_in_words(*end)));
  return deeds;
}

}  // namespace armature::internal
