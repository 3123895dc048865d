"""The long checks, one piece after the other, on from where they stopped.

    checks.py ROOT MINUTES [PIECE ...]

A piece is one command of ./go that ends within minutes where its build is there: the tests of one folder under a sanitizer, one fuzz
target, one seed of mutants. What a piece found is kept in build/checks: a line of results.txt with the state of the sources, and its
output. A piece that passed for the present sources is not run again; one that failed or was cut off is.
"""

import datetime
import os
import pathlib
import signal
import subprocess
import sys

thread_folders = ["study", "live", "library", "gpu"]
fuzz_targets = ["model", "formula", "table", "mesh", "robot", "http", "from", "resume"]


def folders_with_tests(root):
    """Folders whose tests make a program, in the order of the sources' folders."""
    order = [line.split("(")[1].split()[0].rstrip(")") for line in (root / "CMakeLists.txt").read_text().splitlines()
             if line.startswith("armature_library(")]
    return [folder for folder in order + ["reference", "cases", "cli"] if any(
        not file.name.endswith("_slow_test.cpp") for file in (root / "test" / folder).glob("*_test.cpp"))]


def pieces(root):
    """Name and arguments of ./go of each piece."""
    for folder in folders_with_tests(root):
        yield f"address {folder}", ["sanitize", "address", "--folder", folder]
    for folder in thread_folders:
        yield f"thread {folder}", ["sanitize", "thread", "--folder", folder]
    for target in fuzz_targets:
        yield f"fuzz {target}", ["fuzz", target, "600"]
    yield "tidy", ["tidy"]
    yield "coverage", ["coverage"]
    yield "soak", ["soak", "10"]
    for seed in ["1", "2"]:
        yield f"mutants {seed}", ["mutants", seed, "3500"]


def state_of(root):
    """What the sources are: their commit, and whether they were changed since."""
    commit = subprocess.run(["git", "-C", root, "rev-parse", "--short=12", "HEAD^{tree}"], capture_output=True, text=True).stdout.strip()
    changed = subprocess.run(["git", "-C", root, "status", "--porcelain"], capture_output=True, text=True).stdout.strip()
    return commit + ("+" if changed else "")


class Results:
    """Of the last run of each piece: the state of the sources, the day, passed or failed, seconds."""

    def __init__(self, file):
        self.file = file
        self.rows = {}
        if file.exists():
            for line in file.read_text().splitlines():
                name, *rest = line.split("\t")
                self.rows[name] = rest

    def passed(self, name, state):
        return name in self.rows and self.rows[name][0] == state and self.rows[name][2] == "passed"

    def add(self, name, state, outcome, seconds):
        self.rows[name] = [state, datetime.date.today().isoformat(), outcome, f"{seconds:.0f}"]
        text = "".join("\t".join([each, *row]) + "\n" for each, row in self.rows.items())
        partial = self.file.with_suffix(".partial")
        partial.write_text(text)
        partial.replace(self.file)


def run_piece(root, folder, name, arguments, seconds):
    """passed, FAILED, or None where the time was up. Its processes end with it."""
    log = folder / (name.replace(" ", "_") + ".log")
    with open(log, "wb") as output:
        process = subprocess.Popen([root / "go", *arguments], stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   start_new_session=True)
        try:
            code = process.wait(timeout=seconds)
        except (subprocess.TimeoutExpired, KeyboardInterrupt) as stop:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
            if isinstance(stop, KeyboardInterrupt):
                raise
            return None
    return "passed" if code == 0 else "FAILED"


def print_table(results, names, state):
    print(f"{'check':22} {'result':8} {'day':11} {'s':>6}  sources")
    for name in names:
        if name not in results.rows:
            print(f"{name:22} not run")
            continue
        at, day, outcome, seconds = results.rows[name]
        print(f"{name:22} {outcome:8} {day:11} {seconds:>6}  {'these' if at == state else at}")


def main():
    root, minutes = pathlib.Path(sys.argv[1]), float(sys.argv[2])
    wanted = sys.argv[3:]
    folder = root / "build" / "checks"
    folder.mkdir(parents=True, exist_ok=True)
    results, state = Results(folder / "results.txt"), state_of(root)
    all_pieces = dict(pieces(root))
    names = [name for name in all_pieces if not wanted or any(name == each or name.split()[0] == each for each in wanted)]
    if not names:
        sys.exit(f"go: there is no check '{' '.join(wanted)}'; there are {', '.join(all_pieces)}")
    end = datetime.datetime.now() + datetime.timedelta(minutes=minutes)
    failed = []
    for name in names:
        left = (end - datetime.datetime.now()).total_seconds()
        if left <= 0:
            break
        if results.passed(name, state):
            continue
        began = datetime.datetime.now()
        outcome = run_piece(root, folder, name, all_pieces[name], left)
        if outcome is None:
            break
        results.add(name, state, outcome, (datetime.datetime.now() - began).total_seconds())
        if outcome == "FAILED":
            failed.append(name)
            print(f"go: {name} failed; see build/checks/{name.replace(' ', '_')}.log", file=sys.stderr)
    print_table(results, names, state)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
