#!/usr/bin/env python3
"""Measures the singular sweeps of docs/design/010-one-step.md: how many motions through singular poses stay on their branch.

    docs/tables/singular_sweeps.py PROGRAM            all sweeps
    docs/tables/singular_sweeps.py PROGRAM SWEEP …    steps, tolerances, parallelograms, light_rods, or some of
                                                      them with an integrator: tolerances:radau5
    docs/tables/singular_sweeps.py PROGRAM --check SWEEP …
                                                      fails if more than one motion in a hundred does not count

Each motion that does not count is printed with what became of it. Two programs are compared by running both: the motions are the
same each time.
"""
import collections
import concurrent.futures
import csv
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ON_BRANCH = 1e-3  # rad, m


class Motion:
    """A run in a folder of its own: its columns by name, None if it failed, and what it printed."""

    def __init__(self, program, model, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = ROOT / "models" / model
            if "\n" in model:
                path = pathlib.Path(folder, "model.yaml")
                path.write_text(model)
            output = os.path.join(folder, "run")
            done = subprocess.run([program, "run", path, *map(str, options), "-q", "--no-report", "-o", output],
                                  capture_output=True, text=True, check=False)
            self.said = (done.stdout + done.stderr).strip()
            self.columns = None
            if done.returncode == 0:
                with open(os.path.join(output, "trajectory.csv"), encoding="utf-8") as file:
                    head, *rows = csv.reader(file)
                self.columns = {name.split()[0]: [float(row[i]) for row in rows] for i, name in enumerate(head)}

    def __getitem__(self, name):
        return self.columns[name]


def in_parallel(function, items):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(function, items))


def steps(program, integrators):
    """The N-four-bar, N = 2, at 24 step sizes, against dop853 at a tolerance of 1e-13."""
    options = ["--set", "N=2", "--end", 10, "--record", 0.1]
    exact = Motion(program, "n_four_bar.yaml", *options, "--integrator", "dop853", "--rtol", 1e-13)
    for integrator in integrators or ["rk4"]:
        def error(k):
            motion = Motion(program, "n_four_bar.yaml", *options, "--integrator", integrator, "--step", repr(0.1 / k))
            pivots = ["pivot0", "pivot1", "pivot2"]
            return max(abs(x - y) for pivot in pivots for x, y in zip(motion[pivot], exact[pivot])) if motion.columns else math.inf

        errors = in_parallel(error, range(7, 31))
        good = sum(error < 0.1 for error in errors)
        print(f"24 step sizes, {integrator}: {good} on their branch, largest error {max(errors):.2g} rad", flush=True)
        yield good / len(errors)


def tolerances(program, integrators):
    """The equal slider-crank with the motor's inductance at 101 tolerances; slide = 0.7 cos(crank) on its branch."""
    for integrator in integrators or ["dopri5", "dop853", "cvode_bdf"]:
        def off(k):
            motion = Motion(program, "slider_crank.yaml", "--set", "l1=0.35", "--set", "l2=0.35", "--end", 10,
                            "--record", 5e-3, "--rtol", repr(10 ** (-4 - 8 * k / 100)), "--integrator", integrator)
            if not motion.columns:
                return math.inf, motion.said
            return max(abs(s - 0.7 * math.cos(c)) for s, c in zip(motion["slide"], motion["crank"])), ""

        found = in_parallel(off, range(101))
        good = [distance for distance, _ in found if distance < ON_BRANCH]
        print(f"101 tolerances of the equal slider-crank, {integrator}: {len(good)} on their branch, "
              f"at most {max(good, default=math.nan):.2g} m off", flush=True)
        for k, (distance, said) in enumerate(found):
            if not distance < ON_BRANCH:
                print(f"    1e{-4 - 8 * k / 100:.2f}: {said.splitlines()[-1] if said else f'{distance:.2g} m off'}")
        yield len(good) / len(found)


class Parallelogram:
    """A crank and a rocker of equal length, closed by a rod: massless (a distance), or of 1 g."""

    def __init__(self, length, base, crank, rocker, speed, gravity, massless):
        self.length, self.base, self.crank, self.rocker = length, base, crank, rocker  # (mass, center, inertia)
        self.speed, self.gravity, self.massless = speed, gravity, massless

    def text(self, rtol, integrator):
        length, base = self.length, self.base
        def link(mass, center, inertia):
            return f"{{mass: {mass!r}, center: [{center!r}, 0, 0], inertia: {{zz: {inertia!r}}}}}"

        rod = "" if self.massless else f"  rod: {link(1e-3, base / 2, 1e-4)}\n"
        closing = f"""  c: {{type: revolute, between: ["crank [{length!r}, 0, 0]", rod]}}
  d: {{type: revolute, between: ["rod [{base!r}, 0, 0]", "rocker [{length!r}, 0, 0]"]}}
"""
        if self.massless:
            closing = f"""constraints:
  rod: {{type: distance, between: ["crank [{length!r}, 0, 0]", "rocker [{length!r}, 0, 0]"], length: {base!r}}}
"""
        return f"""armature: 1
plane: xy
gravity: [0, {self.gravity}, 0]
bodies:
  crank: {link(*self.crank)}
  rocker: {link(*self.rocker)}
{rod}joints:
  a: {{type: revolute, between: [ground, crank]}}
  b: {{type: revolute, between: ["ground [{base!r}, 0, 0]", rocker]}}
{closing}start: {{keep: {{a: 0.5}}, near: {{b: 0.5}}, speed: {{a: {self.speed!r}}}}}
simulate: {{end: 5 s, record: 10 ms, rtol: {rtol!r}, integrator: {integrator}}}
"""

    def judge(self, program, rtol, integrator):
        """What became of a motion: '' if it stayed on its branch with its energy."""
        motion = Motion(program, self.text(rtol, integrator))
        if not motion.columns:
            return "failed: " + motion.said.splitlines()[-1]
        apart = max(abs(math.remainder(a - b, 2 * math.pi)) for a, b in zip(motion["a"], motion["b"]))
        lost = max(map(abs, motion["energy.error"])) / motion["energy.kinetic"][0]
        warned = "with a warning" if "warning" in motion.said else "without a warning"
        if apart >= ON_BRANCH:
            return f"branch, {warned}: crank and rocker differ by {apart:.2g} rad"
        return f"energy, {warned}: off by {lost:.2g} of the kinetic energy" if lost > 1e-3 else ""


def print_judged(title, cases, verdicts):
    """Returns the share that is right."""
    kinds = collections.Counter(verdict.split(":")[0] for verdict in verdicts if verdict)
    print(f"{title}: {verdicts.count('')} of {len(verdicts)} right {dict(kinds) if kinds else ''}", flush=True)
    for (_, rtol, integrator), verdict in zip(cases, verdicts):
        if verdict:
            print(f"    {integrator}, {rtol:.3g}: {verdict}")
    return verdicts.count("") / len(verdicts)


def random_parallelograms(seed):
    """600 of them, every other one with a massless rod; each with a tolerance and an integrator."""
    choice = random.Random(seed)
    for i in range(600):
        length, base = choice.uniform(0.2, 1), choice.uniform(0.3, 1.2)
        masses = [10 ** choice.uniform(-1, math.log10(5)) for _ in range(2)]
        centers = [choice.uniform(0.05, 0.95) * length for _ in range(2)]
        inertias = [mass * length * length * choice.uniform(0.02, 0.2) for mass in masses]
        speed, rtol = choice.uniform(8, 20), 10 ** choice.uniform(-9, -5)
        gravity = -9.81 if choice.random() < 0.5 else 0
        integrator = "dop853" if choice.random() < 0.5 else "dopri5"
        crank, rocker = zip(masses, centers, inertias)
        yield Parallelogram(length, base, crank, rocker, speed, gravity, massless=i % 2 == 0), rtol, integrator


def parallelograms(program, integrators):
    for seed in (7, 8):
        cases = list(random_parallelograms(seed))
        for integrator in integrators or [None]:
            own = [(machine, rtol, integrator or chosen) for machine, rtol, chosen in cases]
            verdicts = in_parallel(lambda case: case[0].judge(program, *case[1:]), own)
            yield print_judged(f"600 parallelograms, seed {seed}", own, verdicts)


# Those of test/cases/parallelogram_test.cpp, each at 30 tolerances from a tenth of its own to 80 times it.
LIGHT_RODS = [
    (Parallelogram(0.5, 1, (5, 0.446, 0.125), (1, 0.125, 0.02), 13.55419711244579, 0, False), 1.4393483528020445e-6),
    (Parallelogram(0.2, 0.3, (0.1, 0.018, 4e-4), (5, 0.089, 0.016), 15.4355293, 0, False), 6.478e-7),
    (Parallelogram(0.5, 0.3, (5, 0.147, 0.125), (1, 0.185, 0.02), 17.27717448, 0, False), 8.519e-8),
    (Parallelogram(1, 1, (0.1, 0.006, 0.01), (5, 0.55, 0.4), 19.49306141, 0, False), 2.283e-7),
    (Parallelogram(0.5, 1, (1, 0.25, 0.02), (2, 0.25, 0.05), 9, -9.81, False), 1e-9),
]


def light_rods(program, integrators):
    for integrator in integrators or ["dopri5", "dop853", "cvode_bdf", "radau5"]:
        cases = [(machine, rtol * 10 ** (-1 + k / 10), integrator) for machine, rtol in LIGHT_RODS for k in range(30)]
        verdicts = in_parallel(lambda case: case[0].judge(program, *case[1:]), cases)
        yield print_judged(f"150 parallelograms with light rods, {integrator}", cases, verdicts)


SWEEPS = {"steps": steps, "tolerances": tolerances, "parallelograms": parallelograms, "light_rods": light_rods}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, check = os.path.abspath(sys.argv[1]), "--check" in sys.argv
    shares = []
    for argument in [argument for argument in sys.argv[2:] if argument != "--check"] or SWEEPS:
        name, *integrators = argument.split(":")
        if name not in SWEEPS:
            sys.exit(f"singular_sweeps.py: unknown sweep '{name}'; expected {', '.join(SWEEPS)}")
        shares += SWEEPS[name](program, integrators)
    if check and min(shares) < 0.99:
        sys.exit("singular_sweeps.py: more than one motion in a hundred does not count")


if __name__ == "__main__":
    main()
