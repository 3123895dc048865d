"""A progress bar on standard error: in a terminal and in notebooks, which both understand a carriage return."""
import sys
import time

from ._errors import InputError

_WIDTH = 30


class Bar:
    """Counts up to `count`; call it with what is done. `wipe` removes it."""

    def __init__(self, count: float, unit: str):
        self.count, self.unit, self.began, self.shown = count, unit, time.monotonic(), 0

    def __call__(self, done: float, count=None) -> None:
        share = min(done / (self.count or 1), 1)
        filled = int(share * _WIDTH)
        left = (time.monotonic() - self.began) * (1 / share - 1) if share > 0.01 else None
        text = f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {done:.6g} of {self.count:.6g} {self.unit}"
        if left is not None:
            text += f", {left:.0f} s left"
        sys.stderr.write("\r" + text.ljust(self.shown))
        sys.stderr.flush()
        self.shown = len(text)

    def wipe(self) -> None:
        if self.shown:
            sys.stderr.write("\r" + " " * self.shown + "\r")
            sys.stderr.flush()


def _function(progress):
    if progress is None or progress is False:
        return None
    if not callable(progress):
        raise InputError(f"progress is {progress!r}, but must be True, False or a function")
    return progress


def of_motion(progress, end: float):
    """The function that a motion calls with (t, steps), and what to call at the end."""
    if progress is not True:
        return _function(progress), lambda: None
    bar = Bar(end, "s")
    return lambda t, steps: bar(t), bar.wipe


def of_study(progress):
    """The function that a study calls with (done, count), and what to call at the end."""
    if progress is not True:
        return _function(progress), lambda: None
    bar = Bar(1, "")

    def show(done, count):
        bar.count = count
        bar(done)

    return show, bar.wipe
