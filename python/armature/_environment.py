"""Reset and step for learning: the signature of gymnasium, which is not needed."""
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._arguments import whole
from ._errors import ComputationError, InputError

Range = Union[float, Tuple[float, float]]


class Box:
    """A box of numbers: gymnasium's Box where it is installed has the same names."""

    def __init__(self, low, high):
        self.low, self.high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
        self.shape, self.dtype = self.low.shape, self.low.dtype
        self._random = np.random.default_rng()

    def seed(self, seed=None):
        self._random = np.random.default_rng(seed)

    def sample(self) -> np.ndarray:
        return self._random.uniform(np.clip(self.low, -1e3, None), np.clip(self.high, None, 1e3))

    def contains(self, x) -> bool:
        x = np.asarray(x)
        return x.shape == self.shape and bool(np.all(x >= self.low) and np.all(x <= self.high))


class Environment:
    """A machine as an environment. Actions are inputs of the model (voltages, torques), observations are channels.

    start: coordinates and speeds at reset, as numbers or as ranges (low, high) for random values; the loops are closed exactly on
    `branch`. reward and terminated are functions of the simulation.
    """

    metadata: Dict[str, Any] = {"render_modes": []}

    def __init__(
        self,
        model,
        actions: Mapping[str, Tuple[float, float]],
        observations: Sequence[str],
        *,
        step: float = 0.01,
        horizon: int = 1000,
        reward: Callable[[_core.Simulation], float] = lambda sim: 0.0,
        terminated: Callable[[_core.Simulation], bool] = lambda sim: False,
        start: Optional[Mapping[str, Range]] = None,
        branch: int = 1,
        **options: Any,
    ):
        if not (np.isfinite(step) and step > 0):
            raise InputError(f"step is {step}, but must be positive: how long an action is held, s")
        for name, bounds in actions.items():
            if np.shape(bounds) != (2,) or not bounds[0] <= bounds[1]:
                raise InputError(f"actions {name}: expected (low, high), not {bounds!r}")
        self.model, self.dt, self.horizon, self.branch = model, step, whole("horizon", horizon, 1), branch
        self._reward, self._terminated, self._start = reward, terminated, dict(start or {})
        self._names = list(actions)
        self.action_space = Box([low for low, _ in actions.values()], [high for _, high in actions.values()])
        self.observation_space = Box(np.full(len(observations), -np.inf), np.full(len(observations), np.inf))
        self.sim = model.start(inputs=[name for name in actions if name not in model.inputs], **options)
        self._actions = [self.sim.u.keys().index(name) for name in self._names]
        self._observed = [self.sim.channel(name) for name in observations]
        self._random, self._steps = np.random.default_rng(), 0
        self._begin = self.sim.snapshot()

    def reset(self, *, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None):
        """A new start: (observation, info). options: values of `start` for this episode, and `branch`."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        options = dict(options or {})
        branch = int(options.pop("branch", self.branch))
        ranges = {**self._start, **options}
        values = {name: self._draw(name, value) for name, value in ranges.items()}
        self.sim.restore(self._begin)
        if values or branch != 1:
            self.sim.state = self.model.assemble(values, branch=branch)
        self._steps = 0
        return self.sim.read(self._observed), {"start": values, "branch": branch}

    def _draw(self, name: str, value: Range) -> float:
        if np.ndim(value) == 0:
            return float(value)
        if np.shape(value) != (2,) or not value[0] <= value[1]:
            raise InputError(f"start {name}: expected a number or (low, high), not {value!r}")
        return float(self._random.uniform(value[0], value[1]))

    def step(self, action) -> Tuple[np.ndarray, float, bool, bool, Dict[str, Any]]:
        """Applies the action for one step: (observation, reward, terminated, truncated, info). If the motion fails, the episode is
        terminated, and info has the sentence."""
        given = np.asarray(action, dtype=float)
        if given.shape != self.action_space.shape:
            raise InputError(f"an action has {len(self._names)} numbers ({', '.join(self._names)}), not the shape {given.shape}")
        action = np.clip(given, self.action_space.low, self.action_space.high)
        for place, value in zip(self._actions, action):
            self.sim.u[place] = value
        self._steps += 1
        try:
            self.sim.step(self.dt)
        except ComputationError as error:
            return self.sim.read(self._observed), float(self._reward(self.sim)), True, False, {"failure": str(error)}
        return (self.sim.read(self._observed), float(self._reward(self.sim)), bool(self._terminated(self.sim)),
                self._steps >= self.horizon, {})

    def close(self) -> None:
        """Does nothing; there is nothing to close."""
        pass
