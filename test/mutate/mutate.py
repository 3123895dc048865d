"""Changes one line of src/ at a time and prints the changes that no test notices.

    mutate.py ROOT BUILD [ROOM] [MINUTES] [--list]

Changes: the sign of a term, a comparison, a number, a statement that is left out, two arguments that change places. They are drawn in an
order that SEED fixes, from all .cpp files of a room. The source with the change is compiled by itself for the room's own tests; if these do
not notice it, by the room's own command into a library beside that of the build, and the test programs that link it are linked again, all of
it in build/mutate: no file of the sources or of the build changes. The room's own test program comes first, then the other fast ones that are
built. A change is noticed where a program fails, or where it takes several times as long as without the change. What was found is kept in
build/mutate/journal.jsonl, by the text of the source; the next call goes on from there, and tries survivors again where the tests of the room
have changed. harmless.txt lists changes that no test can notice, each with the reason.
"""
import hashlib
import json
import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from typing import NamedTuple

SEED = 1
SLOWER = 5  # times the time without the change: such a program counts as failed
LEAST_TIME = 10  # s
NUMBER = r"(?<![\w.])(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?![\w.'])"
OPPOSITE = {" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == ", " && ": " || ",
            " || ": " && "}
SIGN = {" + ": " - ", " - ": " + ", " += ": " -= ", " -= ": " += "}
STATEMENT = re.compile(r"\s*(?!return|break|continue|using|case|default|throw|delete|goto)"
                       r"(?:[\w\]\[.]|->|::)+(?:\(.*\)| [-+*/|&]?= .*);\s*$")


class Change(NamedTuple):
    file: str  # from the root
    line: int  # from 1
    kind: str
    old: str  # the line without the spaces around it
    new: str
    column: int = 0

    def key(self):
        return [self.file, self.old, self.new, self.column]


def masked(text):
    """The text with comments, literal strings and lines of the preprocessor as spaces: as long as it was."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\''
                         r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.S | re.M)
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def other_number(number):
    if re.fullmatch(r"\d+", number):
        return str(int(number) + 1)
    return repr(float(number) * 2) if float(number) else "1.0"


def edits(code, statement_begins):
    """Of one line without comments and strings: (kind, begin, end, text in its place)."""
    for operators, kind in ((OPPOSITE, "comparison"), (SIGN, "sign")):
        for match in re.finditer("|".join(re.escape(each) for each in sorted(operators, key=len, reverse=True)), code):
            yield kind, match.start(), match.end(), operators[match[0]]
    for match in re.finditer(r"(?<=[(,=?:{] |.[(\[{])-(?=[\w(])|(?<=return )-(?=[\w(])", code):
        yield "sign", match.start(), match.end(), ""
    for match in re.finditer(NUMBER, code):
        yield "constant", match.start(), match.end(), other_number(match[0])
    for match in re.finditer(r"\b\w+\(([\w.\[\]]+), ([\w.\[\]]+)\)", code):
        if match[1] != match[2]:
            yield "arguments", match.start(1), match.end(2), f"{match[2]}, {match[1]}"
    if statement_begins and STATEMENT.match(code):
        yield "statement", len(code) - len(code.lstrip()), len(code.rstrip()), ";"


def changes_of(file, text):
    found, begins = [], True
    for number, (line, code) in enumerate(zip(text.split("\n"), masked(text).split("\n")), 1):
        for kind, begin, end, new in edits(code, begins):
            changed = line[:begin] + new + line[end:]
            found.append(Change(file, number, kind, line.strip(), changed.strip(), begin))
        if code.strip():
            begins = re.search(r"[;{})]\s*$|\b(else|public|private|default)\b:?\s*$", code) is not None
    return found


def changed_text(text, change):
    lines = text.split("\n")
    line = lines[change.line - 1]
    assert line.strip() == change.old
    lines[change.line - 1] = line[:len(line) - len(line.lstrip())] + change.new
    return "\n".join(lines)


def harmless_changes(text):
    """Blocks between empty lines: a file, `- ` and the line as it is, `+ ` and the line as it would be, and a reason."""
    listed = set()
    for block in re.split(r"\n\s*\n", re.sub(r"^#.*\n?", "", text, flags=re.M)):
        if not block.strip():
            continue
        lines = block.strip().split("\n")
        if len(lines) < 4 or not lines[1].startswith("- ") or not lines[2].startswith("+ "):
            raise SystemExit(f"harmless.txt: expected a file, '- line', '+ line' and a reason, found:\n{block.strip()}")
        listed.add((lines[0].strip(), lines[1][2:].strip(), lines[2][2:].strip()))
    return listed


class Journal:
    def __init__(self, path):
        self.path, self.known = path, {}
        for line in path.read_text().splitlines() if path.exists() else []:
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # cut off when it was written
            if "tests" in entry:
                self.known[json.dumps([entry["source"], entry["change"]])] = entry

    def find(self, source, tests, change):
        """Other tests may notice what has survived."""
        entry = self.known.get(json.dumps([source, change.key()]))
        return entry if entry and (entry["outcome"] != "survived" or entry["tests"] == tests) else None

    def add(self, source, tests, change, outcome, by=""):
        entry = {"source": source, "tests": tests, "change": change.key(), "outcome": outcome, "by": by}
        self.known[json.dumps([source, change.key()])] = entry
        with self.path.open("a") as file:
            file.write("\n" + json.dumps(entry))  # whatever the last call left
        return entry


class Workshop:
    """Compiles, links and runs in a folder of its own."""

    def __init__(self, root, build):
        self.root, self.build, self.place = root, build, root / "build" / "mutate"
        self.place.mkdir(parents=True, exist_ok=True)
        self.commands = json.loads((build / "compile_commands.json").read_text())
        self.links, self.times, self.objects, self.running, self.output = {}, {}, {}, None, ""
        for program in sorted((build / "test").glob("*_test")):
            if not program.name.endswith("_slow_test"):
                self.links[program.name] = self.link_of(f"test/{program.name}")

    def link_of(self, target):
        """As words: what ninja would do last to make it, without what follows."""
        text = subprocess.run(["ninja", "-C", self.build, "-t", "commands", "-s", target], capture_output=True, text=True,
                              check=True).stdout
        links = [part for part in text.split(" && ") if f" -o {target} " in part]
        return shlex.split(links[0]) if links else []

    def programs(self, room):
        library = f"libarmature_{room}.a"
        reach = [name for name, link in self.links.items() if library in link]
        return sorted(reach, key=lambda name: (name != f"{room}_test", name))

    def source(self, file):
        return hashlib.sha256((self.root / file).read_bytes()).hexdigest()[:16]

    def tests(self, room):
        digest = hashlib.sha256()
        for path in sorted(each for each in (self.root / "test" / room).rglob("*") if each.is_file()):
            digest.update(path.name.encode() + path.read_bytes())
        return digest.hexdigest()[:16]

    def run(self, command, limit=None, cwd=None):
        """Its exit code; None: it took longer than the limit."""
        with (self.place / "output.txt").open("w") as output:
            self.running = subprocess.Popen(command, cwd=cwd or self.build, stdout=output, stderr=subprocess.STDOUT,
                                            stdin=subprocess.DEVNULL, start_new_session=True)
            try:
                return self.running.wait(limit)
            except subprocess.TimeoutExpired:
                return None
            finally:
                self.stop()

    def stop(self):
        """Ends what was started, with all its children."""
        if self.running:
            try:
                os.killpg(self.running.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.running.wait()
            self.running = None

    def unit_of(self, room, source):
        """The command that compiles a source, by itself or in a group."""
        for command in self.commands:
            if f"/armature_{room}.dir/" not in command["command"]:
                continue
            file = pathlib.Path(command["file"])
            if file == source or (file.name.startswith("unity_") and f'"{source}"' in file.read_text()):
                return shlex.split(command["command"]), file
        return None, None

    def compile(self, room, source, text):
        """The object file of the room with this text in place of the source's; None: it does not compile."""
        words, unit = self.unit_of(room, source)
        if not words:
            return None
        there = self.place / source.name
        there.write_text(text)
        if unit != source:
            (self.place / unit.name).write_text(unit.read_text().replace(f'"{source}"', f'"{there}"'))
            there = self.place / unit.name
        target = self.place / pathlib.Path(words[words.index("-o") + 1]).name
        words[words.index("-o") + 1], words[words.index("-c") + 1] = str(target), str(there)
        target.unlink(missing_ok=True)
        return target if self.run(words) == 0 else None

    def compile_alone(self, room, source, text):
        """An object file of one source of a group, which takes a part of the time; None: it does not compile."""
        words, unit = self.unit_of(room, source)
        if not words or unit == source:
            return None
        there, target = self.place / source.name, self.place / "alone.o"
        there.write_text(text)
        words[words.index("-o") + 1], words[words.index("-c") + 1] = str(target), str(there)
        target.unlink(missing_ok=True)
        return target if self.run(words) == 0 else None

    def fails(self, program, room=None, alone=None):
        """Whether a test program fails with the library in build/mutate, or with one object before the library; without a room: as it is."""
        executable = self.build / "test" / program
        if room:
            library = f"libarmature_{room}.a"
            executable = self.place / program
            link = list(self.links[program])
            if alone:
                link[1:1] = [str(alone), "-Wl,--allow-multiple-definition"]
            else:
                link = [str(self.place / library) if word == library else word for word in link]
            link[link.index("-o") + 1] = str(executable)
            if self.run(link):
                raise SystemExit(f"{program} cannot be linked; see {self.place / 'output.txt'}")
        limit = max(LEAST_TIME, SLOWER * self.times[program]) if room else None
        failed = self.run([executable, "--gtest_brief=1", "--gtest_fail_fast"], limit, self.build / "test") != 0
        if room:
            executable.unlink()
        return failed

    def is_sound(self, program):
        """Whether it passes as it is, which takes the time that limits are counted by."""
        if program not in self.times:
            begin = time.monotonic()
            failed = self.fails(program)
            self.times[program] = None if failed else time.monotonic() - begin
            if failed:
                print(f"{program} fails as it is and is left out; see ./go test", flush=True)
        return self.times[program] is not None

    def judge_alone(self, room, source, text, changed):
        """By the room's own tests, with the source compiled by itself. What these do not notice says nothing yet: the group may hold the
        functions of the source inlined into others."""
        if (source, "alone") not in self.objects:
            plain = self.compile_alone(room, source, text)
            self.objects[source, "alone"] = plain and hashlib.sha256(plain.read_bytes()).digest()
        if not self.objects[source, "alone"]:
            return None
        target = self.compile_alone(room, source, changed)
        if not target:
            return "does not compile", ""
        if hashlib.sha256(target.read_bytes()).digest() == self.objects[source, "alone"]:
            return "same code", ""
        own = f"{room}_test"
        return ("noticed", own) if own in self.links and self.is_sound(own) and self.fails(own, room, target) else None

    def judge(self, change):
        room, source = pathlib.Path(change.file).parts[1], self.root / change.file
        text = source.read_text()
        if found := self.judge_alone(room, source, text, changed_text(text, change)):
            return found
        unit = str(self.unit_of(room, source)[1])
        if (source, unit) not in self.objects:
            plain = self.compile(room, source, text)
            self.objects[source, unit] = plain and hashlib.sha256(plain.read_bytes()).digest()
        target = self.compile(room, source, changed_text(text, change))
        if not target:
            return "does not compile", ""
        if hashlib.sha256(target.read_bytes()).digest() == self.objects[source, unit]:
            return "same code", ""
        library = self.place / f"libarmature_{room}.a"
        library.write_bytes((self.build / library.name).read_bytes())
        if self.run(["ar", "r", library, target]):
            raise SystemExit(f"ar fails; see {self.place / 'output.txt'}")
        for program in self.programs(room):
            if self.is_sound(program) and self.fails(program, room):
                return "noticed", program
        return "survived", ""


def table(done, listed, rooms):
    """A row for each room: changes that were tried and have an effect, and what became of them."""
    lines = [f"{'room':<12} {'tried':>6} {'noticed':>8} {'by its own tests':>17} {'harmless':>9} {'survived':>9}"]
    for room in rooms:
        tried = [(change, entry) for change, entry in done if pathlib.Path(change.file).parts[1] == room and
                 entry["outcome"] in ("noticed", "survived")]
        noticed = [entry for _, entry in tried if entry["outcome"] == "noticed"]
        own = sum(entry["by"] == f"{room}_test" for entry in noticed)
        harmless = sum(entry["outcome"] == "survived" and (change.file, change.old, change.new) in listed for change, entry in tried)
        survived = len(tried) - len(noticed) - harmless
        lines.append(f"{room:<12} {len(tried):>6} {len(noticed):>8} {own:>17} {harmless:>9} {survived:>9}")
    return lines


def report(done, listed, rooms):
    for change in sorted(change for change, entry in done
                         if entry["outcome"] == "survived" and (change.file, change.old, change.new) not in listed):
        print(f"{change.file}:{change.line}: {change.kind}\n  - {change.old}\n  + {change.new}")
    print("\n".join(table(done, listed, rooms)))


def main(arguments):
    only_list = "--list" in arguments
    root, build, *rest = [each for each in arguments if each != "--list"]
    root, build = pathlib.Path(root).resolve(), pathlib.Path(build).resolve()
    minutes = float(rest.pop()) if rest and re.fullmatch(r"[\d.]+", rest[-1]) else 10
    rooms = rest or sorted(each.name for each in (root / "src").iterdir() if (root / "test" / each.name).is_dir())
    changes = []
    for room in rooms:
        files = sorted((root / "src" / room).glob("*.cpp"))
        if not files:
            raise SystemExit(f"src/{room} has no sources")
        for file in files:
            changes += changes_of(str(file.relative_to(root)), file.read_text())
    random.Random(SEED).shuffle(changes)
    if only_list:
        for change in changes:
            print(f"{change.file}:{change.line}: {change.kind}\n  - {change.old}\n  + {change.new}")
        return 0
    listed = harmless_changes((root / "test" / "mutate" / "harmless.txt").read_text())
    workshop = Workshop(root, build)
    journal = Journal(workshop.place / "journal.jsonl")
    tests = {room: workshop.tests(room) for room in rooms}
    print(f"{len(changes)} changes; test programs: {' '.join(sorted({p for room in rooms for p in workshop.programs(room)}))}",
          flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    done, end, code = [], time.monotonic() + 60 * minutes, 0
    try:
        for change in changes:
            states = workshop.source(change.file), tests[pathlib.Path(change.file).parts[1]]
            entry = journal.find(*states, change)
            if not entry:
                if time.monotonic() > end:
                    continue  # those that are known are still counted
                entry = journal.add(*states, change, *workshop.judge(change))
                print(f"{change.file}:{change.line}: {entry['outcome']} {entry['by']}", flush=True)
            done.append((change, entry))
    except KeyboardInterrupt:
        code = 130
    report(done, listed, rooms)
    return code or int(any(entry["outcome"] == "survived" and (change.file, change.old, change.new) not in listed
                           for change, entry in done))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
