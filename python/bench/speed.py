"""How fast the package is, in processor time, so that other programs on the machine hardly matter:

PYTHONPATH=build/release/python python3 python/bench/speed.py [--program build/release/apps/cli/armature] [--quick]

- rollout: steps of RK4 per second and core for 4096 states of the 3RRR robot
- step: what sim.step(dt) takes beyond the same step inside one call of the engine, µs
- simulate: seconds of computing of model.simulate() over those of `armature run`, for a motion of about one second of computing

Each number is the best of several rounds; those that are compared are measured in turn.
"""
import argparse
import json
import os
import subprocess
import tempfile
import time

import numpy as np

import armature

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def model_file(name: str) -> str:
    return os.path.join(ROOT, "models", name + ".yaml")


def processor_time(work) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def rollout(rounds: int, steps: int, motions: int = 4096) -> float:
    """Steps per second of processor time, all threads together: on two cores that nobody else uses, twice as many a second."""
    model = armature.load(model_file("rrr"))
    states = np.tile(model.rollout_row(model.assemble()), (motions, 1))
    out = np.empty_like(states)
    run = lambda: model.rollout(states, steps=steps, step=1e-4, out=out)
    run()  # compiles
    return motions * steps / min(processor_time(run) for _ in range(rounds))


def step(rounds: int, count: int) -> float:
    """µs of one sim.step(dt) beyond a step of the engine: calls one by one against one call for as many steps."""
    model, dt = armature.load(model_file("rrr"), {"simulate.integrator": "rk4", "simulate.step": "1e-4"}), 1e-4

    def one_by_one(sim):
        for _ in range(count):
            sim.step(dt)

    best = {one_by_one: np.inf, "at once": np.inf}
    for _ in range(rounds):
        sim = model.start()
        best[one_by_one] = min(best[one_by_one], processor_time(lambda: one_by_one(sim)))
        sim = model.start()
        best["at once"] = min(best["at once"], processor_time(lambda: sim.advance(count * dt)))
    return 1e6 * (best[one_by_one] - best["at once"]) / count


def simulate(rounds: int, end: float, program: str) -> float:
    """Seconds of computing in Python over those of the program, each as the run itself counts them."""
    file, python, alone = model_file("rrr"), np.inf, np.inf
    model = armature.load(file)
    model.simulate(end=end)  # compiles
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            python = min(python, model.simulate(end=end).outcome.statistics.seconds)
            command = [program, "run", file, "--end", str(end), "--no-report", "--json", "-o", os.path.join(folder, "r")]
            said = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
            alone = min(alone, said["statistics"]["seconds"])
    return python / alone


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "release", "apps", "cli", "armature"))
    parser.add_argument("--quick", action="store_true", help="small sizes: whether it works, not how fast")
    given = parser.parse_args()
    quick = given.quick
    print(f"rollout: {rollout(1 if quick else 5, 2 if quick else 200):.3g} steps per second and core")
    print(f"step: {step(1 if quick else 5, 100 if quick else 20000):.2f} µs beyond the engine's")
    print(f"simulate: {simulate(1 if quick else 7, 0.1 if quick else 200, given.program):.3f} of the time of armature run")


if __name__ == "__main__":
    main()
