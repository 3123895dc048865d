// Writes the page of the benchmarks from Google Benchmark's JSON:   armature_bench_report RESULTS.json PAGE.md
// Names are row/machine/engine/setting (see *_bench.cpp); times are the smallest of the repetitions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "page_section.hpp"

namespace {

using nlohmann::json;

struct Result {
  std::string row, machine, engine, setting;
  double processor, clock;  // s
  json counters;
  double counter(const std::string& name) const {
    const auto found = counters.find(name);
    return found != counters.end() ? found->get<double>() : INFINITY;
  }
  double per_step() const { return processor / counter("steps"); }
  double per_second() const { return processor / counter("seconds"); }
};
using Results = std::vector<Result>;

std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts;
  std::istringstream stream(name);
  for (std::string part; std::getline(stream, part, '/');)
    if (!part.starts_with("min_time:") && !part.starts_with("repeats:") && part != "manual_time" && part != "real_time")
      parts.push_back(part);
  parts.resize(4);
  return parts;
}

// Of repeated measurements the smallest, of single ones themselves; in the order of their registration, in which they were
// not measured.
Results read_results(const json& document) {
  const std::map<std::string, double> units{{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
  Results results;
  for (const json& entry : document.at("benchmarks")) {
    if (entry.value("error_occurred", false)) continue;
    if (entry.at("run_type") == "aggregate" && entry.at("aggregate_name") != "min") continue;
    const auto parts = parts_of(entry.at("run_name"));
    const double unit = units.at(entry.at("time_unit"));
    results.push_back({parts[0], parts[1], parts[2], parts[3], unit * entry.at("cpu_time").get<double>(),
                       unit * entry.at("real_time").get<double>(), entry});
  }
  const auto place = [](const Result& result) {
    return std::pair(result.counter("family_index"), result.counter("per_family_instance_index"));
  };
  std::stable_sort(results.begin(), results.end(),
                   [&](const Result& a, const Result& b) { return place(a) < place(b); });
  return results;
}

Results of_row(const Results& results, const std::string& row, const std::string& machine = "") {
  Results chosen;
  for (const Result& result : results)
    if (result.row == row && (machine.empty() || result.machine == machine)) chosen.push_back(result);
  return chosen;
}

std::vector<std::string> machines_of(const Results& results) {
  std::vector<std::string> names;
  for (const Result& result : results)
    if (std::find(names.begin(), names.end(), result.machine) == names.end()) names.push_back(result.machine);
  return names;
}

std::string words(const std::string& machine) {
  static const std::map<std::string, std::string> known{{"rrr_benchmark", "3RRR robot with uniform rods"},
                                                        {"rrr_case_a", "3RRR robot, published case A"},
                                                        {"rrr", "3RRR robot"},
                                                        {"rrr_dop853", "3RRR robot, dop853 at 1e-9"}};
  if (auto found = known.find(machine); found != known.end()) return found->second;
  const auto underscore = machine.find_last_of('_');
  const std::string number = underscore == std::string::npos ? "" : machine.substr(underscore + 1);
  if (machine.starts_with("arm_") && !number.empty() && std::isdigit(number[0])) return "arm of " + number + " joints";
  if (machine.starts_with("windows_")) return "N-four-bar, N = " + number;
  return machine;
}

std::string error_text(double error) { return std::isfinite(error) ? fmt::format("{:.1e}", error) : "lost"; }

std::string time_text(double time) {
  if (time >= 1) return fmt::format("{:.3g} s", time);
  if (time >= 1e-3) return fmt::format("{:.3g} ms", 1e3 * time);
  return time >= 1e-6 ? fmt::format("{:.3g} µs", 1e6 * time) : fmt::format("{:.3g} ns", 1e9 * time);
}

// ---- sections -----------------------------------------------------------------------------------------------------

using Page = std::string;
template <class... Args>
void put(Page& page, fmt::format_string<Args...> text, Args&&... args) {
  fmt::format_to(std::back_inserter(page), text, std::forward<Args>(args)...);
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "an unknown processor";
}

void write_head(Page& page, const json& document) {
  const json& context = document.at("context");
  std::string engines;
  for (const auto& [key, value] : context.items())
    if (key.starts_with("engine ") && value != "-")
      engines += fmt::format("{}{} {}", engines.empty() ? "" : ", ", key.substr(7), value.get<std::string>());
  put(page, R"(# Benchmarks

`./go bench` measures all of this anew and writes this page. This one: {}, {} processors at {} MHz, {}, GCC {}, Release;
{}. Load of the machine when it began: {:.1f} (others used it too, if above 1).

Every time is the smallest processor time of several repetitions, on one core. All engines are measured in the same run, their
repetitions in random order, with the packages of Debian 12 as they are, and with settings in their favor: contacts and all that
is not needed are off. Every time is followed by the error against a reference that does not come from the engine: accelerations
against the plain equations in 80-bit arithmetic (relative to the largest), motions as the largest difference of a joint angle, in
rad, at equally spaced times. `by hand` is a C++ function written for this one robot (bench/hand_rrr.cpp), compiled for this very
processor: the floor.
The machines are those of models/rrr_benchmark.yaml, rrr.yaml, arm.yaml and n_four_bar.yaml.
)",
      processor_name(), context.value("num_cpus", 0), context.value("mhz_per_cpu", 0),
      context.value("date", "").substr(0, 10), __VERSION__, engines,
      context.at("load_avg").empty() ? 0.0 : context.at("load_avg")[0].get<double>());
}

void write_accelerations(Page& page, const Results& results) {
  const Results rows = of_row(results, "acceleration");
  put(page, R"(
## Accelerations

One evaluation: forward dynamics of the tree, and of closed loops with all constraints. MuJoCo's constraints are soft: its error
is that of the method, not of round-off. DART has no accelerations of closed loops.

| machine | engine | time, µs | times Armature's | error |
|---|---|---|---|---|
)");
  for (const std::string& machine : machines_of(rows)) {
    const Results group = of_row(rows, "acceleration", machine);
    for (const Result& result : group)
      put(page, "| {} | {} | {:.3g} | {:.3g} | {} |\n", words(machine), result.engine, 1e6 * result.processor,
          result.processor / group.front().processor, error_text(result.counter("error")));
  }
  for (const Result& result : rows)
    if (result.engine == "Armature")
      put(page, "{}{}: {:.0f} operations", &result == &rows.front() ? "\n" : "; ", words(result.machine),
          result.counter("operations"));
  put(page, ".\n");
}

const Result* cheapest(const Results& group, const std::string& engine, double error) {
  const Result* best = nullptr;
  for (const Result& result : group)
    if (result.engine == engine && result.counter("error") <= error && (!best || result.processor < best->processor))
      best = &result;
  return best;
}

double smallest_error(const Results& group, const std::string& engine) {
  double smallest = INFINITY;
  for (const Result& result : group)
    if (result.engine == engine) smallest = std::min(smallest, result.counter("error"));
  return smallest;
}

std::vector<std::string> engines_of(const Results& group) {
  std::vector<std::string> names;
  for (const Result& result : group)
    if (std::find(names.begin(), names.end(), result.engine) == names.end()) names.push_back(result.engine);
  return names;
}

void write_cost_at_error(Page& page, const Results& group, double error) {
  const Result* ours = cheapest(group, "Armature", error);
  for (const std::string& engine : engines_of(group)) {
    const Result* best = cheapest(group, engine, error);
    put(page, "| {} | {:.0e} | {} | ", words(group.front().machine), error, engine);
    if (best)
      put(page, "{} | {:.3g} | {} | {} |\n", best->setting, 1e3 * best->per_second(),
          ours ? fmt::format("{:.3g}", best->processor / ours->processor) : "", error_text(best->counter("error")));
    else
      put(page, "not reached | | | {} |\n", error_text(smallest_error(group, engine)));
  }
}

void write_motions(Page& page, const Results& results) {
  const Results rows = of_row(results, "motion");
  put(page, R"(
## One simulated second at a given error

5 s of motion, divided by five. Of each engine the cheapest of its settings that reaches the error; where none does, the smallest
error it came to. Armature and Simbody control their error and project onto the constraints; the others take fixed steps.

| machine | error at most | engine | setting | ms a simulated second | times Armature's | error |
|---|---|---|---|---|---|---|
)");
  for (const std::string& machine : machines_of(rows))
    for (double error : {1e-4, 1e-5, 1e-6}) write_cost_at_error(page, of_row(rows, "motion", machine), error);
  put(page, R"(
All settings:

| machine | engine | setting | ms a simulated second | steps | error |
|---|---|---|---|---|---|
)");
  for (const Result& result : rows)
    put(page, "| {} | {} | {} | {:.3g} | {:.0f} | {} |\n", words(result.machine), result.engine, result.setting,
        1e3 * result.per_second(), result.counter("steps"), error_text(result.counter("error")));
}

int windows_of(const Result& result) { return std::stoi(result.machine.substr(result.machine.find_last_of('_') + 1)); }

// The exponent of N by least squares of logarithms, from N = 10.
double growth(const Results& rows) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Result& result : rows) {
    if (result.engine != "Armature" || windows_of(result) < 10) continue;
    const double a = std::log(windows_of(result)), b = std::log(result.per_step());
    n += 1, x += a, y += b, xx += a * a, xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

void write_windows(Page& page, const Results& results) {
  const Results rows = of_row(results, "step");
  put(page, R"(
## N windows of equal bars

One step of 1 ms, with 2N+1 coordinates and 2N constraints, through poses in which one degree of freedom becomes N+1: RK4 with
projection (Armature), RK4 (MuJoCo), Runge-Kutta-Merson with projection (Simbody), semi-implicit Euler (DART). The error is that
after 10 s, from N = 100 after 1 s.

| N | engine | µs a step | times Armature's | error |
|---|---|---|---|---|
)");
  for (const std::string& machine : machines_of(rows)) {
    const Results group = of_row(rows, "step", machine);
    for (const Result& result : group)
      put(page, "| {} | {} | {:.3g} | {:.3g} | {} |\n", windows_of(result), result.engine, 1e6 * result.per_step(),
          result.per_step() / group.front().per_step(), error_text(result.counter("error")));
  }
  put(page, R"(
Armature's time grows as N to the power of {:.2f}, fitted from N = 10 on.

N = 2 for 10 s through its singular poses at the 24 step sizes 0.1 s/k, k = 7 … 30 (14.3 to 3.3 ms). A motion has stayed on its branch if its angles are
within 0.1 rad of the right ones.

| engine | stayed on the branch | largest error |
|---|---|---|
)",
      growth(rows));
  for (const Result& result : of_row(results, "step_sizes"))
    put(page, "| {} | {:.0f} of 24 | {} |\n", result.engine, result.counter("passed"),
        error_text(result.counter("error")));
}

void write_lanes(Page& page, const Results& results) {
  put(page, R"(
## Many states at once

The program of one evaluation alone, without what surrounds it in a run: one state, and eight in vector registers.

| machine | one state, ns | a state of eight, ns | times as many states a second |
|---|---|---|---|
)");
  const Results rows = of_row(results, "lanes");
  for (const std::string& machine : machines_of(rows)) {
    const Results group = of_row(rows, "lanes", machine);
    if (group.size() != 2) continue;
    const double one = group[0].processor, eight = group[1].processor / 8;
    put(page, "| {} | {:.3g} | {:.3g} | {:.3g} |\n", words(machine), 1e9 * one, 1e9 * eight, one / eight);
  }
}

void write_motion_lanes(Page& page, const Results& results) {
  put(page, R"(
Whole motions on one thread, with their steps, events, projection and formulas: one after the other, and eight at once.

| machine | one after the other, ms a motion | eight at once | times as many motions a second |
|---|---|---|---|
)");
  const Results rows = of_row(results, "motion_lanes");
  for (const std::string& machine : machines_of(rows)) {
    const Results group = of_row(rows, "motion_lanes", machine);
    if (group.size() != 2) continue;
    const double one = group[0].processor / group[0].counter("motions"),
                 eight = group[1].processor / group[1].counter("motions");
    put(page, "| {} | {:.3g} | {:.3g} | {:.3g} |\n", words(machine), 1e3 * one, 1e3 * eight, one / eight);
  }
}

void write_models(Page& page, const Results& results) {
  put(page, R"(
## The machines of models/

One evaluation of the equations, and a whole run as the file asks for it, with the energy ledger but without writing files. The error
is the largest difference of a position, in rad or m, from a run at a tolerance a thousand times smaller.

| model | operations | evaluation, µs | simulated, s | rtol | steps | run, ms | error |
|---|---|---|---|---|---|---|---|
)");
  for (const Result& run : of_row(results, "run")) {
    const Results evaluation = of_row(results, "evaluation", run.machine);
    if (evaluation.empty()) continue;
    put(page, "| {} | {:.0f} | {:.3g} | {:g} | {:.0e} | {:.0f} | {:.3g} | {} |\n", run.machine,
        evaluation[0].counter("operations"), 1e6 * evaluation[0].processor, run.counter("seconds"), run.counter("rtol"),
        run.counter("steps"), 1e3 * run.processor, error_text(run.counter("error")));
  }
}

void write_shares(Page& page, const Results& results) {
  put(page, R"(
## What a run spends besides its motion

Whole runs with rows and digits (written to nowhere), events, peaks of currents and projection, against their bare motion: the same
method at the same tolerance from one change of a comparison to the next, without any of that. It may need more steps, where
projection takes a part of the error away; the share is given of the whole run and of one step. N = 40 windows until 0.6 s, before
their first singular pose. Times are those of the run's own thread from its first row on, the smallest of sixty; what is observed
is computed by two threads next to the run, one of them for digits; the last column gives their time.

| machine | rows | steps | bare motion, ms | steps | whole run, ms | share of all else | of a step | beside, µs a row |
|---|---|---|---|---|---|---|---|---|
)");
  const Results rows = of_row(results, "share");
  for (const std::string& machine : machines_of(rows)) {
    const Results group = of_row(rows, "share", machine);
    if (group.size() != 2) continue;
    const Result &whole = group[0], &bare = group[1];
    const double step = whole.clock / whole.counter("steps"), alone = bare.clock / bare.counter("steps");
    put(page, "| {} | {:.0f} | {:.0f} | {:.3g} | {:.0f} | {:.3g} | {:.0f} % | {:.0f} % | {:.3g} |\n", words(machine),
        whole.counter("rows"), bare.counter("steps"), 1e3 * bare.clock, whole.counter("steps"), 1e3 * whole.clock,
        100 * (1 - bare.clock / whole.clock), 100 * (1 - alone / step),
        1e6 * whole.counter("beside") / whole.counter("rows"));
  }
}

void write_starts(Page& page, const Results& results) {
  put(page, R"(
## From the start of the process to the first step

Reading, compiling, assembling the machine and its machine code, one step, writing the results.

| machine | by the clock, ms | processor, ms |
|---|---|---|
)");
  for (const Result& result : of_row(results, "start"))
    put(page, "| {} | {:.3g} | {:.3g} |\n", words(result.machine), 1e3 * result.clock,
        1e3 * result.counter("processor"));
}

void write_studies(Page& page, const Results& results) {
  put(page, R"(
## Studies

By the clock, on all processors. Published: what the authors of the arm's experiment report (Lyu and Liu: Matlab, on another
machine, an Intel Core i5 of 3.2 GHz).

| what | time | published |
|---|---|---|
)");
  auto study = [&](const char* row, const char* what, const char* published = "", const char* machine = "") {
    for (const Result& result : of_row(results, row, machine))
      put(page, "| {} | {} | {} |\n", what, time_text(result.clock), published);
  };
  study("press_map", "61 × 61 map of the press, 40 s each");
  study("press_map_one_by_one", "the same, one motion after the other in each thread");
  study("arm_tuning", "40 × 40 pairs of gains of the arm on a circle, 400 steps each", "95.4 s");
  study("arm_tuning_one_by_one", "the same, one pair after the other in each thread");
  study("run", "one motion of that arm, 40 s as its file asks", "2.88 s", "arm_on_circle");
  study("record_row", "one recorded row of 50 channels");
}

// Measured apart, on a machine that has one, by `./go gpu`, which writes this section: it stays.
std::string gpu_section(const std::string& file) {
  std::ifstream old(file);
  const std::string section = section_of({std::istreambuf_iterator<char>(old), {}}, "On a GPU");
  return section.empty() ? "" : "\n" + section.substr(0, section.find_last_not_of('\n') + 1) + "\n";
}

// ---- before and after ---------------------------------------------------------------------------------------------

// What this page said before the step was written once for any width, in s; at commit e472d30, on the same kind of machine.
struct Before {
  const char *row, *machine, *setting, *what;
  double time;
};
constexpr Before before_one_step[] = {
    {"acceleration", "rrr_benchmark", "", "acceleration, 3RRR robot with uniform rods", 0.168e-6},
    {"acceleration", "arm_7", "", "acceleration, arm of 7 joints", 0.376e-6},
    {"acceleration", "arm_20", "", "acceleration, arm of 20 joints", 2.17e-6},
    {"motion", "rrr_benchmark", "dopri5, rtol 1e-07", "one second at 1e-6, 3RRR robot with uniform rods", 0.0664e-3},
    {"motion", "rrr_case_a", "dop853, rtol 1e-08", "one second at 1e-6, 3RRR robot, published case A", 0.335e-3},
    {"step", "windows_2", "", "step, N = 2", 0.698e-6},
    {"step", "windows_10", "", "step, N = 10", 2.67e-6},
    {"step", "windows_40", "", "step, N = 40", 11.5e-6},
    {"step", "windows_100", "", "step, N = 100", 29.3e-6},
    {"step", "windows_200", "", "step, N = 200", 60.5e-6},
    {"step", "windows_400", "", "step, N = 400", 138e-6},
    {"step", "windows_1000", "", "step, N = 1000", 366e-6},
    {"lanes", "rrr", "", "evaluation of eight states, 3RRR robot", 8 * 32e-9},
    {"lanes", "press", "", "evaluation of eight states, press", 8 * 12.1e-9},
    {"lanes", "arm_on_circle", "", "evaluation of eight states, arm on a circle", 8 * 18.3e-9},
    {"motion_lanes", "rrr", "", "motion of eight in lanes, 3RRR robot", 0.443e-3},
    {"motion_lanes", "rrr_dop853", "", "motion of eight in lanes, 3RRR robot, dop853 at 1e-9", 0.683e-3},
    {"motion_lanes", "press", "", "motion of eight in lanes, press", 0.583e-3},
    {"press_map", "", "", "61 × 61 map of the press", 0.787},
    {"arm_tuning", "", "", "40 × 40 pairs of gains of the arm on a circle", 43.1e-3},
};

// The time of a result as the table above gives it.
double comparable_time(const Result& result) {
  if (result.row == "motion") return result.per_second();
  if (result.row == "step") return result.per_step();
  if (result.row == "motion_lanes") return result.processor / result.counter("motions");
  return result.row == "press_map" || result.row == "arm_tuning" ? result.clock : result.processor;
}

// Of several engines ours; of one state and eight, eight.
const Result* measured(const Results& results, const Before& before) {
  const Result* last = nullptr;
  for (const Result& result : results) {
    const bool is_ours =
        result.row == "lanes" || result.row == "motion_lanes" || result.engine.empty() || result.engine == "Armature";
    if (result.row == before.row && is_ours && (!*before.machine || result.machine == before.machine) &&
        (!*before.setting || result.setting == before.setting))
      last = &result;
  }
  return last;
}

void write_before_and_after(Page& page, const Results& results) {
  put(page, R"(
## Before and after one step for any width

Before: this page at commit e472d30, on the same kind of machine, with one step for one state and another for eight, and every tree
factored as a whole (see design/010-one-step.md and design/011-long-trees.md). Times are those of the tables above.

| what | before | now | now/before |
|---|---|---|---|
)");
  for (const Before& before : before_one_step)
    if (const Result* now = measured(results, before))
      put(page, "| {} | {} | {} | {:.2f} |\n", before.what, time_text(before.time), time_text(comparable_time(*now)),
          comparable_time(*now) / before.time);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: armature_bench_report RESULTS.json PAGE.md\n";
    return 2;
  }
  std::ifstream file(argv[1]);
  const json document = json::parse(file, nullptr, false);
  if (document.is_discarded()) {
    std::cerr << argv[1] << ": no results of a benchmark\n";
    return 1;
  }
  const Results results = read_results(document);
  Page page;
  write_head(page, document);
  write_accelerations(page, results);
  write_motions(page, results);
  write_windows(page, results);
  write_lanes(page, results);
  write_motion_lanes(page, results);
  write_models(page, results);
  write_shares(page, results);
  write_starts(page, results);
  write_studies(page, results);
  put(page, "{}", gpu_section(argv[2]));
  write_before_and_after(page, results);
  std::ofstream(argv[2]) << page;
}
