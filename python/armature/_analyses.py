"""Studies of a model: many motions, and other questions about it."""
import math
import os
import warnings
from typing import Any, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _core, _over, _progress
from ._arguments import branch_or_none, gpu_of, number, numbers, results_of, state_or_none, text, whole
from ._compiled import Value, formula, names_of
from ._errors import InputError
from ._motions import Motions, checked
from ._over import Over
from ._run import Run


class Check(NamedTuple):
    """Summary of a model, with suspicious input."""

    bodies: List[str]
    joints: List[str]
    cut: List[str]
    coordinates: int
    constraints: int
    rank: int
    degrees_of_freedom: int
    redundant: List[Tuple[str, str, bool]]
    notes: List[str]
    warnings: List[str]


Check.bodies.__doc__ = "Their names."
Check.joints.__doc__ = "Their names."
Check.cut.__doc__ = "Joints that close loops."
Check.coordinates.__doc__ = "How many velocities."
Check.constraints.__doc__ = "Rows of Phi."
Check.rank.__doc__ = "Of Phi at the start."
Check.degrees_of_freedom.__doc__ = "Velocities less rank."
Check.redundant.__doc__ = "Constraints that follow from others: joint or constraint, direction, and whether at every pose."
Check.notes.__doc__ = "Which joints were cut and why, and which coordinates assembly moved."
Check.warnings.__doc__ = "Suspicious input."


class Analyses(Motions):
    """Studies of a model."""

    def map(self, over: Over, classify: str, *, refine: int = 0, gpu: Union[bool, str] = False, verify: bool = True, threads: int = 0,
            progress=False, **options: Any) -> _core.Map:
        """The class of the motion over a grid: map({"phi0": (0, 6.28, 61)}, "turns: turns(phi) >= 1; rests"). gpu: on an NVIDIA GPU, with
        the same numbers; "fast": with different last digits; "preview": in single precision. verify: False leaves out the repetitions
        behind `errors`."""
        found = self._study(_core.map, progress, options, over=_over.ranges(over, counted=True), classify=text("classify", classify),
                            refine=whole("refine", refine), gpu=gpu_of(gpu), errors=_estimated(verify), threads=whole("threads", threads))
        _warn_of_motions(found, len(found.points))
        return found

    def sweep(self, over: Over, results: Mapping[str, str], *, latin: int = 0, sobol: int = 0, seed: int = 1, points=None,
              inverse: bool = False, gpu: Union[bool, str] = False, verify: bool = True, threads: int = 0, progress=False,
              **options: Any) -> _core.Sweep:
        """Numbers of the motion over a grid, a Latin hypercube or a Sobol sequence: sweep({"rope": (0.5, 1, 11)},
        {"peak": "max(abs(motor.current))"}).

        over: a tuple is a range, (from, to, count) or (from, to) for latin and sobol; a list or an array holds the values; a string is a
        distribution for latin and sobol: "normal(0.7 m, 0.05 m)", lognormal, triangular or uniform. points: rows of values instead of a
        grid; over then lists the names. inverse: use the motion of inverse(). gpu: on an NVIDIA GPU, with the same numbers; "fast": with
        different last digits; "preview": in single precision. verify: eight motions are repeated to estimate `errors`, for at most as long as
        the sweep has taken, or half a second; False leaves that out.
        """
        if points is not None:
            names = list(over)
            points = _over.points_of(points, names)
            axes = _over.names_alone(names)
        elif latin or sobol or _over.is_grid_of_ranges(over):
            axes, points = _over.ranges(over, counted=not (latin or sobol)), []
        else:
            names, _, table = _over.grid(over)
            axes, points = _over.names_alone(names), table.tolist()
        found = self._study(_core.sweep, progress, options, over=axes, results=results_of(results), latin=whole("latin", latin),
                            sobol=whole("sobol", sobol), seed=whole("seed", seed), points=points, inverse=bool(inverse), gpu=gpu_of(gpu),
                            errors=_estimated(verify), threads=whole("threads", threads))
        _warn_of_motions(found, len(found.points))
        return found

    def optimize(self, over: Over, minimize: str = "", maximize: str = "", *, subject: Sequence[str] = (), method: str = "",
                 evaluations: int = 200, starts: int = 1, tolerance: float = 1e-6, inverse: bool = False, choose: Sequence[str] = (),
                 scenario: Sequence[str] = (), deviation: Sequence[str] = (), against: str = "", front: int = 9,
                 derivatives: str = "auto", verify: bool = True, threads: int = 0, progress=False, **options: Any) -> _core.Optimum:
        """Finds the values for which a number computed from the motion is smallest or largest: optimize({"volts": (2, 12)},
        "(final(travel) - 1)^2"). inverse: use the motion of inverse(). choose: one of several values, "ratio=20,50,100", or files with
        parameter values, "motor=a.yaml,b.yaml"; scenario: "load=2 kg, volts=12", and deviation: "rope=5 mm": the worst case counts.
        against: a second number to minimize; `front` then has the Pareto front of both. derivatives: for the method
        "gradient": "forward", "adjoint" or "auto". verify: False leaves out the repetition behind `errors`. If no motion satisfies the conditions, `found` is False, `objective` is NaN, and a
        RuntimeWarning tells why."""
        if bool(minimize) == bool(maximize):
            raise InputError("give one of minimize and maximize")
        found = self._study(_core.optimize, progress, options, over=_over.ranges(over), objective=text("the objective", minimize or maximize),
                            maximize=bool(maximize), subject=list(names_of("subject", subject)), method=text("method", method),
                            evaluations=whole("evaluations", evaluations), starts=whole("starts", starts),
                            tolerance=number("tolerance", tolerance), inverse=bool(inverse), choose=list(names_of("choose", choose)),
                            scenarios=list(names_of("scenario", scenario)), deviations=list(names_of("deviation", deviation)),
                            against=text("against", against), front=whole("front", front),
                            derivatives=text("derivatives", derivatives), errors=_estimated(verify),
                            threads=whole("threads", threads))
        if not found.found:
            warnings.warn(found.sentence, RuntimeWarning, stacklevel=2)
        if found.caveat:
            warnings.warn(found.caveat, RuntimeWarning, stacklevel=2)
        _warn_of_motions(found, found.evaluations)
        return found

    def tune(self, alpha: Sequence[float] = (), beta: Sequence[float] = (), *, of: str = "", weights: Tuple[float, float] = (0.5, 0.5),
             speed_limit: float = 1000, refine: int = 0, gpu: Union[bool, str] = False, threads: int = 0, progress=False,
             **options: Any) -> _core.TunedGains:
        """Finds gains for Baumgarte's method, over a grid (1/s and 1/s^2) or over the stability region. of: measure the error of this
        constraint, point or formula. weights: c and d of e = sqrt(c E1^2 + d E2^2). A motion in which a coordinate moves faster than
        speed_limit is abandoned. gpu: compute the grid on an NVIDIA GPU, with the same numbers; "fast": with different last digits;
        "preview": in single precision."""
        c, d = numbers("weights", weights) if len(weights) == 2 else (-1, -1)
        return self._study(_core.tune, progress, options, alpha=numbers("alpha", alpha), beta=numbers("beta", beta), of=of,
                           refine=whole("refine", refine), position_weight=c, velocity_weight=d,
                           speed_limit=number("speed_limit", speed_limit), gpu=gpu_of(gpu), threads=whole("threads", threads))

    def identify(self, records: Union[str, Sequence[str]], fit: Union[str, Sequence[str], Mapping[str, Any]] = (), *,
                 fit_start: Sequence[str] = (), offset: Sequence[str] = (), use: Sequence[str] = (), noise: Optional[Mapping[str, float]] = None,
                 robust: bool = False, evaluations: int = 100, excite: bool = False, threads: int = 0, progress=False,
                 **options: Any) -> _core.Identified:
        """Fits parameters to measured records: identify("run.csv", ["m2", "l2"]), or with ranges in SI:
        identify("run.csv", {"m2": None, "l2": (0.5, 0.7)}).

        records: CSV files with a line of names and units; a column named as an input of the model drives it, all others are signals that
        the fit compares. fit_start: start values to fit for each record (a coordinate's name, or with ".v" its speed). offset: columns
        whose sensor has an unknown constant offset. use: columns to compare (default: all). noise: known standard deviations, SI. robust:
        reduce the weight of outliers. excite: also find inputs whose record would be most informative about the parameters. Warnings of
        the result are also issued as Python warnings."""
        named = fit if isinstance(fit, Mapping) else dict.fromkeys(names_of("fit", fit))
        fitted = []
        for name, ends in named.items():
            low, high = (-math.inf, math.inf) if ends is None else numbers(f"fit {name}", ends)
            fitted.append((name, low, high))
        files = [os.fspath(records)] if isinstance(records, (str, os.PathLike)) else [os.fspath(file) for file in records]
        found = self._study(_core.identify, progress, options, records=files, fit=fitted, fit_start=list(names_of("fit_start", fit_start)),
                            offset=list(names_of("offset", offset)), use=list(names_of("use", use)),
                            noise=[(name, number(f"noise {name}", value)) for name, value in (noise or {}).items()], robust=bool(robust),
                            evaluations=whole("evaluations", evaluations), excite=bool(excite), threads=whole("threads", threads))
        for warning in ([] if found.converged else [found.sentence]) + list(found.warnings):
            warnings.warn(warning, RuntimeWarning, stacklevel=2)
        return found

    def plan(self, to: Optional[Mapping[str, Any]] = None, *, minimize: str = "time", time: Union[None, float, Sequence[float]] = None,
             moving: bool = False, inputs: Optional[Mapping[str, Sequence[float]]] = None, keep: Union[str, Sequence[str]] = (),
             along: Optional[Mapping[str, str]] = None, within: str = "", gains: bool = False, accuracy: float = 1e-5, starts: int = 1,
             intervals: int = 20, most_intervals: int = 400, iterations: int = 1000, progress=False, **options: Any) -> _core.Plan:
        """Finds the motion of least cost within the limits of the motors: plan({"travel": 1}), plan({"swing": "180 deg"},
        minimize="loss", time=1.6).

        to: values of coordinates, points or formulas at the end, where the machine is at rest unless `moving`. minimize: "time",
        "energy", "loss", "current" or a formula whose integral is minimized. time: duration, or (shortest, longest), s. inputs: bounds of
        inputs, SI. keep: comparisons that must hold at all times, such as obstacles. along: formulas of `path`, which runs from 0 to 1;
        within: the tolerance of the path. gains: also compute feedback gains along the motion. starts: number of first guesses; the best
        motion found from them counts. Warnings of the result are also issued as Python warnings."""
        low, high = (0.0, 0.0) if time is None else (time, time) if isinstance(time, (int, float)) else tuple(numbers("time", time))
        bounds = [(name, *numbers(f"inputs {name}", ends)) for name, ends in (inputs or {}).items()]
        found = self._study(_core.plan, progress, options, to=[(formula, str(value)) for formula, value in (to or {}).items()], moving=bool(moving),
                            minimize=minimize, inputs=bounds, keep=[keep] if isinstance(keep, str) else list(keep),
                            along=list((along or {}).items()), within=str(within), shortest=number("time", low), longest=number("time", high),
                            gains=bool(gains), accuracy=number("accuracy", accuracy), starts=whole("starts", starts),
                            intervals=whole("intervals", intervals), most_intervals=whole("most_intervals", most_intervals), iterations=whole("iterations", iterations))
        for warning in ([] if found.found else [found.sentence]) + list(found.warnings):
            warnings.warn(warning, RuntimeWarning, stacklevel=2)
        return found

    def _study(self, function, progress, options, **arguments):
        shown, done = _progress.of_study(progress)
        try:
            return function(self._studied(options), progress=shown, **arguments)
        finally:
            done()

    def modes(self, *, equilibrium: bool = True, sensitivity: Union[str, Sequence[str]] = (), branch: Optional[int] = None,
              state: Optional[_core.State] = None, **options: Any) -> _core.Modes:
        """Small vibrations about the equilibrium (or the start), and the linear system there. sensitivity: parameters for which derivatives
        of the eigenvalues are wanted, or "all". branch, state: start of the search for the equilibrium."""
        wanted = list(self.parameters) if sensitivity == "all" else names_of("sensitivity", sensitivity)
        return _core.modes(self._studied(options), bool(equilibrium), wanted, branch_or_none(branch), state_or_none(state))

    def singularities(self, *, over: Optional[Over] = None, hold: Optional[Mapping[str, float]] = None, active: Sequence[str] = (),
                      moves: Sequence[str] = (), threads: int = 0, progress=False,
                      **options: Any) -> Union[_core.Singularities, _core.Workspace]:
        """Singular poses along the motion; with `over`, over a grid of poses: singularities(over={"platform.C.x": (0.1, 1.1, 61)}).

        over: one or two coordinates or formulas of them, each (from, to, count). hold: other coordinates or formulas that keep a value in
        every pose (SI). active: driven coordinates (default: those of drives and efforts). moves: the outputs, coordinates or recorded
        quantities.
        """
        given = dict(active=names_of("active", active), moves=names_of("moves", moves))
        if over is not None:
            held = [(name, number(f"hold {name}", value)) for name, value in (hold or {}).items()]
            return self._study(_core.workspace, progress, options, over=_over.ranges(over, counted=True), hold=held, threads=whole("threads", threads), **given)
        if hold:
            raise InputError("hold applies to poses; give over as well")
        model = self._studied(options)
        shown, done = _progress.of_motion(progress, model.end)
        try:
            return _core.singularities(model, progress=shown, **given)
        finally:
            done()

    def inverse(self, *, results: Optional[Mapping[str, str]] = None, branch: Optional[int] = None, verify: bool = True, progress=False,
                check: bool = True, **options: Any) -> Run:
        """Torques, currents and voltages for the motion under `inverse:` of the file. results: numbers computed from the whole motion, in
        run.results. verify: False leaves out the repetition that estimates run.errors. check: as in simulate()."""
        model = self._studied(options)
        estimated = verify and _core.errors_are_wanted()
        run = self._watched(_core.estimate_inverse if estimated else _core.inverse, progress, model.end, None, model=model, results=results_of(results) if results else [],
                            branch=branch_or_none(branch))
        return checked(run, check)

    def kinematics(self, moves: Optional[Mapping[str, Value]] = None, *, results: Optional[Mapping[str, str]] = None, branch: Optional[int] = None,
                   verify: bool = True, progress=False, check: bool = True, **options: Any) -> Run:
        """Positions for coordinates prescribed by formulas of t: kinematics({"crank": "2*t"}). results: numbers computed from the whole
        motion, in run.results. verify: False leaves out the repetition that estimates run.errors. check: as in simulate()."""
        model = self._studied(options)
        given = [(name, formula(name, value)) for name, value in (moves or {}).items()]
        estimated = results and verify and _core.errors_are_wanted()
        run = self._watched(_core.estimate_kinematics if estimated else _core.kinematics, progress, model.end, None, model=model, moves=given,
                            results=results_of(results) if results else [], branch=branch_or_none(branch))
        return checked(run, check)

    def check(self, *, branch: Optional[int] = None) -> Check:
        """Summarizes the model and reports suspicious input: cut joints, redundant constraints, missing inertia."""
        return Check(**_core.check(self._model, branch_or_none(branch)))

    def equations(self, latex: bool = False, *, format: str = "text") -> str:
        """The equations of motion of a small model: as text, LaTeX, or a function in C or Python."""
        format = "latex" if latex else format
        if format not in ("text", "latex", "c", "python"):
            raise InputError(f"there is no format '{format}'; expected text, latex, c or python")
        return _core.equations(self._model, format)


def _estimated(verify: bool) -> bool:
    return bool(verify) and _core.errors_are_wanted()


def _warn_of_motions(found: Union[_core.Map, _core.Sweep, _core.Optimum], motions: int) -> None:
    for kind in found.warnings:
        warnings.warn(f"{kind.count} of {motions} motions: {kind.sentence}", RuntimeWarning, stacklevel=3)
