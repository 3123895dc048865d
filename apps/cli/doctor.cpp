// armature doctor: the version, the machine, the optional libraries, and a motion that must come out right.

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "expression/number_text.hpp"
#include "gallery/gallery.hpp"
#include "gpu/card.hpp"
#include "inspect/self_test.hpp"
#include "plugin/plugin.hpp"
#include "program_file.hpp"
#include "record/hdf5_file.hpp"
#include "record/usable_cores.hpp"
#include "record/version.hpp"
#include "report/page.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* doctor_examples =
    "Examples:\n"
    "  armature doctor";

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
    const std::string kilobytes = entry.substr(0, entry.find(' '));
    return read_number(kilobytes).value_or(0) * 1024 / 1e9;
  };
  return fmt::format("{:.1f} GB, {:.1f} GB available", gigabytes("MemTotal"), gigabytes("MemAvailable"));
}

std::string hdf5() {
  return hdf5_obstacle().empty() ? "found"
                                 : fmt::format("not found, studies leave out results.h5; {}", hdf5_obstacle());
}

// What is missing, each with what it is needed for.
std::string libraries() {
  std::string found, missing;
  for (const PluginRow& row : plugins()) try {
      load_plugin(row.name);
      found += (found.empty() ? "" : ", ") + std::string(row.library);
    } catch (const PluginError& error) {
      missing += (missing.empty() ? "" : "; ") + std::string(error.what());
    }
  return missing.empty() ? found : missing + (found.empty() ? "" : "; found: " + found);
}

std::string shipped_models() {
  const auto root = gallery::find_root("", this_program());
  return root ? (*root / "models").string() : "not found: neither above this program nor in share/armature next to it";
}

// Machine code and interpreter must give the same bits, and energy must be conserved.
int examine() {
  const SelfTest test = run_self_test();
  print_row("programs",
            test.machine_code ? "machine code" : "interpreter (no machine code for this processor or build)");
  print_row("GPU", cards_in_words());
  print_row("HDF5", hdf5());
  print_row("libraries", libraries());
  print_row("reports",
            embedded_page(Page::report).empty() ? "left out: built without Node or its packages" : "built in");
  print_row("models", shipped_models());
  if (!test.failure.empty()) {
    print_row("test motion", "FAILED: " + test.failure);
    return failed;
  }
  print_row("test motion",
            fmt::format("ok, {:.0f} ms for two runs; energy to {:.1g} J", 1e3 * test.seconds, test.energy_error));
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
