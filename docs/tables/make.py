#!/usr/bin/env python3
"""Measures the tables of docs/choosing.md by running the program on the models of this project.

    docs/tables/make.py PROGRAM            writes the tables into docs/choosing.md
    docs/tables/make.py PROGRAM TABLE …    only these
    docs/tables/make.py PROGRAM --check    compares: words must be the same, counts agree to a tenth, errors to a factor of
                                           three (below 1e-9: need only be small); times are not compared

A table is between <!-- table: NAME --> and <!-- end -->. Errors are the largest differences of positions (rad, m) at the
recorded times from a run by dop853 with rtol 1e-13; in the table of integrators, medians of fifteen runs.
"""
import csv
import json
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "choosing.md"

# name: (file, options that make a case of it; those of a table come first)
CASES = {
    "3RRR": ("rrr.yaml", ["--end", "3", "--record", "0.01"]),
    "3RRR, Lagrangian": ("rrr_lagrangian.yaml", ["--end", "3", "--record", "0.01"]),
    "N-four-bar": ("n_four_bar.yaml", ["--end", "10", "--record", "0.02"]),
    "equal slider-crank": ("slider_crank_equal.yaml", ["--end", "3", "--record", "0.01"]),
    "press": ("press.yaml", ["--set", "phi0=pi", "--set", "w0=0.5", "--end", "35", "--record", "0.1"]),
    "five-bar": ("five_bar.yaml", ["--end", "0.5", "--record", "0.005"]),
    "8 elements": ("five_bar.yaml", ["--set", "elements=8", "--end", "0.5", "--record", "0.005"]),
    "8 elements, 3 modes": ("five_bar.yaml", ["--set", "elements=8", "--end", "0.5", "--record", "0.005"]),
    "3RRR, 0.01 mH": ("rrr_motors.yaml", ["--set", "inductance=1e-5", "--end", "1", "--record", "0.01"]),
    "redundant four-bar": ("four_bar.yaml", ["--end", "2", "--record", "0.01"]),
    "N-four-bar, horizontal": ("n_four_bar.yaml", ["--end", "1", "--record", "0.01"]),
    "squeezer": ("squeezer.yaml", ["--end", "0.03", "--record", "1e-4"]),
}
# What is changed in a model's text.
EDITS = {"redundant four-bar": [("plane: xy\n", ""), ("type: revolute", "type: revolute, axis: z")],
         "N-four-bar, horizontal": [("pivot0: 90 deg", "pivot0: 0"), ("is: 90 deg", "is: 0"), ("is: -90 deg", "is: 0")],
         "8 elements, 3 modes": [("elements: elements", "elements: elements, modes: 3"),
                                  ("beam{k}.w1", "beam{k}.mode1"), ("beam{k}.slope1", "beam{k}.mode2")]}
FORMULATIONS = ["auto", "multipliers", "partition", "null_space", "udwadia_kalaba", "proximal"]
BAUMGARTE = "baumgarte:282.842712:20000"  # delta = 1, omega = 100 sqrt 2


class Run:
    def __init__(self, status, sentence, statistics, rows, events, seconds):
        self.status, self.sentence, self.statistics = status, sentence, statistics
        self.rows, self.events, self.seconds = rows, events, seconds

    def count(self, name):
        return str(int(self.statistics[name]))

    def error(self, name):
        return short(self.statistics[name])


def short(x):
    return "0" if x == 0 else f"{x:.1e}".replace("e-0", "e-").replace("e+0", "e+")


def positions(folder):
    """{t: [q...]} of the recorded rows; positions are the columns before the first rate."""
    with open(folder / "trajectory.csv") as stream:
        table = list(csv.reader(stream))
    rate = next(i for i, name in enumerate(table[0]) if "'" in name)
    return {round(float(row[0]), 9): [float(x) for x in row[1:rate]] for row in table[1:]}


def model_text(case):
    text = (ROOT / "models" / CASES[case][0]).read_text()
    for old, new in EDITS.get(case, []):
        text = text.replace(old, new)
    return text


def processor_time():
    """Of the programs run so far, s: what others do on the machine does not count."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(program, case, *options):
    file, fixed = CASES[case]
    with tempfile.TemporaryDirectory() as temporary:
        model, folder = pathlib.Path(temporary) / file, pathlib.Path(temporary) / "run"
        model.write_text(model_text(case))
        command = [program, "run", str(model), "--json", "--no-report", "-o", str(folder), *options]
        for name, value in zip(fixed[::2], fixed[1::2]):
            command += [name, value] if name == "--set" or name not in options else []
        before = processor_time()
        answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
        seconds = processor_time() - before
        if "statistics" not in answer:
            return Run(answer["status"], answer["errors"][0]["message"], {}, {}, [], seconds)
        return Run(answer["status"], answer["sentence"], answer["statistics"], positions(folder), answer["events"], seconds)


references = {}


def deviation(program, case, result):
    """Largest difference of positions from the reference."""
    if case not in references:
        references[case] = run(program, case, "--integrator", "dop853", "--rtol", "1e-13").rows
    return max((abs(a - b) for t, row in result.rows.items() if t in references[case]
                for a, b in zip(row, references[case][t])), default=float("nan"))


def outcome(program, case, result):
    """The error of a run that ended, or where the others stopped."""
    if result.status == "finished":
        return short(deviation(program, case, result))
    stopped = re.search(r"t = ([0-9.e-]+)", result.sentence)
    return f"stops at {float(stopped[1]):.2g} s" if stopped else "refuses"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def formulations(program):
    cases = ["3RRR", "N-four-bar", "equal slider-crank", "press", "squeezer", "redundant four-bar"]
    rows = [[case, *(outcome(program, case, run(program, case, "--rtol", "1e-8", "--formulation", name)) for name in FORMULATIONS)]
            for case in cases]
    case = "N-four-bar, horizontal"  # the motion from there is not determined: no error can be given
    results = [run(program, case, "--rtol", "1e-8", "--formulation", name) for name in FORMULATIONS]
    rows.append([case, *("continues" if r.status == "finished" else outcome(program, case, r) for r in results)])
    return table(["", *(f"`{name}`" for name in FORMULATIONS)], rows)


def cost(program):
    """Microseconds an evaluation, best of five runs."""
    rows = []
    for case in ["3RRR", "N-four-bar", "squeezer"]:
        cells = []
        for name in FORMULATIONS:
            times = [run(program, case, "--formulation", name, "--integrator", "rk4", "--stabilization", "none",
                         "--end", "0.01", "--step", "1e-6", "--record", "0.01").statistics for _ in range(5)]
            cells.append(f"{min(s['seconds'] / s['evaluations'] for s in times) * 1e6:.2f} µs")
        rows.append([case, *cells])
    return table(["", *(f"`{name}`" for name in FORMULATIONS)], rows)


def stabilizations(program):
    cranks = ["--set", "simulate.independent=[theta1, theta2, theta3]"]
    methods = [("none", "none", []), ("Baumgarte, ω = 100√2/s", BAUMGARTE, []), ("post-adjusting", "post_adjust", []),
               ("post-adjusting of the platform", "post_adjust", cranks), ("projection", "projection", []),
               ("projection and Baumgarte", "projection," + BAUMGARTE, [])]
    rows = []
    for words, option, more in methods:
        case = "3RRR, Lagrangian"
        result = run(program, case, "--integrator", "rk4", "--step", "1e-3", "--stabilization", option, *more)
        rows.append([words, result.error("position_error"), result.error("velocity_error"),
                     outcome(program, case, result), result.error("energy_error")])
    return table(["", "largest \\|phi\\|, m²", "largest \\|phidot\\|, m²/s", "error of positions", "energy error, J"], rows)


def singular(program):
    methods = [("none", "none"), ("Baumgarte, ω = 100√2/s", BAUMGARTE), ("post-adjusting", "post_adjust"),
               ("projection", "projection")]
    rows = []
    for case in ["N-four-bar", "equal slider-crank"]:
        for words, option in methods:
            result = run(program, case, "--rtol", "1e-8", "--stabilization", option)
            steps, evaluations = result.count("steps"), result.count("evaluations")
            rows.append([case, words, result.error("position_error"), outcome(program, case, result), steps, evaluations])
    return table(["", "", "largest \\|phi\\|, m", "error of positions", "steps", "evaluations"], rows)


def typical(program, case, name, rtol):
    """Medians of fifteen runs with rtol up to 7 % smaller or larger, of errors and counts: a single one is a matter of luck."""
    nearby = [run(program, case, "--integrator", name, "--rtol", repr(float(rtol) * (1 + k / 100))) for k in range(-7, 8)]
    if any(result.status != "finished" for result in nearby):
        error = outcome(program, case, nearby[7])
    else:
        error = short(statistics.median(deviation(program, case, result) for result in nearby))
    return [error, *(str(int(statistics.median(result.statistics[count] for result in nearby)))
                     for count in ["steps", "evaluations", "jacobians"])]


def integrators(program):
    rows = []
    for case in ["3RRR", "squeezer", "press", "five-bar"]:
        for name in ["dopri5", "dop853", "radau5", "cvode_adams", "cvode_bdf", "ida"]:
            for rtol in ["1e-6", "1e-9"]:
                rows.append([case, f"`{name}`", rtol, *typical(program, case, name, rtol)])
    return table(["", "", "`rtol`", "error of positions", "steps", "evaluations", "Jacobians"], rows)


def stiff(program):
    rows = []
    for case in ["3RRR, 0.01 mH", "five-bar", "8 elements", "8 elements, 3 modes"]:
        for name in ["dopri5", "cvode_bdf", "radau5"]:
            result = run(program, case, "--integrator", name, "--rtol", "1e-6")
            rows.append([case, f"`{name}`", *(result.count(c) for c in ["steps", "evaluations", "jacobians"]),
                         f"{result.seconds:.2f} s"])
    return table(["", "", "steps", "evaluations", "Jacobians", "time"], rows)


def fixed_steps(program):
    rows = []
    for name in ["euler", "semi_implicit_euler", "rk2", "rk4"]:
        cells = []
        for step in ["1e-2", "1e-3", "1e-4"]:
            cells.append(outcome(program, "3RRR", run(program, "3RRR", "--integrator", name, "--step", step)))
        for step in ["1e-3", "5e-4", "1e-4"]:
            cells.append(outcome(program, "five-bar", run(program, "five-bar", "--integrator", name, "--step", step)))
        rows.append([f"`{name}`", *cells])
    return table(["", "3RRR, 10 ms", "1 ms", "0.1 ms", "five-bar, 1 ms", "0.5 ms", "0.1 ms"], rows)


TABLES = {"formulations": formulations, "cost": cost, "stabilization": stabilizations, "singular": singular,
          "integrators": integrators, "stiff": stiff, "fixed": fixed_steps}


def agree(old, new):
    if old == new or re.fullmatch("[0-9.]+ µ?s", old):
        return True
    try:
        a, b = float(old), float(new)
    except ValueError:
        return False
    if abs(a) < 1e-9 and abs(b) < 1e-9:
        return True
    return abs(a - b) <= 0.1 * abs(a) if re.fullmatch("[0-9]+", old) else a / 3 <= b <= a * 3


def differences(name, old, new):
    rows = [re.split(r" ?(?<!\\)\| ?", line) for line in old.splitlines()], [re.split(r" ?(?<!\\)\| ?", line) for line in new.splitlines()]
    if [len(row) for row in rows[0]] != [len(row) for row in rows[1]]:
        return [f"{name}: the table has another shape"]
    return [f"{name}: {' '.join(a)}: the page says '{x}', now it is '{y}'"
            for a, b in zip(*rows) for x, y in zip(a, b) if not agree(x, y)]


def main():
    program, check = str(pathlib.Path(sys.argv[1]).resolve()), "--check" in sys.argv
    page, found = PAGE.read_text(), []
    chosen = [word for word in sys.argv[2:] if word in TABLES] or list(TABLES)
    for name, make in TABLES.items():
        if name not in chosen:
            continue
        match = re.search(rf"(<!-- table: {name} -->\n)(.*?)(<!-- end -->)", page, re.S)
        made = make(program) + "\n"
        if check:
            found += differences(name, match[2], made)
        else:
            page = page[:match.start(2)] + made + page[match.end(2):]
    if not check:
        PAGE.write_text(page)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
