"""Models: read from a file, or written in code with the words of the file."""
import os
import re
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

from . import _core
from ._arguments import whole
from ._compiled import Value, options_of, settings_of
from ._errors import Error, InputError, require_file
from ._exchange import Exchange, Imported, robot_parts, warn_of_lost_loops


class Model(Exchange):
    """A machine as described by a model file. Models can be pickled, and threads can share them.

    A model written in code has the same sections as a file: `model["gravity"] = [0, -9.81, 0]`, and methods that add entries:
    `model.body("crank", mass="1 kg", …)`.
    """

    def __repr__(self) -> str:
        try:
            self._compiled
        except Error as error:  # a model in code that is not finished
            return f"<armature.Model {self._file}, not complete: {error.sentence}>"
        return f"<armature.Model {self.name}: {len(self.bodies)} bodies, {len(self.joints)} joints>"


def load(file: Union[str, os.PathLike], settings: Optional[Mapping[str, Value]] = None, *, root: Union[str, os.PathLike] = "",
         **parameters: Value) -> Model:
    """Reads a model file, or a robot (URDF, SDFormat, MJCF). Parameters are numbers in SI units or formulas with units ("60 cm");
    `settings` takes settings whose names are not Python identifiers, such as {"simulate.rtol": 1e-8, "start.keep.theta1": "80 deg"}.

    root: folder that holds all files that the model names (default: the folder of the file); others are refused."""
    require_file(os.fspath(file))
    with open(file, "rb") as source:
        data = source.read()
    text = _decoded(data)
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        text, _, _, not_taken = robot_parts(os.fspath(file), root)
        warn_of_lost_loops(not_taken)
    return Model._of(text, os.fspath(file), settings_of(settings or {}, parameters), os.fspath(root))


def _decoded(data: bytes) -> str:
    """UTF-8. A byte that is not, in the comment of an old file, is taken as Latin-1, in which every byte is a character."""
    return re.sub("[\udc80-\udcff]", lambda byte: chr(ord(byte[0]) - 0xDC00), data.decode("utf-8", "surrogateescape"))


def parse(text: str, settings: Optional[Mapping[str, Value]] = None, *, root: Union[str, os.PathLike] = "", **parameters: Value) -> Model:
    """A model from the text of a file. root: folder that holds all files that the model names (default: the working directory)."""
    try:
        text.encode("utf-8")
    except (AttributeError, UnicodeEncodeError):
        raise InputError("the text of a model must be a string that a file can hold") from None
    return Model._of(text, "model", settings_of(settings or {}, parameters), os.fspath(root))


def import_robot(file: Union[str, os.PathLike], *, root: Union[str, os.PathLike] = "", free: bool = False) -> Imported:
    """Converts a robot in URDF, SDFormat or MJCF to a model with all its loops, and lists what was not imported, like `armature import`.

    root: folder with all files of the robot, to which package:// resolves (default: the folder of the file). free: the base link of a
    URDF moves freely instead of being the ground.
    """
    require_file(os.fspath(file))
    text, format, loops, not_taken = robot_parts(os.fspath(file), root, free)
    return Imported(Model._of(text, os.fspath(file), (), os.fspath(root)), format, loops, not_taken)


class ComparedSide(NamedTuple):
    """One of two models that are compared."""

    file: str
    coordinates: int
    constraints: int
    operations: int
    outcome: _core.Outcome


ComparedSide.file.__doc__ = "Where it was read from."
ComparedSide.coordinates.__doc__ = "How many."
ComparedSide.constraints.__doc__ = "How many."
ComparedSide.operations.__doc__ = "Of one acceleration."
ComparedSide.outcome.__doc__ = "Of its motion."


class Comparison(NamedTuple):
    """Two models of one machine, or one with two sets of options, side by side."""

    a: ComparedSide
    b: ComparedSide
    names: List[str]
    states: int
    acceleration_difference: float
    rate_difference: float
    trajectory_difference: float
    explained_difference: float
    moments: List[Tuple[float, float, str]]
    same_equations: bool
    verdict: str


Comparison.a.__doc__ = "The first."
Comparison.b.__doc__ = "The second."
Comparison.names.__doc__ = "What is compared."
Comparison.states.__doc__ = "Random states at which accelerations were compared."
Comparison.acceleration_difference.__doc__ = "The largest, over the largest acceleration there."
Comparison.rate_difference.__doc__ = "Of currents and other states, over their largest rate."
Comparison.trajectory_difference.__doc__ = "The largest of the motions; NaN: they were not computed."
Comparison.explained_difference.__doc__ = "Of the motions, by their own errors; NaN: they were not computed."
Comparison.moments.__doc__ = "Six, evenly over the motion: time (s), largest difference, of what."
Comparison.same_equations.__doc__ = "Whether the accelerations agree to rounding."
Comparison.verdict.__doc__ = "In one sentence."


def compare(a: Model, b: Model, *, match: Optional[Mapping[str, str]] = None, states: int = 50, seed: int = 1, run: bool = True,
            **options: Any) -> Comparison:
    """Compares two models of a machine, or one with two sets of options: compare(model, model.set({"simulate.formulation": "null_space"})).

    Quantities with the same name in both models are compared; match: further pairs, {name in a: name in b}. states, seed:
    random states at which accelerations are compared. run: False compares accelerations only. Options are those of simulate(), for both.
    """
    given = options_of(options)
    pairs = [(str(name), str(other)) for name, other in (match or {}).items()]
    # b's own options, which set() gave it, win over those for both
    sides = [model._compiled.with_options(tuple(entry for entry in given if entry[0] not in dict(model._compiled.settings)))
             for model in (a, b)]
    found = _core.compare(*sides, match=pairs, states=whole("states", states), seed=whole("seed", seed), run=bool(run))
    return Comparison(ComparedSide(**found.pop("a")), ComparedSide(**found.pop("b")), **found)


def reference(name: str = "") -> str:
    """The reference of the model file, as `armature format` prints it: of a section ("joints"), a type ("revolute"), a key, a machine
    element ("belt") or a task; without a name, all sections."""
    return _core.reference(name)


def doctor() -> Dict[str, Any]:
    """The version, the capabilities of this build, and the check of a test motion: "failure" tells what is wrong, or is empty."""
    return _core.diagnosis()
