"""Line coverage of src/ from the files that gcov's counters left in a build folder, by folder; fails below 90 %.

    coverage.py BUILD ROOT

A line of a header counts once, however many programs contain it; it is covered where one of them has run it.
"""
import json
import pathlib
import subprocess
import sys

LEAST = 90  # per cent


def counters(build):
    """What gcov says about each object file, one JSON document each."""
    files = sorted(str(path.resolve()) for path in build.rglob("*.gcda"))
    for first in range(0, len(files), 50):
        command = ["gcov", "--json-format", "--stdout", *files[first:first + 50]]
        text = subprocess.run(command, capture_output=True, text=True, check=True, cwd=build).stdout
        for line in text.splitlines():
            yield json.loads(line)


def lines_of(build, root):
    """{file: {line: covered}} for the files of src/."""
    source, lines = (root / "src").resolve(), {}
    for document in counters(build):
        for file in document["files"]:
            path = (pathlib.Path(document["current_working_directory"]) / file["file"]).resolve()
            if source not in path.parents:
                continue
            known = lines.setdefault(path.relative_to(source), {})
            for line in file["lines"]:
                known[line["line_number"]] = known.get(line["line_number"], False) or line["count"] > 0
    return lines


def main():
    build, root = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folders = {}
    for path, lines in lines_of(build, root).items():
        covered, count = folders.get(path.parts[0], (0, 0))
        folders[path.parts[0]] = (covered + sum(lines.values()), count + len(lines))
    if not folders:
        sys.exit("coverage: no counters of src/ were found")
    for folder, (covered, count) in sorted(folders.items()):
        print(f"{folder:12} {covered:6} of {count:6} lines  {100 * covered / count:5.1f} %")
    covered, count = (sum(each[k] for each in folders.values()) for k in (0, 1))
    print(f"{'src':12} {covered:6} of {count:6} lines  {100 * covered / count:5.1f} %")
    sys.exit(0 if 100 * covered >= LEAST * count else f"coverage: less than {LEAST} % of src/")


if __name__ == "__main__":
    main()
