"""What is compiled of the text of a model, and kept: the last few machines, assemblies and rollouts."""
import collections
import math
import threading
from typing import Any, Callable, Hashable, List, Mapping, Sequence, Tuple, Union

from . import _core
from ._errors import InputError, require_text

Value = Union[float, int, str]
Settings = Tuple[Tuple[str, str], ...]

_NUMBERS = {"end": "s", "record": "s", "step": "s", "max_step": "s", "rtol": "", "atol": ""}
_WORDS = ("integrator", "formulation", "stabilization", "drift")
OPTIONS = (*_NUMBERS, *_WORDS)


class Kept:
    """The last few things that were made, by key. A machine takes megabytes: whoever varies an option keeps only these."""

    def __init__(self, count: int = 8):
        self._count, self._things, self._lock = count, collections.OrderedDict(), threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
                return self._things[key]
        made = make()  # without the lock: other threads go on meanwhile
        with self._lock:
            self._things[key] = made
            while len(self._things) > self._count:
                self._things.popitem(last=False)
        return made

    def __len__(self) -> int:
        return len(self._things)


class Compiled:
    """A model as the engine knows it."""

    def __init__(self, text: str, file: str, settings: Settings, root: str):
        self.text, self.file, self.settings, self.root = text, file, settings, root
        self.model = _core.parse_model(text, file, settings, root)
        self.count_of_inputs = len(self.model.inputs)
        self.models, self.machines, self.assemblies, self.rollouts = Kept(), Kept(), Kept(), Kept()

    def with_options(self, options: Settings) -> _core.Model:
        """The model with options of `simulate` in place of the file's."""
        if not options:
            return self.model
        return self.models.get(options, lambda: _core.parse_model(self.text, self.file, self.settings + options, self.root))

    def machine(self, inputs: Sequence[str] = (), options: Settings = ()) -> _core.Machine:
        inputs = tuple(inputs)
        return self.machines.get((inputs, options), lambda: _core.compile(self.with_options(options), inputs))

    def assembly(self, names: Tuple[str, ...]) -> _core.Assembly:
        return self.assemblies.get(names, lambda: _core.Assembly(self.machine(), names))

    def rollout(self, step: float, integrator: str, free: Tuple[str, ...], gpu: int) -> _core.Rollout:
        return self.rollouts.get((step, integrator, free, gpu), lambda: _core.Rollout(self.machine(free), step, integrator, gpu))


def formula(name: str, value: Value) -> str:
    """A number or a formula as the reader takes it."""
    if isinstance(value, str):
        return value
    try:
        number = float("nan") if isinstance(value, bool) or value is None else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{name} is {value!r}, but must be a finite number or a formula such as '60 cm'")
    return repr(number)


def setting(name: str, value: Any) -> str:
    """A number, a formula, or a list of them for a parameter that is a list."""
    if isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) == 1:
        return "[" + ", ".join(f'"{formula(name, each)}"' for each in value) + "]"
    return formula(name, value)


def settings_of(settings: Mapping[str, Value], parameters: Mapping[str, Value]) -> Settings:
    return tuple((name, setting(name, value)) for name, value in {**settings, **parameters}.items())


def options_of(options: Mapping[str, Any]) -> Settings:
    """Options of simulate() as settings of the file; None: as the file says."""
    given: List[Tuple[str, str]] = []
    for name, value in options.items():
        if name not in OPTIONS:
            raise TypeError(f"there is no option '{name}'; expected {', '.join(OPTIONS)}")
        if value is None:
            continue
        if name in _WORDS and not isinstance(value, str):
            raise InputError(f"{name} is {value!r}, but must be a name")
        given.append((f"simulate.{name}", formula(name, value)))
    return tuple(given)


def names_of(what: str, names: Sequence[str]) -> Tuple[str, ...]:
    """A list of names; a single string is a mistake that would be taken for its letters."""
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise InputError(f"{what} must be a list of names, not {names!r}")
    names = tuple(names)
    for k, name in enumerate(names):
        require_text(what, name)
        if name in names[:k]:
            raise InputError(f"{what}: '{name}' is named twice")
    return names
