"""Motions of a model: simulated at once, step by step, or many at a time."""
import os
import warnings
from typing import Any, Callable, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _core, _progress
from ._arguments import branch_or_none, gpu_of, number, numbers, results_of, state_or_none, table, whole
from ._compiled import Value, names_of, options_of
from ._errors import ComputationError, InputError, Interrupted
from ._run import Errors, Run, Verification
from ._text import ModelText


class RolloutResult(NamedTuple):
    """States of a rollout, and for each motion the step that failed (-1: none)."""

    states: np.ndarray
    failed: np.ndarray


RolloutResult.states.__doc__ = "One row for each motion; with `every`, one such table after every this many steps. NaN from a failed step on."
RolloutResult.failed.__doc__ = "The step at which a motion failed, from 0; -1: none. The number of steps: none failed, but the motion is not to be trusted."


class Motions(ModelText):
    """Motions of a model."""

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
        drift: Optional[str] = None,
        branch: Optional[int] = None,
        state: Optional[_core.State] = None,
        control: Optional[Mapping[str, Callable[[_core.Simulation], float]]] = None,
        sample: float = 1e-3,
        inputs: Union[None, str, os.PathLike] = None,
        results: Optional[Mapping[str, str]] = None,
        verify: Optional[bool] = None,
        trust: bool = False,
        progress: Union[bool, Callable[[float, int], Any]] = False,
        check: bool = True,
    ) -> Run:
        """Simulates the motion from the start to `end` (s), with the same numbers as `armature run`.

        Options are numbers (times in s) or formulas with units; they replace those of the file. branch: start on this assembly branch,
        from 1. state: start from this state, at its time. control: functions that set inputs, called with the simulation every `sample`
        seconds; naming a parameter here turns it into an input. inputs: a CSV file with columns for t and for inputs, interpolated
        linearly, such as that of a plan. results: numbers computed from the whole motion, as in sweep(): {"peak":
        "max(abs(motor.current))"}; they are in run.results. Beside the motion a repetition of it estimates the errors of its numbers:
        run.errors; it takes at most as long as the motion, or half a second. verify: False leaves it out; True repeats the motion with a
        tighter tolerance, another formulation and another integrator, and run.verification tells how many digits agree. drift: "accept"
        lets constraints that open without projection be a warning and no failure. trust: allow the FMUs of the model, which contain third-party
        code, to run; needed once per file. progress: True shows a progress bar; a function is called with (t, steps) twenty times a
        second and stops the motion by returning False. check: raise ComputationError if the motion fails; the exception has the motion as
        `run`. Ctrl-C raises Interrupted, which has the motion so far as `run`; so have exceptions of your functions. The outcome of a
        stopped motion tells when and why it was stopped.
        """
        options = options_of(dict(end=end, record=record, step=step, max_step=max_step, rtol=rtol, atol=atol, integrator=integrator,
                                  formulation=formulation, stabilization=stabilization, drift=drift))
        state_or_none(state)
        branch = branch_or_none(branch)
        if branch and state is not None:
            raise InputError("give branch or state, not both")
        coupled = _core.has_fmus(self._model)
        if control or coupled:
            what = "a motion with FMUs" if coupled else "a motion with functions"
            _refuse(what, results=bool(results), verify=bool(verify), inputs=inputs is not None, control=coupled and bool(control), state=coupled and state is not None,
                    branch=coupled and bool(branch))
        if branch:
            state = self.assemble(branch=branch)
        if control:
            return checked(self._follow(options, state, control, sample, progress), check)
        if inputs is not None:
            _refuse("a motion with a file of inputs", results=bool(results), verify=bool(verify))
            machine = _core.compile(_core.driven_by(self._compiled.with_options(options), os.fspath(inputs)), ())
            return checked(self._watched(_core.simulate, progress, machine.end, None, machine=machine, state=state), check)
        machine = self._compiled.machine((), options)
        watched = (progress, machine.end, (options, ()))
        if coupled:
            return checked(self._watched(_core.simulate_coupled, *watched, machine=machine, trust=bool(trust)), check)
        model, wanted = self._compiled.with_options(options), results_of(results) if results else []
        if verify is None and _core.errors_are_wanted():
            return checked(self._watched(_core.estimate, *watched, machine=machine, model=model, state=state, results=wanted), check)
        run = self._watched(_core.verify if verify else _core.simulate, *watched, machine=machine, state=state)
        if results:
            run.results = dict(_core.motion_numbers(model, wanted, 0, state))
        return checked(run, check)

    def _watched(self, function, progress, end: float, recipe, **arguments) -> Run:
        """A motion of the engine with its progress. What Python raised meanwhile is raised with the motion up to there as `run`."""
        shown, done = _progress.of_motion(progress, end)
        try:
            motion, raised, *more = function(progress=shown, **arguments)
        finally:
            done()
        run = Run(motion, self if recipe else None, *(recipe or ()))
        if more and isinstance(more[0], dict):
            run.verification = Verification(**more[0])
        elif more:
            run.results = dict(more[0])
        if len(more) > 1 and more[1] is not None:
            run.errors = Errors(**more[1])
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
            if name not in self.inputs and name not in self.parameters:
                there = ", ".join([*self.inputs, *self.parameters])
                raise InputError(f"control {name}: there is no input or parameter '{name}'; expected {there}")
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
        """Starts a simulation that you advance step by step. inputs: parameters that become inputs, in addition to those of the file.
        record: True records rows for finish() at the interval of the file; a number is the interval in s. Options are those of
        simulate(): rtol, integrator, …"""
        inputs = names_of("inputs", inputs)
        if not isinstance(record, (bool, np.bool_)):
            options["record"] = record
        state_or_none(state)
        given = options_of(options)
        sim = _core.Simulation(self._compiled.machine(inputs, given), bool(record), state)
        sim._recipe = (self, given, inputs)
        return sim

    def assemble(self, values: Optional[Mapping[str, float]] = None, *, branch: int = 1, **coordinates: float) -> _core.State:
        """A start state in which coordinates and speeds ("theta1.v") have given values (SI). branch: number of the assembly branch, from
        1; the one nearest to the start of the file comes first."""
        if branch != 1:
            branches = self.branches(values, **coordinates)
            if not isinstance(branch, (int, np.integer)) or not 1 <= branch <= len(branches):
                found = "1 was" if len(branches) == 1 else f"{len(branches)} were"
                raise InputError(f"branch {branch}: only {found} found, counted from 1")
            return branches[branch - 1]
        assembly, numbers = self._assembly(values, coordinates)
        return assembly.start(numbers) if assembly else self._machine().start()

    def branches(self, values: Optional[Mapping[str, float]] = None, **coordinates: float) -> List[_core.State]:
        """All assembly branches that were found; the one nearest to the start of the file comes first."""
        assembly, numbers = self._assembly(values, coordinates)
        return assembly.branches(numbers) if assembly else self._machine().branches()

    def _assembly(self, values, coordinates):
        values = {**(values or {}), **coordinates}
        if not values:
            return None, []
        return self._compiled.assembly(tuple(values)), [number(name, value) for name, value in values.items()]

    def project(self, state: _core.State) -> _core.State:
        """The nearest state that satisfies the constraints."""
        return self._machine().project(state)

    def terms(self, q, v, z=(), *, t: float = 0.0, inputs: Sequence[float] = ()) -> _core.Terms:
        """M, h, Phi and gamma at a state: M vdot + h + Phi' lambda = 0, Phi vdot = gamma."""
        return self._machine().terms(_core.State(q, v, z, t), numbers("inputs", inputs))

    def accelerate(self, q, v, z=(), *, formulation: str = "auto", t: float = 0.0, inputs: Sequence[float] = ()) -> _core.Acceleration:
        """vdot and the multipliers at a state, with any formulation."""
        return self._machine().acceleration(_core.State(q, v, z, t), formulation, numbers("inputs", inputs))

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
        gpu: Union[bool, str] = False,
        progress: Union[bool, Callable[[int, int], Any]] = False,
    ) -> RolloutResult:
        """Moves many states forward in equal steps (s), on all cores; gpu: on an NVIDIA GPU, with the same bits, or "fast", with
        different last digits, or "preview", in single precision.

        states: one row for each motion, made by rollout_row() from a State. inputs: (steps, motions, inputs), or (motions, inputs) for all
        steps. every: keep the states after every this many steps, in an array (steps // every, motions, size); 0: only the last,
        (motions, size). free: parameters that become inputs. Arrays of doubles in C order, including `out`, are used without copying.
        Steps are the same as those of a run with the same integrator. Each stage evaluates comparisons again; no events are located. The
        stabilization of the model keeps the constraints. Models with sampled controllers are computed one motion at a time.
        Each motion is checked as a run with fixed steps is, and a RuntimeWarning names the number of motions and the first: where the
        energy balance is off or constraints open, and why motions failed. Of motions on a GPU the first eight are checked.
        """
        rollout = self._rollout(step, integrator, free, gpu)
        steps, every, threads = whole("steps", steps, 1), whole("every", every), whole("threads", threads)
        states = table("states", states)
        if states.ndim != 2 or states.shape[1] != len(rollout.channels):
            raise InputError(f"states must have one row of {len(rollout.channels)} numbers for each motion, as rollout_row() makes it")
        inputs = np.empty(0) if inputs is None else table("inputs", inputs)
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
            found = rollout.run(states, inputs, steps, every, number("t", t), threads, out, failed, shown)
        finally:
            done()
        for finding in found:
            warnings.warn(finding, RuntimeWarning, stacklevel=2)
        return RolloutResult(out, failed)

    def rollout_row(self, state: _core.State, *, free: Sequence[str] = ()) -> np.ndarray:
        """A state as a row for rollout(): q, v, and the part of z that the motion depends on."""
        return self._rollout(1e-3, "rk4", free).row(state)

    def _rollout(self, step, integrator, free, gpu=False) -> _core.Rollout:
        return self._compiled.rollout(number("step", step), str(integrator), names_of("free", free), gpu_of(gpu))


def _refuse(what: str, **given: bool) -> None:
    for name, wanted in given.items():
        if wanted:
            raise InputError(f"{name}: {what} cannot have it")


def checked(run: Run, check: bool) -> Run:
    """What a motion warns of is warned of; one that failed is raised."""
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
