"""What a change of a file of src/ compiles again: what_if.py BUILD_FOLDER [--at-most OBJECTS] FILE...

Reads what ninja knows of each object (`ninja -t deps`) and how long each took: the processor time of the last `./go time`, or else the time
from begin to end in ninja's log, where an object that ccache had took none. Builds nothing. Objects of tests and benchmarks are left out. With --at-most it fails
where a file compiles more objects."""
import argparse
import os
import subprocess
import sys


def users_of_files(build):
    """The objects that read a file, by its real path."""
    users, real, target = {}, {}, None
    deps = subprocess.run(["ninja", "-C", build, "-t", "deps"], check=True, capture_output=True, text=True).stdout
    for line in deps.splitlines():
        if not line.startswith(" "):
            target = line.split(":")[0] if line.endswith("(VALID)") else None
        elif target and is_ours(target):
            path = line.strip()
            if path not in real:
                real[path] = os.path.realpath(os.path.join(build, path))
            users.setdefault(real[path], set()).add(target)
    return users


def is_ours(target):
    return target.endswith(".o") and not target.startswith(("test/", "bench/", "python/"))


def seconds_of_objects(build):
    times = os.path.join(build, "compile_times")
    if os.path.exists(times):
        with open(times) as lines:
            return {name: float(seconds) for seconds, name in map(str.split, lines)}
    with open(os.path.join(build, ".ninja_log")) as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]
    return {row[3]: (int(row[1]) - int(row[0])) / 1000 for row in rows}


def answer(build, files):
    users, seconds = users_of_files(build), seconds_of_objects(build)
    objects = set().union(*users.values())
    in_all = sum(seconds.get(one, 0) for one in objects)
    for file in files:
        found = users.get(os.path.realpath(file))
        if found is None:
            sys.exit(f"{file}: no object in {build} reads it")
        took = sum(seconds.get(one, 0) for one in found)
        yield file, len(found), len(objects), took, in_all


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--at-most", type=int, default=sys.maxsize)
    given = parser.parse_args()
    rows = list(answer(given.build, given.files))
    for file, count, all_objects, took, in_all in rows:
        print(f"{file}: {count} of {all_objects} objects, {took:.0f} of {in_all:.0f} s ({100 * took / max(in_all, 1e-9):.0f} %)")
    if any(row[1] > given.at_most for row in rows):
        sys.exit(f"more than {given.at_most} objects: which header includes it without need?")


if __name__ == "__main__":
    main()
