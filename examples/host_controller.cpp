// A controller outside of the model: moves the cart by one metre and damps the pendulum. Every millisecond it reads three
// channels and sets the motor's voltage.
#include <algorithm>
#include <armature/armature.hpp>
#include <cstdio>

int main(int argc, char** argv) try {
  const armature::Machine machine = armature::compile(armature::read_model(argc > 1 ? argv[1] : "cart.yaml"));
  armature::Run run(machine);
  const int voltage = run.input("V");
  const int travel = run.channel("travel"), speed = run.channel("travel'"), swing = run.channel("swing");

  for (int k = 0; k < 5000; ++k) {
    const double error = 1.0 - run.value(travel);
    run.set_input(voltage, std::clamp(40 * error - 25 * run.value(speed) + 60 * run.value(swing), -24.0, 24.0));
    run.advance(0.001 * (k + 1));
  }
  std::printf("t = %g s: travel = %.6f m, swing = %.6f rad\n", run.t(), run.value(travel), run.value(swing));
} catch (const armature::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
