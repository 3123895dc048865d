"""The text of a model: read from a file, or written from sections in code."""
import copy
import json
import os
import re
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core
from ._compiled import Compiled, Settings, Value, options_of, settings_of
from ._errors import InputError


class ModelText:
    """What a file says, what is compiled of it, and sections written in code."""

    def __init__(self, name: str = "model", **sections: Any):
        self._sections: Optional[Dict[str, Any]] = {"armature": 1, "name": name, **sections}
        self._text, self._file, self._settings, self._root = "", str(name), (), ""
        self._known: Optional[Compiled] = None

    @classmethod
    def _of(cls, text: str, file: str, settings: Settings, root: str = "") -> "ModelText":
        model = cls.__new__(cls)
        model.__setstate__({"text": text, "file": file, "settings": settings, "sections": None, "root": root})
        model._compiled  # errors are raised here, not later
        return model

    # The text and what is compiled of it

    @property
    def text(self) -> str:
        """The text of the file; for a model written in code, it is generated."""
        return self._text if self._sections is None else _text_of(self._sections)

    @property
    def _compiled(self) -> Compiled:
        """What is compiled of the present text. A model in code may have changed; threads that still use the old one keep it."""
        text, known = self.text, self._known
        if known is None or (known.text, known.settings) != (text, self._settings):
            known = self._known = Compiled(text, self._file, self._settings, self._root)
        return known

    @property
    def _model(self) -> _core.Model:
        return self._compiled.model

    def _machine(self, inputs: Sequence[str] = (), **options: Any) -> _core.Machine:
        return self._compiled.machine(inputs, options_of(options))

    def _studied(self, options: Mapping[str, Any]) -> _core.Model:
        return self._compiled.with_options(options_of(options))

    def __getstate__(self):
        return {"text": self.text, "file": self._file, "settings": self._settings, "sections": copy.deepcopy(self._sections),
                "root": self._root}

    def __setstate__(self, state):
        self._sections, self._text = state["sections"], state["text"]
        self._file, self._settings, self._root = state["file"], tuple(state["settings"]), state.get("root", "")
        self._known = None

    def __copy__(self) -> "Model":
        twin = type(self).__new__(type(self))
        twin.__setstate__(self.__getstate__())
        twin._known = self._known
        return twin

    def set(self, settings: Optional[Mapping[str, Value]] = None, **parameters: Value) -> "Model":
        """The same model with other parameters; `settings` is as in load()."""
        twin = copy.copy(self)
        twin._settings += settings_of(settings or {}, parameters)
        twin._compiled  # errors are raised here, not later
        return twin

    def save(self, file: Union[str, os.PathLike]) -> None:
        """Writes the model file. Changed parameters are written into it; comments are kept."""
        text = self._model.text
        if self._settings:
            text = _core.with_settings(text, self._settings)
            written = type(self)._of(text, os.fspath(file), (), self._root)
            if (written.parameters, written.inputs) != (self.parameters, self.inputs):
                raise InputError(f"the values that were set cannot be written into the text of {self._file}")
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)

    # What is in it

    name = property(lambda self: self._model.name, doc="As the file says.")
    file = property(lambda self: self._model.file, doc="Where the model was read from.")
    bodies = property(lambda self: self._model.bodies, doc="Names of the bodies.")
    joints = property(lambda self: self._model.joints, doc="Names of the joints.")

    @property
    def parameters(self) -> Dict[str, float]:
        """Parameters and their values, SI."""
        return {parameter.name: parameter.value for parameter in self._model.parameters}

    @property
    def inputs(self) -> Dict[str, float]:
        """Inputs and their defaults, SI."""
        return {quantity.name: quantity.value for quantity in self._model.inputs}

    @property
    def positions(self) -> List[_core.Channel]:
        """Names and units of q."""
        return self._machine().positions

    @property
    def velocities(self) -> List[_core.Channel]:
        """Names and units of v."""
        return self._machine().velocities

    @property
    def states(self) -> List[_core.Channel]:
        """Names and units of z: currents, temperatures, integrals of controllers, work and heat."""
        return self._machine().states

    @property
    def degrees_of_freedom(self) -> int:
        """Degrees of freedom at a generic pose."""
        return self._machine().degrees_of_freedom

    @property
    def constraints(self) -> int:
        """Rows of Phi."""
        return self._machine().constraints

    @property
    def notes(self) -> List[str]:
        """Cut joints, redundant constraints, and coordinates that assembly moved."""
        return self._machine().notes

    # Models in code

    def __getitem__(self, section: str) -> Any:
        self._require_code()
        return self._sections[section]

    def __setitem__(self, section: str, content: Any) -> None:
        self._require_code()
        _text_of({section: content})  # raises what a file cannot hold, before the model has it
        self._sections[section] = content

    def __delitem__(self, section: str) -> None:
        self._require_code()
        del self._sections[section]

    def _require_code(self) -> None:
        if self._sections is None:
            raise InputError(f"{self._file}: a model that was read from a file cannot be changed; use set() for its parameters")

    def add(self, section: str, name: str, content: Any) -> "Model":
        """Adds an entry to a section, such as add("points", "A", [0, 0, 0]). If the entry is invalid, the model stays unchanged."""
        self._require_code()
        if name in self._sections.get(section, {}):
            raise InputError(f"{section}.{name}: the name is taken")
        if section in _NAMED and not _WORD.fullmatch(str(name)):
            raise InputError(f"{section}.{name}: '{name}' is not a name: names are letters, digits and _, a letter first")
        _value(content)  # raises what a file cannot hold
        self._sections.setdefault(section, {})[name] = content
        return self

    def parameter(self, name: str, value: Value) -> "Model":
        """A number in SI units, or a formula with units: parameter("l", "2 m")."""
        return self.add("parameters", name, value)

    def input(self, name: str, unit: str = "", default: Value = 0) -> "Model":
        """A number that is set between steps: input("V", "V")."""
        return self.add("inputs", name, {"unit": unit, "default": default} if unit else {"default": default})

    def point(self, name: str, position: Any) -> "Model":
        """A point, m."""
        return self.add("points", name, position)

    def body(self, name: str, **content: Any) -> "Model":
        """body("bob", mass="1 kg", center=[0, 0, "-l"], inertia="none")."""
        return self.add("bodies", name, content)

    def joint(self, name: str, type: str, between: Sequence[str], **content: Any) -> "Model":
        """joint("hinge", "revolute", ["ground", "bob"], axis="y")."""
        return self.add("joints", name, {"type": type, "between": list(between), **content})

    def constraint(self, name: str, type: str, **content: Any) -> "Model":
        """An entry of `constraints`."""
        return self.add("constraints", name, {"type": type, **content})

    def drive(self, name: str, type: str, on: str, **content: Any) -> "Model":
        """An entry of `drives`."""
        return self.add("drives", name, {"type": type, "on": on, **content})

    def motor(self, name: str, on: str, **content: Any) -> "Model":
        """A DC motor: motor("motor", "travel", voltage="V", torque_constant="0.05 N*m/A", resistance="0.5 Ohm")."""
        return self.drive(name, "dc_motor", on, **content)

    def force(self, name: str, type: str, **content: Any) -> "Model":
        """An entry of `forces`: force("torque", "effort", on="hinge", **{"is": "push"})."""
        return self.add("forces", name, {"type": type, **content})

    def controller(self, name: str, type: str, **content: Any) -> "Model":
        """An entry of `controllers`."""
        return self.add("controllers", name, {"type": type, **content})


def _text_of(sections: Mapping[str, Any]) -> str:
    """YAML: sections and their entries on lines of their own, the rest as JSON, which is YAML too."""
    lines = []
    for section, content in sections.items():
        if isinstance(content, Mapping) and content:
            lines.append(f"{_key(section)}:")
            lines += [f"  {_key(name)}: {_value(entry)}" for name, entry in content.items()]
        else:
            lines.append(f"{_key(section)}: {_value(content)}")
    return "\n".join(lines) + "\n"


def _key(name: Any) -> str:
    """Plain where nothing else can be meant: YAML has its own ideas about yes, null, 1 and #."""
    plain = _WORD.fullmatch(str(name)) and str(name).lower() not in _YAML_WORDS
    return str(name) if plain else json.dumps(str(name), ensure_ascii=False)


_WORD = re.compile("[A-Za-z_][A-Za-z_0-9]*")
_NAMED = {"parameters", "inputs", "points", "bodies", "joints", "constraints", "drives", "forces", "controllers"}  # entries are words
_YAML_WORDS = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}


def _value(entry: Any) -> str:
    try:
        return json.dumps(entry, ensure_ascii=False, allow_nan=False, default=_plain)
    except ValueError:
        raise InputError(f"{entry!r} cannot be written into a model file: a number in it is not finite") from None


def _plain(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"{value!r} cannot be written into a model file")
