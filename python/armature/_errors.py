"""Exceptions, with the sentences of the command line."""
import errno
import os
from typing import List, NamedTuple, Sequence, Tuple


class Problem(NamedTuple):
    """One thing that is wrong; of a file: where."""

    file: str
    line: int  # 0: the file as a whole, or no file
    key: str
    sentence: str


Problem.file.__doc__ = "As it was named; empty: no file."
Problem.line.__doc__ = "From 1; 0: the file as a whole, or no file."
Problem.key.__doc__ = "Such as bodies.a.mass."
Problem.sentence.__doc__ = "What is wrong, and what to do."


class Error(Exception):
    """Base class of all errors of Armature. `problems` lists all problems."""

    def __init__(self, message: str, problems: Sequence[Tuple[str, int, str, str]] = ()):
        super().__init__(message, problems)
        self.problems: List[Problem] = [Problem(*problem) for problem in problems] or [Problem("", 0, "", message)]

    def __str__(self) -> str:
        return self.args[0]

    @property
    def file(self) -> str:
        """Of the first problem."""
        return self.problems[0].file

    @property
    def line(self) -> int:
        """Of the first problem; 0: the file as a whole."""
        return self.problems[0].line

    @property
    def key(self) -> str:
        """Of the first problem: "bodies.a.mass"."""
        return self.problems[0].key

    @property
    def sentence(self) -> str:
        """What is wrong: the sentence of the first problem."""
        return self.problems[0].sentence


class InputError(Error, ValueError):
    """The file or an argument is wrong."""


class UnknownName(InputError, KeyError):
    """There is no channel, input, variable or result of this name."""


class MissingFile(InputError, FileNotFoundError):
    """There is no such file. `filename` is its name."""

    def __init__(self, message: str, problems: Sequence[Tuple[str, int, str, str]] = (), filename: str = ""):
        super().__init__(message, problems)
        self.errno, self.strerror, self.filename = errno.ENOENT, os.strerror(errno.ENOENT), filename

    def __reduce__(self):
        return MissingFile, (str(self), [tuple(problem) for problem in self.problems], self.filename)


def require_text(what: str, value: str) -> None:
    """Half a pair of UTF-16 is in a string, but in no file."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(f"{what} is {value!r}, but must be a text that a file can hold") from None


def require_file(file: str) -> None:
    if not os.path.exists(file):
        raise MissingFile(f"{file}: there is no such file", [(file, 0, "", "there is no such file")], file)


class ComputationError(Error, ArithmeticError):
    """The numbers did not work out: loops that do not close, a step that fails. A motion that failed is in `run`."""

    run = None


class Stopped(Error):
    """A progress function asked for it."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped a simulation. `run` is the motion up to there."""

    def __init__(self, run):
        super().__init__(f"{run.outcome.sentence}; the rows up to there are in the exception's run")
        self.run = run

    def __reduce__(self):
        return Interrupted, (self.run,)
