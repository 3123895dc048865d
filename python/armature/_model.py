"""Models: read from a file, or written in code with the words of the file."""
import copy
import json
import operator
import os
import re
import warnings
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core, _over, _progress
from ._compiled import Compiled, Settings, Value, formula, names_of, options_of, settings_of
from ._errors import ComputationError, InputError, Interrupted
from ._over import Over
from ._run import Run


def load(file: Union[str, os.PathLike], settings: Optional[Mapping[str, Value]] = None, **parameters: Value) -> "Model":
    """Reads a model file. Parameters are numbers in SI units or formulas with units ("60 cm"); `settings` has those whose names are no
    Python names, such as {"simulate.rtol": 1e-8, "start.keep.theta1": "80 deg"}."""
    with open(file, "rb") as source:
        data = source.read()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[:error.start].count(b"\n") + 1
        raise InputError(f"{os.fspath(file)}:{line}: byte {error.start} is not UTF-8; save the file in that encoding") from None
    return Model._of(text, os.fspath(file), settings_of(settings or {}, parameters))


def parse(text: str, settings: Optional[Mapping[str, Value]] = None, **parameters: Value) -> "Model":
    """A model from the text of a file."""
    try:
        text.encode("utf-8")
    except (AttributeError, UnicodeEncodeError):
        raise InputError("the text of a model must be a string that a file can hold") from None
    return Model._of(text, "model", settings_of(settings or {}, parameters))


class RolloutResult(NamedTuple):
    """States of a rollout, and for each motion the step that failed (-1: none)."""

    states: np.ndarray
    failed: np.ndarray


RolloutResult.states.__doc__ = "One row for each motion; with `every`, such a table for every so many steps. NaN from a step on that failed."
RolloutResult.failed.__doc__ = "The step at which a motion failed, from 0; -1: none."


class Model:
    """A machine: what a file says about it. Models can be pickled and shared by threads.

    Written in code, a model has the sections of a file: `model["gravity"] = [0, -9.81, 0]`, and methods that add entries:
    `model.body("crank", mass="1 kg", …)`.
    """

    def __init__(self, name: str = "model", **sections: Any):
        self._sections: Optional[Dict[str, Any]] = {"armature": 1, "name": name, **sections}
        self._text, self._file, self._settings = "", str(name), ()
        self._known: Optional[Compiled] = None

    @classmethod
    def _of(cls, text: str, file: str, settings: Settings) -> "Model":
        model = cls.__new__(cls)
        model.__setstate__({"text": text, "file": file, "settings": settings, "sections": None})
        model._compiled  # errors are raised here, not later
        return model

    # The text and what is compiled of it

    @property
    def text(self) -> str:
        """The text of the file; a model in code is written anew."""
        return self._text if self._sections is None else _text_of(self._sections)

    @property
    def _compiled(self) -> Compiled:
        """What is compiled of the present text. A model in code may have changed; threads that still use the old one keep it."""
        text, known = self.text, self._known
        if known is None or (known.text, known.settings) != (text, self._settings):
            known = self._known = Compiled(text, self._file, self._settings)
        return known

    @property
    def _model(self) -> _core.Model:
        return self._compiled.model

    def _machine(self, inputs: Sequence[str] = (), **options: Any) -> _core.Machine:
        return self._compiled.machine(inputs, options_of(options))

    def _studied(self, options: Mapping[str, Any]) -> _core.Model:
        return self._compiled.with_options(options_of(options))

    def __getstate__(self):
        return {"text": self.text, "file": self._file, "settings": self._settings, "sections": copy.deepcopy(self._sections)}

    def __setstate__(self, state):
        self._sections, self._text = state["sections"], state["text"]
        self._file, self._settings = state["file"], tuple(state["settings"])
        self._known = None

    def __copy__(self) -> "Model":
        twin = Model.__new__(Model)
        twin.__setstate__(self.__getstate__())
        twin._known = self._known
        return twin

    def set(self, settings: Optional[Mapping[str, Value]] = None, **parameters: Value) -> "Model":
        """The same model with other parameters; `settings` as in load()."""
        twin = copy.copy(self)
        twin._settings += settings_of(settings or {}, parameters)
        twin._compiled  # errors are raised here, not later
        return twin

    def save(self, file: Union[str, os.PathLike]) -> None:
        """Writes the model file. Parameters that were set are written into it; comments stay."""
        text = self._model.text
        if self._settings:
            text = _core.with_settings(text, self._settings)
            written = Model._of(text, os.fspath(file), ())
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
        """Of the motion, at a generic pose."""
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

    # One motion

    def simulate(
        self,
        *,
        end: Optional[Value] = None,
        record: Optional[Value] = None,
        step: Optional[Value] = None,
        max_step: Optional[Value] = None,
        rtol: Optional[Value] = None,
        atol: Optional[Value] = None,
        integrator: Optional[str] = None,
        formulation: Optional[str] = None,
        stabilization: Optional[str] = None,
        branch: int = 0,
        state: Optional[_core.State] = None,
        control: Optional[Mapping[str, Callable[[_core.Simulation], float]]] = None,
        sample: float = 1e-3,
        progress: Union[bool, Callable[[float, int], Any]] = False,
        check: bool = True,
    ) -> Run:
        """The motion from the start to `end` (s): the same numbers as `armature run`.

        Options are numbers (times in s) or formulas with units, in place of the file's. branch: start on this assembly branch, from 1. state:
        start there, at its time. control: functions that set inputs, called with the simulation every `sample` seconds; a parameter
        becomes an input by being named here. progress: True shows a bar; a function is called with (t, steps) twenty times a second and
        stops the motion by returning False. check: raise ComputationError where the motion fails; the exception has it as `run`. Ctrl-C
        raises Interrupted, which has the motion up to there; so has whatever a function raises. The outcome of a motion that was
        stopped says when and by what.
        """
        options = options_of(dict(end=end, record=record, step=step, max_step=max_step, rtol=rtol, atol=atol, integrator=integrator,
                                  formulation=formulation, stabilization=stabilization))
        if branch and state is not None:
            raise InputError("give branch or state, not both")
        if state is not None and not isinstance(state, _core.State):
            raise InputError(f"state is {state!r}, but must be a State, as assemble() makes it")
        if branch:
            state = self.assemble(branch=branch)
        if control:
            return _checked(self._follow(options, state, control, sample, progress), check)
        machine = self._compiled.machine((), options)
        return _checked(self._watched(_core.simulate, progress, machine.end, (options, ()), machine=machine, state=state), check)

    def _watched(self, function, progress, end: float, recipe, **arguments) -> Run:
        """A motion of the engine with its progress. What Python raised meanwhile is raised with the motion up to there as `run`."""
        shown, done = _progress.of_motion(progress, end)
        try:
            motion, raised = function(progress=shown, **arguments)
        finally:
            done()
        run = Run(motion, self if recipe else None, *(recipe or ()))
        if isinstance(raised, KeyboardInterrupt):
            raise Interrupted(run) from None
        if raised is not None:
            raised.run = run
            raise raised
        return run

    def _follow(self, options, state, control, sample, progress) -> Run:
        """A motion in pieces between which functions set inputs. Whatever they raise has the motion up to there as `run`."""
        for name, command in control.items():
            if not callable(command):
                raise InputError(f"control {name}: expected a function of the simulation, not {command!r}")
        inputs = tuple(name for name in control if name not in self.inputs)
        machine = self._compiled.machine(inputs, options)
        sim = _core.Simulation(machine, True, state)
        sim._recipe = (self, options, inputs)
        began, end = sim.t, machine.end
        if not began < end:
            raise InputError(f"the motion starts at t = {began:g} s and ends at {end:g} s: give a later end")
        if not (np.isfinite(sample) and sample > 0):
            raise InputError(f"sample is {sample}, but must be positive: the time between calls of the functions, s")
        shown, done = _progress.of_motion(progress, end)
        pieces = max(int(np.ceil((end - began) / sample - 1e-9)), 1)

        def result(stopped_by: str = "") -> Run:
            return Run(sim._finish(stopped_by), self, options, inputs)

        asked = ""
        try:
            for k in range(pieces):
                for name, command in control.items():
                    asked = f"the function for '{name}'"
                    sim.u[name] = _command(sim, name, command)
                asked = "the progress function"
                try:
                    sim.advance(end if k + 1 == pieces else began + sample * (k + 1))
                except ComputationError:  # of the motion itself: its outcome says it
                    return result()
                if shown is not None and (go_on := shown(sim.t, k + 1)) is not None and not go_on:
                    return result("the progress function returned False")
        except KeyboardInterrupt:
            raise Interrupted(result("Ctrl-C")) from None
        except Exception as error:
            error.run = result(f"{asked} raised {type(error).__name__}: {error}")
            raise
        finally:
            done()
        return result()

    def start(
        self,
        *,
        inputs: Sequence[str] = (),
        record: Union[bool, float] = False,
        state: Optional[_core.State] = None,
        **options: Any,
    ) -> _core.Simulation:
        """A simulation to be stepped. inputs: parameters that become inputs, besides those of the file. record: True keeps rows for
        finish() at the interval of the file, a number (s) at that one. Options are those of simulate(): rtol, integrator, …"""
        inputs = names_of("inputs", inputs)
        if not isinstance(record, (bool, np.bool_)):
            options["record"] = record
        if state is not None and not isinstance(state, _core.State):
            raise InputError(f"state is {state!r}, but must be a State, as assemble() makes it")
        given = options_of(options)
        sim = _core.Simulation(self._compiled.machine(inputs, given), bool(record), state)
        sim._recipe = (self, given, inputs)
        return sim

    def assemble(self, values: Optional[Mapping[str, float]] = None, *, branch: int = 1, **coordinates: float) -> _core.State:
        """A start state in which coordinates and speeds ("theta1.v") have given values (SI). branch: which way to close the loops, from
        1, the nearest to the file's start first."""
        if branch != 1:
            branches = self.branches(values, **coordinates)
            if not isinstance(branch, (int, np.integer)) or not 1 <= branch <= len(branches):
                found = "1 was" if len(branches) == 1 else f"{len(branches)} were"
                raise InputError(f"branch {branch}: only {found} found, counted from 1")
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
        return self._compiled.assembly(tuple(values)), [_number(name, value) for name, value in values.items()]

    def project(self, state: _core.State) -> _core.State:
        """The nearest state that satisfies the constraints."""
        return self._machine().project(state)

    def terms(self, q, v, z=(), *, t: float = 0.0, inputs: Sequence[float] = ()) -> _core.Terms:
        """M, h, Phi and gamma at a state: M vdot + h + Phi' lambda = 0, Phi vdot = gamma."""
        return self._machine().terms(_core.State(q, v, z, t), _numbers("inputs", inputs))

    def accelerate(self, q, v, z=(), *, formulation: str = "auto", t: float = 0.0, inputs: Sequence[float] = ()) -> _core.Acceleration:
        """vdot and the multipliers at a state, by any formulation."""
        return self._machine().acceleration(_core.State(q, v, z, t), formulation, _numbers("inputs", inputs))

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
        gpu: bool = False,
        progress: Union[bool, Callable[[int, int], Any]] = False,
    ) -> RolloutResult:
        """Moves many states forward at once, in steps of one length (s), on all cores; gpu: on a card of NVIDIA's, with the same bits.

        states: one row for each motion, as rollout_row() makes it of a State. inputs: (steps, motions, inputs), or (motions, inputs) for all
        steps. every: states are kept after so many steps, in an array (steps // every, motions, size); 0: the last alone, (motions, size).
        free: parameters that become inputs. Arrays of doubles in C order are used as they are, `out` too. Steps are those of a run with the
        same integrator. Each stage evaluates comparisons anew; no event is located. Constraints hold as the model's stabilization
        says. Sampled controllers are followed, one motion at a time.
        """
        rollout = self._rollout(step, integrator, free, gpu)
        steps, every, threads = _count("steps", steps), _count("every", every), _count("threads", threads)
        states = _table("states", states)
        if states.ndim != 2 or states.shape[1] != len(rollout.channels):
            raise InputError(f"states must have one row of {len(rollout.channels)} numbers for each motion, as rollout_row() makes it")
        inputs = np.empty(0) if inputs is None else _table("inputs", inputs)
        count = len(free) + self._compiled.count_of_inputs
        if inputs.size and inputs.shape not in ((steps, len(states), count), (len(states), count)):
            raise InputError(f"inputs must have the shape {(steps, len(states), count)} or {(len(states), count)}, not {inputs.shape}: "
                             "those of free first, then those of the file")
        shape = states.shape if every == 0 else (steps // every, *states.shape)
        if out is None:
            out = np.empty(shape)
        elif not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != float or not out.flags.carray:
            raise InputError(f"out must be a writable array of doubles in C order with the shape {shape}")
        elif out is not states and np.may_share_memory(out, states):
            raise InputError("out shares memory with states; give another array, or the same one")
        failed = np.empty(len(states), dtype=np.int64)
        shown, done = _progress.of_study(progress)
        try:
            rollout.run(states, inputs, steps, every, _number("t", t), threads, out, failed, shown)
        finally:
            done()
        return RolloutResult(out, failed)

    def rollout_row(self, state: _core.State, *, free: Sequence[str] = ()) -> np.ndarray:
        """A state as a row for rollout(): q, v, and of z what the motion depends on."""
        return self._rollout(1e-3, "rk4", free).row(state)

    def _rollout(self, step, integrator, free, gpu=False) -> _core.Rollout:
        return self._compiled.rollout(_number("step", step), str(integrator), names_of("free", free), bool(gpu))

    # Studies

    def map(self, over: Over, classify: str, *, refine: int = 0, threads: int = 0, progress=False, **options: Any) -> _core.Map:
        """The class of the motion over a grid: map({"phi0": (0, 6.28, 61)}, "turns: turns(phi) >= 1; rests")."""
        return self._study(_core.map, progress, options, over=_over.ranges(over), classify=classify,
                           refine=_count("refine", refine), threads=_count("threads", threads))

    def sweep(self, over: Over, results: Mapping[str, str], *, latin: int = 0, sobol: int = 0, seed: int = 1, points=None,
              threads: int = 0, progress=False, **options: Any) -> _core.Sweep:
        """Numbers of the motion over a grid, a Latin hypercube or a Sobol sequence: sweep({"rope": (0.5, 1, 11)},
        {"peak": "max(abs(motor.current))"}).

        over: a tuple is a range, (from, to, count) or (from, to) for latin and sobol; a list or an array is values. points: rows of values in
        place of a grid; over then lists the names.
        """
        if points is not None:
            names = list(over)
            points = _over.points_of(points, names)
            axes = [(name, 0.0, 1.0, 0) for name in names]
        elif latin or sobol or _over.is_grid_of_ranges(over):
            axes, points = _over.ranges(over), []
        else:
            names, _, table = _over.grid(over)
            axes, points = [(name, 0.0, 1.0, 0) for name in names], table.tolist()
        return self._study(_core.sweep, progress, options, over=axes, results=_results(results), latin=_count("latin", latin),
                           sobol=_count("sobol", sobol), seed=_count("seed", seed), points=points, threads=_count("threads", threads))

    def optimize(self, over: Over, minimize: str = "", maximize: str = "", *, subject: Sequence[str] = (), method: str = "",
                 evaluations: int = 200, starts: int = 1, tolerance: float = 1e-6, threads: int = 0, progress=False,
                 **options: Any) -> _core.Optimum:
        """The values for which a number of the motion is smallest or largest: optimize({"volts": (2, 12)}, "(final(travel) - 1)^2")."""
        if bool(minimize) == bool(maximize):
            raise InputError("give one of minimize and maximize")
        return self._study(_core.optimize, progress, options, over=_over.ranges(over), objective=minimize or maximize,
                           maximize=bool(maximize), subject=list(names_of("subject", subject)), method=method,
                           evaluations=_count("evaluations", evaluations), starts=_count("starts", starts),
                           tolerance=_number("tolerance", tolerance), threads=_count("threads", threads))

    def tune(self, alpha: Sequence[float] = (), beta: Sequence[float] = (), *, of: str = "", refine: int = 0, threads: int = 0,
             progress=False, **options: Any) -> _core.TunedGains:
        """Gains of Baumgarte's method: over a grid (1/s and 1/s^2), or over the region of stability."""
        return self._study(_core.tune, progress, options, alpha=_numbers("alpha", alpha), beta=_numbers("beta", beta), of=of,
                           refine=_count("refine", refine), threads=_count("threads", threads))

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
        model = self._studied(options)
        shown, done = _progress.of_motion(progress, model.end)
        try:
            return _core.singularities(model, progress=shown)
        finally:
            done()

    def inverse(self, *, progress=False, **options: Any) -> Run:
        """Torques, currents and voltages for the motion under `inverse:` of the file."""
        model = self._studied(options)
        return self._watched(_core.inverse, progress, model.end, None, model=model)

    def kinematics(self, moves: Optional[Mapping[str, Value]] = None, *, progress=False, **options: Any) -> Run:
        """Positions for coordinates moved by formulas of t: kinematics({"crank": "2*t"})."""
        model = self._studied(options)
        given = [(name, formula(name, value)) for name, value in (moves or {}).items()]
        return self._watched(_core.kinematics, progress, model.end, None, model=model, moves=given)

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


def _command(sim: _core.Simulation, name: str, command: Callable[[_core.Simulation], float]) -> float:
    sim._hold(True)
    try:
        value = command(sim)
    finally:
        sim._hold(False)
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"the function for '{name}' returned {value!r}, not a number") from None


def _number(name: str, value: float) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name} is {value!r}, but must be a number") from None


def _count(name: str, value: int) -> int:
    try:
        count = operator.index(value)
    except TypeError:
        raise InputError(f"{name} is {value!r}, but must be a whole number") from None
    if not 0 <= count < 2**31:
        raise InputError(f"{name} is {count}, but must lie between 0 and {2**31 - 1}")
    return count


def _numbers(name: str, values: Sequence[float]) -> List[float]:
    return _table(name, values).ravel().tolist()


def _table(name: str, values) -> np.ndarray:
    try:
        return np.ascontiguousarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be numbers") from None


def _results(results: Mapping[str, str]) -> List[Tuple[str, str]]:
    if not isinstance(results, Mapping) or not results:
        raise InputError('results are names and formulas: {"peak": "max(abs(motor.current))"}')
    return [(str(name), str(of)) for name, of in results.items()]


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
    plain = re.fullmatch("[A-Za-z_][A-Za-z_0-9]*", str(name)) and str(name).lower() not in _YAML_WORDS
    return str(name) if plain else json.dumps(str(name), ensure_ascii=False)


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
