// From the start of the process to its end after one step: reading, compiling, assembling the machine and its code, and writing
// the results. The time is that on the clock; the counter `processor` holds what the process used of it, in s.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "programs.hpp"

extern char** environ;

namespace armature::internal::bench {

namespace {

// Whether the program ended well.
bool execute(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", 1, 0);
  posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", 1, 0);
  pid_t process = 0;
  int status = 1;
  if (posix_spawn(&process, arguments[0], &quiet, nullptr, arguments.data(), environ) == 0)
    waitpid(process, &status, 0);
  posix_spawn_file_actions_destroy(&quiet);
  return status == 0;
}

// Of all processes that were started and have ended, s.
double processor_time() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * time.tv_usec; };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

void first_step(benchmark::State& state, const std::string& model, const std::string& setting) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("armature_bench_{}", getpid());
  std::vector<std::string> words{ARMATURE_PROGRAM,
                                 "run",
                                 std::string(ARMATURE_SOURCE_DIR) + "/models/" + model,
                                 "--end",
                                 "1e-6",
                                 "--no-report",
                                 "-o",
                                 folder.string()};
  if (!setting.empty()) words.insert(words.end(), {"--set", setting});
  double processor = 1e9;
  for (auto _ : state) {
    const double before = processor_time();
    const auto begin = std::chrono::steady_clock::now();
    if (!execute(words)) state.SkipWithError("the program failed");
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    processor = std::min(processor, processor_time() - before);
  }
  state.counters["processor"] = processor;
  std::filesystem::remove_all(folder);
}

}  // namespace

void register_starts() {
  add("start/rrr", [](benchmark::State& state) { first_step(state, "rrr.yaml", ""); })->UseManualTime();
  for (int N : {40, 1000})
    add(fmt::format("start/windows_{}", N), [N](benchmark::State& state) {
      first_step(state, "n_four_bar.yaml", fmt::format("N={}", N));
    })->UseManualTime();
}

}  // namespace armature::internal::bench
