"""Armature: mechanisms with closed kinematic loops and the motors that drive them.

    import armature

    model = armature.load("models/rrr.yaml", l1=0.6)
    run = model.simulate(end=5)
    run.t, run["theta1"]

    sim = model.start()
    sim.step(0.01)

Numbers are in SI units. Files, formulas and channels have the names that the command line uses.
"""
from . import _core
from ._core import (
    Acceleration,
    Channel,
    Event,
    Finding,
    Identified,
    LivePage,
    Map,
    Modes,
    Optimum,
    Outcome,
    Plan,
    Quantity,
    Simulation,
    Singularities,
    Snapshot,
    State,
    StudyErrors,
    Sweep,
    Terms,
    TunedGains,
    Workspace,
)
from ._core import version as __version__
from ._errors import ComputationError, Error, InputError, Interrupted, MissingFile, Problem, Stopped, UnknownName
from ._analyses import Check
from ._exchange import Exported, Imported
from ._model import ComparedSide, Comparison, Model, compare, doctor, import_robot, load, parse, reference
from ._motions import RolloutResult
from ._run import Errors, Run, Verification
from ._environment import Environment
from ._study import Study, study


def _finish(self: Simulation) -> Run:
    """Ends and checks the motion. It has rows if the simulation was started with record=True."""
    model, options, inputs = self._recipe
    return Run(self._finish(), model, options, inputs)


Simulation.finish = _finish
for _name in dir(_core):  # they are seen and pickled as what they are: armature.State
    if isinstance(getattr(_core, _name), type):
        getattr(_core, _name).__module__ = "armature" if _name in globals() else "armature._core"

__all__ = [
    "Acceleration", "Channel", "Check", "ComparedSide", "Comparison", "ComputationError", "Environment", "Error", "Event", "Exported", "Finding",
    "Identified", "Imported", "InputError", "Interrupted", "LivePage", "Map", "MissingFile", "Model", "Modes", "Optimum", "Outcome", "Plan", "Problem", "Quantity",
    "RolloutResult", "Run", "Simulation", "Singularities", "Snapshot", "State", "Stopped", "Study", "StudyErrors", "Sweep", "Terms", "TunedGains",
    "UnknownName", "Verification", "Workspace", "compare", "doctor", "import_robot", "load", "parse", "reference", "study", "__version__",
]
