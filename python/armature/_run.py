"""A computed motion."""
import copy
import os
import tempfile
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core, _pictures
from ._errors import UnknownName


class Verification(NamedTuple):
    """How well a motion agrees with repetitions by other methods."""

    repeats: List[str]
    digits: Dict[str, List[float]]
    promised: float
    left_out: List[str]
    diverges: Optional[float]
    doubtful: bool
    sentence: str


Verification.repeats.__doc__ = "How the motion was repeated: rtol, formulation, integrator."
Verification.digits.__doc__ = "By channel: digits that agree with each of the repeats; NaN: not known."
Verification.promised.__doc__ = "Digits that the tolerance promises."
Verification.left_out.__doc__ = "Repeats that were not possible, and why."
Verification.diverges.__doc__ = "The time (s) from which the motions differ by more than 1 %; None: they do not."
Verification.doubtful.__doc__ = "Whether fewer digits agree than promised."
Verification.sentence.__doc__ = "In words."


class Errors(NamedTuple):
    """Errors of the numbers of a motion, estimated by a repetition with another integrator, a tighter tolerance and shorter steps."""

    results: Dict[str, float]
    last: Dict[str, float]
    peaks: Dict[str, float]
    repetition: str
    missing: str
    parts_at: Optional[float]
    sentence: str


Errors.results.__doc__ = "Errors of run.results, by name."
Errors.last.__doc__ = "Errors of the positions and velocities at the end, by name."
Errors.peaks.__doc__ = "Errors of the largest currents of the drives, by name."
Errors.repetition.__doc__ = "How the motion was repeated."
Errors.missing.__doc__ = "Why there is no estimate; empty: there is one."
Errors.parts_at.__doc__ = "The time (s) from which the motion and its repetition differ by more than 1 %, as chaotic ones do, and others beside an unstable equilibrium; None: they do not."
Errors.sentence.__doc__ = "That in words."


class Run:
    """The recorded rows of a motion. `run["theta1"]` is a channel over `run.t`; arrays are read-only views of the rows."""

    def __init__(self, motion: _core.Motion, model=None, options=(), inputs=()):
        """model, options, inputs: what the machine is compiled from, for the page; a motion without them has none."""
        self._motion, self._model, self._options, self._inputs = motion, copy.copy(model), options, inputs
        self._rows = motion.values
        self._places = {channel.name: k for k, channel in enumerate(motion.channels)}
        self.results: Dict[str, float] = {}  # numbers of the whole motion that were asked for
        self.verification: Optional[Verification] = None  # with verify=True
        self.errors: Optional[Errors] = None  # unless verify is given

    def __reduce__(self):
        return Run, (self._motion, self._model, self._options, self._inputs), {"results": self.results, "verification": self.verification, "errors": self.errors}

    @property
    def channels(self) -> List[_core.Channel]:
        """Names and units of the columns; the first is t."""
        return self._motion.channels

    @property
    def names(self) -> List[str]:
        """Names of the columns."""
        return list(self._places)

    @property
    def t(self) -> np.ndarray:
        """Times of the rows, s."""
        self._require_rows()
        return self._rows[:, 0]

    def _require_rows(self) -> None:
        if self._rows.size == 0:
            raise ValueError("this motion has no rows: start() records them with record=True")

    @property
    def outcome(self) -> _core.Outcome:
        """How the motion ended, with warnings, events and statistics."""
        return self._motion.outcome

    @property
    def events(self) -> List[_core.Event]:
        """Changes of comparisons, and events of the file."""
        return self.outcome.events

    @property
    def last(self) -> _core.State:
        """The last state, from which another motion can continue."""
        return self._motion.last

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self._rows[:, self._places[name]]
        except (KeyError, TypeError):
            if not isinstance(name, str):
                raise UnknownName(f"channels are named by a string: run[\"t\"], not run[{name!r}]; to_numpy() has the rows") from None
            raise UnknownName(f"there is no channel '{name}'{_near(name, self.names)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def __len__(self) -> int:
        return len(self._rows)

    def unit(self, name: str) -> str:
        """The unit of a channel."""
        self[name]
        return self.channels[self._places[name]].unit

    def to_numpy(self) -> np.ndarray:
        """All rows, with one column for each channel, without copying."""
        return self._rows

    def to_dataframe(self):
        """A pandas DataFrame over t."""
        import pandas

        return pandas.DataFrame(self._rows[:, 1:], columns=self.names[1:], index=pandas.Index(self.t, name="t"))

    def page(self) -> str:
        """The animated report as one self-contained HTML page."""
        if self._model is None:
            raise ValueError("motions of inverse() and kinematics() have no page")
        self._require_rows()
        compiled = self._model._compiled
        return _core.page(compiled.machine(self._inputs, self._options), self._motion, compiled.settings)

    def report(self, file: Optional[Union[str, os.PathLike]] = None) -> str:
        """Writes the animated report; returns its file. Without a name it goes to a new temporary file."""
        if file is None:
            handle, file = tempfile.mkstemp(suffix=".html", prefix="armature-")
            os.close(handle)
        with open(file, "w", encoding="utf-8") as page:
            page.write(self.page())
        return os.fspath(file)

    def _drawn(self) -> _core.Model:
        if self._model is None:
            raise ValueError("motions of inverse() and kinematics() have no picture")
        self._require_rows()
        return self._model._compiled.model

    def draw(self, file: Union[str, os.PathLike], at: Union[float, Sequence[float]] = (), *, view: str = "", trace: Sequence[str] = (),
             dimensions: bool = False, centers: bool = False, frames: bool = False, names: bool = False, velocities: bool = False,
             reactions: bool = False, free: bool = False, stress: bool = False, bend: float = 1, title: str = "", width: float = 160, height: float = 120, dpi: int = 200) -> str:
        """Draws the machine at given times of this motion, overlaid in one picture; without times, at its first row. Arguments are those
        of Model.draw(); reactions are those that the model records."""
        file = os.fspath(file)
        look = _pictures.look(view=view, trace=trace, bend=bend, title=title, dimensions=dimensions, centers=centers, frames=frames,
                              names=names, velocities=velocities, reactions=reactions, free=free, stress=stress)
        look.update(at=_pictures.times(at), width=_pictures.within("width", width, 40, 2000),
                    height=_pictures.within("height", height, 30, 2000))
        _core.draw_motion(self._drawn(), self._motion, file, look, _pictures.within("dpi", dpi, 20, 2400))
        return file

    def film(self, file: Union[str, os.PathLike], *, size: Tuple[int, int] = (640, 480), fps: float = 25, speed: Optional[float] = None,
             start: Optional[float] = None, end: Optional[float] = None, view: str = "", trace: Sequence[str] = (), centers: bool = False,
             frames: bool = False, names: bool = False, velocities: bool = False, reactions: bool = False, stress: bool = False, bend: float = 1,
             title: str = "") -> str:
        """Makes a film of the motion: film("run.gif"), "run.webm", "run.mp4"; the latter two need ffmpeg. Returns the file.

        size: pixels. fps: frames per second. speed: seconds of motion per second of film; None: 1, unless the motion takes less than a
        second or more than a minute. start, end: times of the motion, s. The other arguments are those of Model.draw().
        """
        file = os.fspath(file)
        look = _pictures.look(view=view, trace=trace, bend=bend, title=title, centers=centers, frames=frames, names=names,
                              velocities=velocities, reactions=reactions, stress=stress)
        width, height = _pictures.pixels(size)
        if speed is not None:
            speed = _pictures.within("speed", speed, 1e-9, 1e9)
        _core.film(self._drawn(), self._motion, file, look, width, height, _pictures.within("fps", fps, 1, 120), speed,
                   _pictures.optional("start", start), _pictures.optional("end", end))
        return file

    def plot(self, *names: str, axes=None):
        """Draws channels over time with matplotlib: one diagram for each unit. Returns the axes."""
        import matplotlib.pyplot as plt

        if not names:
            raise ValueError('name channels to draw: run.plot("theta1")')
        units: List[str] = []
        for name in names:
            if self.unit(name) not in units:
                units.append(self.unit(name))
        if axes is None:
            _, axes = plt.subplots(len(units), 1, sharex=True, squeeze=False)
            axes = axes[:, 0]
        axes = np.atleast_1d(axes)
        if len(axes) < len(units):
            raise ValueError(f"the channels have {len(units)} units ({', '.join(unit or '1' for unit in units)}): give an axes for each")
        for place, unit in zip(axes, units):
            for name in names:
                if self.unit(name) == unit:
                    place.plot(self.t, self[name], label=name)
            place.set_ylabel(unit or "1")
            place.legend()
        axes[-1].set_xlabel("t [s]")
        return axes

    def _repr_html_(self) -> str:
        """What a notebook shows: the animated page in a frame, or a sentence where there is none."""
        import html

        if self._model is None or self._rows.size == 0:
            return f"<p>{html.escape(repr(self))}</p>"
        return f'<iframe style="width:100%;height:600px;border:0" srcdoc="{html.escape(self.page(), quote=True)}"></iframe>'

    def __repr__(self) -> str:
        return f"<armature.Run: {len(self)} rows, {len(self._places)} channels; {self.outcome.sentence}>"


def _near(name: str, names: Sequence[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name, names, n=1)
    return f" (did you mean '{near[0]}'?)" if near else ""
