// What a process of its own costs, and that nothing of it is left.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "couple/coupled_run.hpp"
#include "couple/foreign_archive.hpp"
#include "couple/foreign_fmu.hpp"
#include "model/request_error.hpp"
#include "prepare/prepare.hpp"
#include "read/reader.hpp"
#include "record/recorder.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

FmuArchive foreign(const std::string& name, int version) {
  FmuArchive archive;
  archive.use.name = name;
  archive.use.step = 1e-3;
  archive.bytes = zip_of(foreign_files(version));
  return archive;
}

struct Costs {
  double least, median;  // microseconds
};
Costs costs_of(std::vector<double> times) {
  std::ranges::sort(times);
  return {times.front(), times[times.size() / 2]};
}

// An input is set, an output is read, the FMU steps, which takes it no time. Other programs may hold up single exchanges, not all of them.
TEST(Exchange, CostsLessThan20Microseconds) {
  constexpr int exchanges = 20000;
  for (const int version : {2, 3}) {
    ForeignFmu fmu(foreign("fine", version), {});
    std::vector<FmuValue> given{{fmu.interface().inputs[0]}}, taken{{fmu.interface().outputs[0]}};
    fmu.initialize(0, exchanges * 1e-3);
    std::vector<double> values, steps;
    for (int k = 0; k < exchanges; ++k) {
      const auto began = Clock::now();
      given[0].number = k;
      fmu.exchange(given, taken);
      const auto exchanged = Clock::now();
      fmu.step(k * 1e-3, 1e-3);
      const auto stepped = Clock::now();
      EXPECT_EQ(taken[0].number, std::max(k - 1, 0));
      values.push_back(std::chrono::duration<double, std::micro>(exchanged - began).count());
      steps.push_back(std::chrono::duration<double, std::micro>(stepped - began).count());
    }
    const Costs exchange = costs_of(values), step = costs_of(steps);
    std::printf("FMI %d: exchange of values at least %.2f us, median %.2f us; with the step %.2f us, %.2f us\n",
                version, exchange.least, exchange.median, step.least, step.median);
    EXPECT_LT(exchange.least, 20);
    EXPECT_LT(step.least, 20);
    EXPECT_TRUE(fmu.end().empty());
  }
}

long open_files() { return std::distance(fs::directory_iterator("/proc/self/fd"), {}); }
long children() {
  long count = 0;
  for (const auto& thread : fs::directory_iterator("/proc/self/task")) {
    std::ifstream in(thread.path() / "children");
    for (int id = 0; in >> id;) ++count;
  }
  return count;
}

TEST(Crashes, LeaveNoFolderAndNoProcess) {
  const TemporaryFolder folder;
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  const long files = open_files();
  for (int k = 0; k < 100; ++k)
    for (const char* deed : {"crash", "abort", "exit", "fork_and_crash"}) {
      ForeignFmu fmu(foreign(deed, 2 + k % 2), {});
      fmu.initialize(0, 1);
      const auto steps = [&] {
        for (int n = 0; n < 5; ++n) fmu.step(n * 1e-3, 1e-3);
      };
      EXPECT_THROW(steps(), ComputationError);
    }
  ::unsetenv("TMPDIR");
  EXPECT_EQ(children(), 0);  // not even one that has ended and was not waited for
  EXPECT_EQ(open_files(), files);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

// Runs in threads of one program have a process each, and the same bits.
TEST(CoupledRuns, MayGoOnBesideEachOther) {
  const TemporaryFolder folder;
  std::ofstream(folder / "f.fmu", std::ios::binary) << zip_of(foreign_files(3));
  const Model model = read_model_text(
      "armature: 1\ngravity: [0, 0, 0]\nplane: xy\nbodies: {disk: {mass: 1 kg, inertia: {zz: 0.1}}}\n"
      "joints: {turn: {type: revolute, axis: z, between: [ground, disk]}}\n"
      "forces: {drive: {type: effort, on: turn, is: 1 N*m - a.y*1 N*m - b.y*1 N*m}}\n"
      "fmus: {a: {file: f.fmu, step: 1 ms, connect: {u: turn}}, b: {file: f.fmu, step: 3 ms, connect: {u: turn}}}\n"
      "simulate: {end: 0.5 s, record: 10 ms}\n",
      (folder / "m.yaml").string());
  std::vector<MemoryRecorder> rows(6);
  std::vector<std::thread> threads;
  for (MemoryRecorder& mine : rows)
    threads.emplace_back([&] {
      Prepared prepared = compile(model);
      assemble_start(prepared);
      EXPECT_EQ(simulate_coupled(model, fmu_archives(model), prepared, mine).status, RunStatus::finished);
    });
  for (std::thread& thread : threads) thread.join();
  for (const MemoryRecorder& other : rows) EXPECT_EQ(other.column("turn"), rows[0].column("turn"));
  EXPECT_GT(rows[0].column("turn").back(), 0.1);
}

}  // namespace
}  // namespace armature::internal
