#include "programs.hpp"

#include <algorithm>

#include "engine.hpp"

namespace armature::internal::bench {

benchmark::internal::Benchmark* smallest_of(int repetitions, benchmark::internal::Benchmark* benchmark) {
  auto smallest = [](const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); };
  return benchmark->Repetitions(repetitions)->ReportAggregatesOnly()->ComputeStatistics("min", smallest);
}

benchmark::internal::Benchmark* add(const std::string& name, Body body, int repetitions) {
  return smallest_of(repetitions, benchmark::RegisterBenchmark(name.c_str(), std::move(body))->MinTime(0.1));
}

}  // namespace armature::internal::bench

int main(int argc, char** argv) {
  for (const auto& kind : armature::internal::bench::engines())
    benchmark::AddCustomContext("engine " + kind.name, kind.version);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  armature::internal::bench::register_comparisons();
  armature::internal::bench::register_models();
  armature::internal::bench::register_starts();
  armature::internal::bench::register_shares();
  benchmark::RunSpecifiedBenchmarks();
}
