"""Models: read from a file, or written in code with the words of the file."""
import json
import os
import warnings
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core, _progress
from ._errors import ComputationError, InputError, Interrupted
from ._run import Run

Value = Union[float, int, str]
Over = Mapping[str, Sequence[float]]

_OPTIONS = ("end", "record", "step", "max_step", "rtol", "atol", "integrator", "formulation")


def load(file: Union[str, os.PathLike], settings: Optional[Mapping[str, Value]] = None, **parameters: Value) -> "Model":
    """Reads a model file. Parameters are numbers in SI units or formulas with units ("60 cm"); `settings` has those whose names are no
    Python names, such as {"simulate.rtol": 1e-8, "start.keep.theta1": "80 deg"}."""
    with open(file, encoding="utf-8") as text:
        return Model._of(text.read(), os.fspath(file), _settings_of(settings, parameters))


def parse(text: str, settings: Optional[Mapping[str, Value]] = None, **parameters: Value) -> "Model":
    """A model from the text of a file."""
    return Model._of(text, "model", _settings_of(settings, parameters))


class RolloutResult(NamedTuple):
    """States of a rollout, and for each motion the step that failed (-1: none)."""

    states: np.ndarray
    failed: np.ndarray


class Model:
    """A machine: what a file says about it. Models can be pickled and shared by threads.

    Written in code, a model has the sections of a file: `model["gravity"] = [0, -9.81, 0]`, and methods that add entries:
    `model.body("crank", mass="1 kg", …)`.
    """

    def __init__(self, name: str = "model", **sections: Any):
        self._sections: Optional[Dict[str, Any]] = {"armature": 1, "name": name, **sections}
        self._text, self._file, self._settings = "", name, []
        self._forget()

    @classmethod
    def _of(cls, text: str, file: str, settings: List[Tuple[str, str]]) -> "Model":
        model = cls.__new__(cls)
        model._sections, model._text, model._file, model._settings = None, text, file, settings
        model._forget()
        model._model  # errors are raised here, not later
        return model

    # The text and what is compiled of it

    def _forget(self) -> None:
        self._known: Optional[_core.Model] = None
        self._machines: Dict[Any, _core.Machine] = {}
        self._assemblies: Dict[Any, _core.Assembly] = {}
        self._rollouts: Dict[Any, _core.Rollout] = {}

    @property
    def text(self) -> str:
        """The text of the file. A model in code is written anew; what was compiled of another text is dropped."""
        if self._sections is not None:
            text = _text_of(self._sections)
            if text != self._text:
                self._text = text
                self._forget()
        return self._text

    @property
    def _model(self) -> _core.Model:
        text = self.text
        if self._known is None:
            self._known = _core.parse_model(text, self._file, self._settings)
        return self._known

    def _machine(self, inputs: Sequence[str] = (), **options: Any) -> _core.Machine:
        model = self._model
        given = {name: value for name, value in options.items() if value is not None}
        key = (tuple(inputs), tuple(sorted(given.items())))
        if key not in self._machines:
            self._machines[key] = _core.compile(model, inputs=list(inputs), **given)
        return self._machines[key]

    def _studied(self, options: Mapping[str, Any]) -> _core.Model:
        """The model with options of `simulate` in place of the file's."""
        _check_options(options)
        given = [(f"simulate.{name}", _formula(value)) for name, value in options.items() if value is not None]
        return _core.parse_model(self.text, self._file, self._settings + given) if given else self._model

    def __getstate__(self):
        return {"text": self.text, "file": self._file, "settings": self._settings, "sections": self._sections}

    def __setstate__(self, state):
        self._sections, self._text = state["sections"], state["text"]
        self._file, self._settings = state["file"], state["settings"]
        self._forget()

    def set(self, settings: Optional[Mapping[str, Value]] = None, **parameters: Value) -> "Model":
        """The same model with other parameters."""
        return Model._of(self.text, self._file, self._settings + _settings_of(settings, parameters))

    def save(self, file: Union[str, os.PathLike]) -> None:
        """Writes the model file."""
        if self._settings:
            names = ", ".join(name for name, _ in self._settings)
            raise InputError(f"the file would not have the values that were set: {names}")
        self._model
        with open(file, "w", encoding="utf-8") as out:
            out.write(self.text)

    # What is in it

    name = property(lambda self: self._model.name)
    file = property(lambda self: self._model.file)
    bodies = property(lambda self: self._model.bodies)
    joints = property(lambda self: self._model.joints)

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
        return self._machine().degrees_of_freedom

    @property
    def constraints(self) -> int:
        """Rows of Phi."""
        return self._machine().constraints

    @property
    def notes(self) -> List[str]:
        """Joints that were cut, redundant constraints, what assembly moved."""
        return self._machine().notes

    # Models in code

    def __getitem__(self, section: str) -> Any:
        self._require_code()
        return self._sections[section]

    def __setitem__(self, section: str, content: Any) -> None:
        self._require_code()
        self._sections[section] = content

    def _require_code(self) -> None:
        if self._sections is None:
            raise InputError(f"{self._file}: a model that was read from a file cannot be changed; use set() for its parameters")

    def add(self, section: str, name: str, content: Any) -> "Model":
        """Adds an entry to a section, such as add("points", "A", [0, 0, 0])."""
        self._require_code()
        entries = self._sections.setdefault(section, {})
        if name in entries:
            raise InputError(f"{section}.{name}: the name is taken")
        entries[name] = content
        return self

    def parameter(self, name: str, value: Value) -> "Model":
        return self.add("parameters", name, value)

    def input(self, name: str, unit: str = "", default: Value = 0) -> "Model":
        return self.add("inputs", name, {"unit": unit, "default": default} if unit else {"default": default})

    def point(self, name: str, position: Any) -> "Model":
        return self.add("points", name, position)

    def body(self, name: str, **content: Any) -> "Model":
        return self.add("bodies", name, content)

    def joint(self, name: str, type: str, between: Sequence[str], **content: Any) -> "Model":
        return self.add("joints", name, {"type": type, "between": list(between), **content})

    def constraint(self, name: str, type: str, **content: Any) -> "Model":
        return self.add("constraints", name, {"type": type, **content})

    def drive(self, name: str, type: str, on: str, **content: Any) -> "Model":
        return self.add("drives", name, {"type": type, "on": on, **content})

    def motor(self, name: str, on: str, **content: Any) -> "Model":
        """A DC motor."""
        return self.drive(name, "dc_motor", on, **content)

    def force(self, name: str, type: str, **content: Any) -> "Model":
        return self.add("forces", name, {"type": type, **content})

    def controller(self, name: str, type: str, **content: Any) -> "Model":
        return self.add("controllers", name, {"type": type, **content})

    # One motion

    def simulate(
        self,
        *,
        end: Optional[float] = None,
        record: Optional[float] = None,
        step: Optional[float] = None,
        max_step: Optional[float] = None,
        rtol: Optional[float] = None,
        atol: Optional[float] = None,
        integrator: Optional[str] = None,
        formulation: Optional[str] = None,
        branch: int = 0,
        state: Optional[_core.State] = None,
        control: Optional[Mapping[str, Callable[[_core.Simulation], float]]] = None,
        sample: float = 1e-3,
        progress: Union[bool, Callable[[float, int], Any]] = False,
        check: bool = True,
    ) -> Run:
        """The motion from the start to `end` (s): the same numbers as `armature run`.

        branch: start on this assembly branch, from 1. state: start there. control: functions that set inputs, called with the simulation
        every `sample` seconds; a parameter becomes an input by being named here. progress: True shows a bar; a function is called with
        (t, steps) and stops the motion by returning False. check: raise ComputationError where the motion fails; the exception has it
        as `run`. Ctrl-C raises Interrupted, which has the motion up to there.
        """
        options = dict(end=end, record=record, step=step, max_step=max_step, rtol=rtol, atol=atol, integrator=integrator,
                       formulation=formulation)
        if branch:
            state = self.assemble(branch=branch)
        if control or state is not None:
            return self._follow(options, state, control or {}, sample, progress, check)
        machine = self._machine(**options)
        function, done = _progress.of_motion(progress, machine.end)
        try:
            motion, interrupted = _core.simulate(machine, function)
        finally:
            done()
        run = Run(motion, machine, self._settings)
        if interrupted:
            raise Interrupted(run)
        return _checked(run, check)

    def _follow(self, options, state, control, sample, progress, check) -> Run:
        """A motion in pieces between which functions set inputs. Whatever they raise has the motion up to there as `run`."""
        inputs = [name for name in control if name not in self.inputs]
        machine = self._machine(inputs, **options)
        sim = _core.Simulation(machine, True, state)
        function, done = _progress.of_motion(progress, machine.end)
        began, end = sim.t, machine.end
        if not began < end:
            raise InputError(f"the motion starts at t = {began:g} s and ends at {end:g} s: give a later end")
        if control and not (np.isfinite(sample) and sample > 0):
            raise InputError(f"sample is {sample}, but must be positive: the time between calls of the functions, s")
        length = sample if control else (end - began) / 100
        pieces = max(int(np.ceil((end - began) / length - 1e-9)), 1)

        def result() -> Run:
            return Run(sim._finish(), machine, self._settings)

        try:
            for k in range(pieces):
                for name, command in control.items():
                    sim.u[name] = command(sim)
                try:
                    sim.advance(end if k + 1 == pieces else began + length * (k + 1))
                except ComputationError:  # of the motion itself: its outcome says it
                    return _checked(result(), check)
                if function is not None and (go_on := function(sim.t, k + 1)) is not None and not go_on:
                    break
        except KeyboardInterrupt:
            raise Interrupted(result()) from None
        except Exception as error:
            error.run = result()
            raise
        finally:
            done()
        return _checked(result(), check)

    def start(
        self,
        *,
        inputs: Sequence[str] = (),
        record: bool = False,
        state: Optional[_core.State] = None,
        **options: Any,
    ) -> _core.Simulation:
        """A simulation to be stepped. inputs: parameters that become inputs, besides those of the file. record: keep rows, for
        finish(). Options are those of simulate(): rtol, integrator, …"""
        _check_options(options)
        return _core.Simulation(self._machine(inputs, **options), record, state)

    def assemble(self, values: Optional[Mapping[str, float]] = None, *, branch: int = 1, **coordinates: float) -> _core.State:
        """A start state in which coordinates and speeds ("theta1.v") have given values (SI). branch: which way to close the loops, from
        1, the nearest to the file's start first."""
        branches = self.branches(values, **coordinates) if branch != 1 else None
        if branches is not None:
            if not 1 <= branch <= len(branches):
                raise InputError(f"branch {branch}: only {len(branches)} were found")
            return branches[branch - 1]
        assembly, numbers = self._assembly(values, coordinates)
        return assembly.start(numbers) if assembly else self._machine().start()

    def branches(self, values: Optional[Mapping[str, float]] = None, **coordinates: float) -> List[_core.State]:
        """The ways to close the loops that were found, the nearest to the file's start first."""
        assembly, numbers = self._assembly(values, coordinates)
        return assembly.branches(numbers) if assembly else self._machine().branches()

    def _assembly(self, values, coordinates):
        values = {**(values or {}), **coordinates}
        if not values:
            return None, []
        names, machine = tuple(values), self._machine()
        if names not in self._assemblies:
            self._assemblies[names] = _core.Assembly(machine, list(names))
        return self._assemblies[names], [float(value) for value in values.values()]

    def project(self, state: _core.State) -> _core.State:
        """The nearest state that satisfies the constraints."""
        return self._machine().project(state)

    def terms(self, q, v, z=(), *, t: float = 0.0, inputs: Sequence[float] = ()) -> _core.Terms:
        """M, h, Phi and gamma at a state: M vdot + h + Phi' lambda = 0, Phi vdot = gamma."""
        return self._machine().terms(_core.State(q, v, z, t), list(inputs))

    def accelerate(self, q, v, z=(), *, formulation: str = "auto", t: float = 0.0, inputs: Sequence[float] = ()) -> _core.Acceleration:
        """vdot and the multipliers at a state, by any formulation."""
        return self._machine().acceleration(_core.State(q, v, z, t), formulation, list(inputs))

    def rollout(
        self,
        states,
        inputs=None,
        steps: int = 1,
        *,
        step: float = 1e-3,
        integrator: str = "rk4",
        every: int = 0,
        t: float = 0.0,
        threads: int = 0,
        out: Optional[np.ndarray] = None,
        free: Sequence[str] = (),
    ) -> RolloutResult:
        """Moves many states forward at once, in steps of one length (s), on all cores.

        states: one row for each motion, as rollout_row() makes it of a State. inputs: (steps, motions, inputs), or (motions, inputs) for all
        steps. every: states are kept after so many steps, in an array (steps // every, motions, size); 0: the last alone, (motions, size).
        free: parameters that become inputs. Arrays of doubles in C order are used as they are, `out` too.
        """
        rollout = self._rollout(step, integrator, free)
        states = np.ascontiguousarray(states, dtype=float)
        if states.ndim != 2:
            raise InputError("states must have one row for each motion")
        inputs = np.empty(0) if inputs is None else np.ascontiguousarray(inputs, dtype=float)
        count = len(free) + len(self.inputs)
        if inputs.size and inputs.shape not in ((steps, len(states), count), (len(states), count)):
            raise InputError(f"inputs must have the shape {(steps, len(states), count)} or {(len(states), count)}, not {inputs.shape}: "
                             "those of free first, then those of the file")
        if out is not None and out is not states and np.may_share_memory(out, states):
            raise InputError("out shares memory with states; give another array, or the same one")
        shape = states.shape if every == 0 else (steps // every, *states.shape)
        if out is None:
            out = np.empty(shape)
        elif out.shape != shape or out.dtype != float or not out.flags.c_contiguous:
            raise InputError(f"out must be an array of doubles in C order with the shape {shape}")
        failed = np.empty(len(states), dtype=np.int64)
        rollout.run(states, inputs, steps, every, t, threads, out, failed, None)
        return RolloutResult(out, failed)

    def rollout_row(self, state: _core.State, *, free: Sequence[str] = ()) -> np.ndarray:
        """A state as a row for rollout(): q, v, and of z what the motion depends on."""
        return self._rollout(1e-3, "rk4", free).row(state)

    def _rollout(self, step, integrator, free) -> _core.Rollout:
        key, machine = (step, integrator, tuple(free)), self._machine(free)
        if key not in self._rollouts:
            self._rollouts[key] = _core.Rollout(machine, step, integrator)
        return self._rollouts[key]

    # Studies

    def map(self, over: Over, classify: str, *, refine: int = 0, threads: int = 0, progress=False, **options: Any) -> _core.Map:
        """The class of the motion over a grid: map({"phi0": (0, 6.28, 61)}, "turns: turns(phi) >= 1; rests")."""
        return self._study(_core.map, progress, options, over=_axes(over), classify=classify, refine=refine, threads=threads)

    def sweep(self, over: Over, results: Mapping[str, str], *, latin: int = 0, sobol: int = 0, seed: int = 1, points=(),
              threads: int = 0, progress=False, **options: Any) -> _core.Sweep:
        """Numbers of the motion over a grid, a Latin hypercube or a Sobol sequence: sweep({"rope": (0.5, 1, 11)},
        {"peak": "max(abs(motor.current))"}). points: rows of values in place of a grid."""
        return self._study(_core.sweep, progress, options, over=_axes(over), results=list(results.items()), latin=latin, sobol=sobol,
                           seed=seed, points=[[float(x) for x in point] for point in points], threads=threads)

    def optimize(self, over: Over, minimize: str = "", maximize: str = "", *, subject: Sequence[str] = (), method: str = "",
                 evaluations: int = 200, starts: int = 1, tolerance: float = 1e-6, threads: int = 0, progress=False,
                 **options: Any) -> _core.Optimum:
        """The values for which a number of the motion is smallest or largest."""
        if bool(minimize) == bool(maximize):
            raise InputError("give one of minimize and maximize")
        return self._study(_core.optimize, progress, options, over=_axes(over), objective=minimize or maximize,
                           maximize=bool(maximize), subject=list(subject), method=method, evaluations=evaluations, starts=starts,
                           tolerance=tolerance, threads=threads)

    def tune(self, alpha: Sequence[float] = (), beta: Sequence[float] = (), *, of: str = "", refine: int = 0, threads: int = 0,
             progress=False, **options: Any) -> _core.TunedGains:
        """Gains of Baumgarte's method: over a grid (1/s and 1/s^2), or over the region of stability."""
        return self._study(_core.tune, progress, options, alpha=list(alpha), beta=list(beta), of=of, refine=refine, threads=threads)

    def _study(self, function, progress, options, **arguments):
        shown, done = _progress.of_study(progress)
        try:
            return function(self._studied(options), progress=shown, **arguments)
        finally:
            done()

    def modes(self, *, equilibrium: bool = True, **options: Any) -> _core.Modes:
        """Small vibrations about the equilibrium (or the start), and the linear system there."""
        return _core.modes(self._studied(options), equilibrium)

    def singularities(self, *, progress=False, **options: Any) -> _core.Singularities:
        """Singular poses along the motion."""
        return self._motion_study(_core.singularities, progress, options)

    def inverse(self, *, progress=False, **options: Any) -> Run:
        """Torques, currents and voltages for the motion under `inverse:` of the file."""
        return Run(self._motion_study(_core.inverse, progress, options))

    def kinematics(self, moves: Optional[Mapping[str, str]] = None, *, progress=False, **options: Any) -> Run:
        """Positions for coordinates moved by formulas of t: kinematics({"crank": "2*t"})."""
        given = [(name, _formula(formula)) for name, formula in (moves or {}).items()]
        return Run(self._motion_study(_core.kinematics, progress, options, moves=given))

    def _motion_study(self, function, progress, options, **arguments):
        model = self._studied(options)
        shown, done = _progress.of_motion(progress, model.end)
        try:
            return function(model, progress=shown, **arguments)
        finally:
            done()

    def equations(self, latex: bool = False, *, format: str = "text") -> str:
        """The equations of motion of a small model: as text, LaTeX, or a function in C or Python."""
        format = "latex" if latex else format
        if format not in ("text", "latex", "c", "python"):
            raise InputError(f"there is no format '{format}'; there are text, latex, c and python")
        return _core.equations(self._model, format)

    def __repr__(self) -> str:
        return f"<armature.Model {self.name}: {len(self.bodies)} bodies, {len(self.joints)} joints>"


def _checked(run: Run, check: bool) -> Run:
    for warning in run.outcome.warnings:
        warnings.warn(warning, RuntimeWarning, stacklevel=3)
    if check and run.outcome.status == "failed":
        error = ComputationError(run.outcome.sentence)
        error.run = run
        raise error
    return run


def _formula(value: Value) -> str:
    return value if isinstance(value, str) else repr(float(value))


def _settings_of(settings: Optional[Mapping[str, Value]], parameters: Mapping[str, Value]) -> List[Tuple[str, str]]:
    return [(name, _formula(value)) for name, value in {**(settings or {}), **parameters}.items()]


def _check_options(options: Mapping[str, Any]) -> None:
    for name in options:
        if name not in _OPTIONS:
            raise TypeError(f"there is no option '{name}'; there are {', '.join(_OPTIONS)}")


def _axes(over: Over) -> List[Tuple[str, float, float, int]]:
    axes = []
    for name, values in over.items():
        if len(values) not in (2, 3):
            raise InputError(f"over {name}: expected (from, to) or (from, to, count)")
        axes.append((name, float(values[0]), float(values[1]), int(values[2]) if len(values) == 3 else 0))
    return axes


def _text_of(sections: Mapping[str, Any]) -> str:
    """YAML: sections and their entries on lines of their own, the rest as JSON, which is YAML too."""
    lines = []
    for section, content in sections.items():
        if isinstance(content, Mapping) and content:
            lines.append(f"{section}:")
            lines += [f"  {name}: {json.dumps(entry, ensure_ascii=False, default=_plain)}" for name, entry in content.items()]
        else:
            lines.append(f"{section}: {json.dumps(content, ensure_ascii=False, default=_plain)}")
    return "\n".join(lines) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"{value!r} cannot be written into a model file")
