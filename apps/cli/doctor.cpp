// armature doctor: the version, the machine, the optional libraries, and a motion that must come out right.

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "expression/machine_code.hpp"
#include "gallery/gallery.hpp"
#include "gpu/card.hpp"
#include "program_file.hpp"
#include "read/reader.hpp"
#include "record/hdf5_file.hpp"
#include "record/record_error.hpp"
#include "record/usable_cores.hpp"
#include "record/version.hpp"
#include "report/page.hpp"
#include "run/simulate.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* doctor_examples =
    "Examples:\n"
    "  armature doctor";

// A pendulum that falls from the horizontal.
constexpr const char* test_model = R"(armature: 1
gravity: [0, -9.81, 0]
bodies: {bob: {mass: 1 kg, center: [1 m, 0, 0], inertia: {zz: 0}}}
joints: {theta: {type: revolute, axis: z, between: [ground, bob]}}
simulate: {end: 1 s, rtol: 1e-9}
)";

void print_row(const char* what, const std::string& found) {
  fmt::print("{}\n", fitted(fmt::format("  {:<12} {}", what, found), stdout, 15));
}

// What stands behind "NAME :" in a file of /proc; empty: nothing.
std::string entry_of(const char* file, const std::string& name) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(name)) continue;
    const std::size_t from = line.find_first_not_of(" \t", line.find(':') + 1);
    return from == std::string::npos ? "" : line.substr(from);
  }
  return "";
}

std::string vectors() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return "AVX-512";
  if (__builtin_cpu_supports("avx2")) return "AVX2";
  return "SSE2";
#else
  return "no x86";
#endif
}

std::string processor() {
  const std::string name = entry_of("/proc/cpuinfo", "model name");
  return fmt::format("{}, {} of {} cores usable, {}", name.empty() ? "unknown" : name, usable_cores(),
                     std::thread::hardware_concurrency(), vectors());
}

std::string memory() {
  const auto gigabytes = [](const char* name) {
    const std::string entry = entry_of("/proc/meminfo", name);
    return entry.empty() ? 0.0 : std::stod(entry) * 1024 / 1e9;
  };
  return fmt::format("{:.1f} GB, {:.1f} GB available", gigabytes("MemTotal"), gigabytes("MemAvailable"));
}

std::string hdf5() {
  const auto file = std::filesystem::temp_directory_path() / fmt::format("armature-doctor-{}.h5", getpid());
  std::string found = "found";
  try {
    Hdf5File(file).close();
  } catch (const RecordError& error) {
    found = fmt::format("not usable, results are written as CSV only: {}", error.what());
  }
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  return found;
}

std::string shipped_models() {
  const auto root = gallery::find_root("", this_program());
  return root ? (*root / "models").string() : "not found: neither above this program nor in share/armature next to it";
}

struct TestMotion {
  Outcome outcome;
  bool machine_code = false;
};

TestMotion run_test_motion(bool machine_code) {
  allow_machine_code(machine_code);
  Prepared prepared = compile(read_model_text(test_model, "doctor"));
  assemble_start(prepared);
  MemoryRecorder recorder;
  TestMotion motion{simulate(prepared, recorder), false};
  motion.machine_code = prepared.system->program(Kernel::acceleration)->has_machine_code(1);
  allow_machine_code(true);
  return motion;
}

// Machine code and interpreter must give the same bits, and energy must be kept.
int examine() {
  const auto began = std::chrono::steady_clock::now();
  const TestMotion fast = run_test_motion(true), slow = run_test_motion(false);
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - began;
  print_row("programs",
            fast.machine_code ? "machine code" : "interpreter (no machine code for this processor or build)");
  print_row("GPU", cards_in_words());
  print_row("HDF5", hdf5());
  print_row("reports",
            embedded_page(Page::report).empty() ? "left out: built without Node or its packages" : "built in");
  print_row("models", shipped_models());
  const bool finished = fast.outcome.status == RunStatus::finished && slow.outcome.status == RunStatus::finished;
  const bool same = finished && fast.outcome.last.x == slow.outcome.last.x;
  const double error = fast.outcome.statistics.energy_error;
  if (!same || !(error < 1e-6)) {
    print_row("test motion", fmt::format("FAILED: {}", !finished ? fast.outcome.sentence
                                                       : !same   ? "machine code and interpreter differ"
                                                                 : fmt::format("energy is off by {:g} J", error)));
    return failed;
  }
  print_row("test motion", fmt::format("ok, {:.0f} ms for two runs; energy to {:.1g} J", time.count(), error));
  return ok;
}

int print_diagnosis() {
  fmt::print("armature {}\n", version());
  print_row("processor", processor());
  print_row("memory", memory());
  return examine();
}

}  // namespace

Verb add_doctor(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("doctor", "print version, processor and libraries, and run a test motion");
  verb->footer(doctor_examples);
  return print_diagnosis;
}

}  // namespace armature::internal::cli
