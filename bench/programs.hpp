// How benchmarks are registered and measured: the smallest processor time of several repetitions, since on a machine that
// others use as well all disturbances lengthen.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>

namespace armature::internal::bench {

using Body = std::function<void(benchmark::State&)>;
benchmark::internal::Benchmark* smallest_of(int repetitions, benchmark::internal::Benchmark* benchmark);
benchmark::internal::Benchmark* add(const std::string& name, Body body, int repetitions = 5);

void register_comparisons();  // comparison_bench.cpp
void register_models();       // models_bench.cpp
void register_starts();       // start_bench.cpp
void register_shares();       // share_bench.cpp

}  // namespace armature::internal::bench
