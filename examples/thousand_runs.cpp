// A thousand motions with a thousand loads: the model is compiled once, each thread has runs of its own.
#include <algorithm>
#include <armature/armature.hpp>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

// How far the pendulum swings after the cart has been pushed with 6 V for half a second.
double largest_swing(const armature::Machine& machine, double load) {
  armature::Run run(machine);
  run.set_input("load", load);
  run.set_input("V", 6);
  const int swing = run.channel("swing");
  double largest = 0;
  for (int k = 1; k <= 100; ++k) {
    if (k == 50) run.set_input("V", 0);
    run.advance(0.01 * k);
    largest = std::max(largest, std::abs(run.value(swing)));
  }
  return largest;
}

}  // namespace

int main(int argc, char** argv) try {
  armature::CompileOptions options;
  options.inputs = {"load"};
  const armature::Machine machine = armature::compile(armature::read_model(argc > 1 ? argv[1] : "cart.yaml"), options);

  constexpr int count = 1000;
  std::vector<double> swings(count);
  std::atomic<int> next{0};
  {
    std::vector<std::jthread> threads;
    for (unsigned k = 0; k < std::max(1u, std::thread::hardware_concurrency()); ++k)
      threads.emplace_back([&] {
        for (int i; (i = next++) < count;) swings[i] = largest_swing(machine, 0.5 + 0.005 * i);
      });
  }
  const auto [least, most] = std::minmax_element(swings.begin(), swings.end());
  std::printf("%d runs: the pendulum swings by %.4f to %.4f rad\n", count, *least, *most);
} catch (const armature::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
