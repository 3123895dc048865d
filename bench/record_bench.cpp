// Time to record one row of 50 channels.

#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "record/csv_recorder.hpp"

namespace {

void record_row(benchmark::State& state) {
  armature::internal::CsvRecorder recorder("/dev/null");
  recorder.begin(std::vector<armature::internal::Channel>(50, {"x", "m"}));
  std::vector<double> row(50);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = std::sin(double(i));
  for (auto _ : state) recorder.row(row);
}
BENCHMARK(record_row);

}  // namespace
