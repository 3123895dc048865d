"""Types of the engine."""
from typing import Any, Callable, List, Optional, Sequence, Tuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Settings = Sequence[Tuple[str, str]]
Over = Sequence[Tuple[str, float, float, int]]
Progress = Optional[Callable[..., Any]]

version: str

class Quantity:
    name: str
    unit: str
    value: float

class Channel:
    name: str
    unit: str

class Model:
    name: str
    file: str
    text: str
    parameters: List[Quantity]
    inputs: List[Quantity]
    bodies: List[str]
    joints: List[str]
    end: float

def read_model(file: str, settings: Settings = ...) -> Model: ...
def parse_model(text: str, file: str = ..., settings: Settings = ...) -> Model: ...

class State:
    t: float
    q: Array
    v: Array
    z: Array
    discrete: Array
    switches: Array
    switch_status: List[int]
    @overload
    def __init__(self) -> None: ...
    @overload
    def __init__(self, q: ArrayLike, v: ArrayLike, z: ArrayLike = ..., t: float = ...) -> None: ...
    def copy(self) -> State: ...

class Terms:
    M: Array
    f: Array
    h: Array
    Phi: Array
    gamma: Array
    phi: Array
    phidot: Array
    qdot: Array
    zdot: Array

class Acceleration:
    vdot: Array
    multipliers: Array
    rank: int
    smallest_sine: float

class Machine:
    positions: List[Channel]
    velocities: List[Channel]
    states: List[Channel]
    inputs: List[Quantity]
    constraints: int
    degrees_of_freedom: int
    end: float
    notes: List[str]
    warnings: List[str]
    def start(self) -> State: ...
    def branches(self) -> List[State]: ...
    def project(self, state: State) -> State: ...
    def assemble(self, guess: State) -> State: ...
    def terms(self, state: State, inputs: Sequence[float] = ...) -> Terms: ...
    def acceleration(self, state: State, formulation: str = ..., inputs: Sequence[float] = ...) -> Acceleration: ...

def compile(model: Model, *, inputs: Sequence[str] = ..., end: Optional[float] = ..., record: Optional[float] = ...,
            step: Optional[float] = ..., max_step: Optional[float] = ..., rtol: Optional[float] = ..., atol: Optional[float] = ...,
            integrator: Optional[str] = ..., formulation: Optional[str] = ...) -> Machine: ...

class Assembly:
    def __init__(self, machine: Machine, coordinates: Sequence[str]) -> None: ...
    def start(self, values: Sequence[float]) -> State: ...
    def branches(self, values: Sequence[float]) -> List[State]: ...

class Event:
    t: float
    what: str

class Statistics:
    steps: int
    rejected: int
    evaluations: int
    smallest_step: float
    largest_step: float
    smallest_rank: int
    constraint_error: float
    energy_error: float
    seconds: float

class Outcome:
    status: str
    sentence: str
    warnings: List[str]
    events: List[Event]
    statistics: Statistics

class Inputs:
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, name: str) -> float: ...
    @overload
    def __getitem__(self, input: int) -> float: ...
    @overload
    def __setitem__(self, name: str, value: float) -> None: ...
    @overload
    def __setitem__(self, input: int, value: float) -> None: ...
    def __contains__(self, name: str) -> bool: ...
    def keys(self) -> List[str]: ...

class Snapshot:
    state: State
    inputs: Array

class Simulation:
    t: float
    channels: List[Channel]
    values: Array
    state: State
    events: List[Event]
    outcome: Outcome
    @property
    def u(self) -> Inputs: ...
    @u.setter
    def u(self, values: ArrayLike) -> None: ...
    def __init__(self, machine: Machine, record: bool = ..., state: Optional[State] = ...) -> None: ...
    @overload
    def step(self, dt: float) -> None: ...
    @overload
    def step(self) -> None: ...
    def advance(self, t: float) -> None: ...
    def __getitem__(self, name: str) -> float: ...
    def channel(self, name: str) -> int: ...
    def read(self, channels: Sequence[int]) -> Array: ...
    def snapshot(self) -> Snapshot: ...
    def restore(self, snapshot: Snapshot) -> None: ...
    def finish(self) -> Any: ...

class Motion:
    channels: List[Channel]
    values: Array
    outcome: Outcome
    last: State

def simulate(machine: Machine, progress: Progress = ...) -> Tuple[Motion, bool]: ...

class Diagnostic:
    sentence: str
    count: int

class Map:
    classes: List[str]
    points: Array
    motion_class: NDArray[np.int32]
    decided: Array
    failures: List[Diagnostic]
    warnings: List[Diagnostic]
    sentence: str

class Sweep:
    variables: List[str]
    results: List[str]
    points: Array
    values: Array
    main_effects: Array
    failures: List[Diagnostic]
    warnings: List[Diagnostic]
    sentence: str
    def __getitem__(self, name: str) -> Array: ...

class Optimum:
    found: bool
    variables: List[str]
    point: Array
    objective: float
    evaluations: int
    method: str
    sentence: str
    caveat: str

class TunedGains:
    found: bool
    alpha: float
    beta: float
    error: float
    error_without: float
    sentence: str

class Mode:
    eigenvalue: complex
    frequency: float
    damping: float
    shape: NDArray[np.complex128]

class Modes:
    state: State
    modes: List[Mode]
    states: List[str]
    inputs: List[str]
    outputs: List[str]
    A: Array
    B: Array
    C: Array
    D: Array
    warnings: List[str]

class SingularPose:
    t: float
    until: float
    kind: str
    sentence: str

class Singularities:
    poses: List[SingularPose]
    smallest_singular_value: float
    t_smallest: float
    outcome: Outcome

def map(model: Model, over: Over, classify: str, refine: int, threads: int, progress: Progress) -> Map: ...
def sweep(model: Model, over: Over, results: Settings, latin: int, sobol: int, seed: int, points: Sequence[Sequence[float]],
          threads: int, progress: Progress) -> Sweep: ...
def optimize(model: Model, over: Over, objective: str, maximize: bool, subject: Sequence[str], method: str, evaluations: int,
             starts: int, tolerance: float, threads: int, progress: Progress) -> Optimum: ...
def tune(model: Model, alpha: Sequence[float], beta: Sequence[float], of: str, refine: int, threads: int,
         progress: Progress) -> TunedGains: ...
def modes(model: Model, equilibrium: bool) -> Modes: ...
def singularities(model: Model, progress: Progress) -> Singularities: ...
def inverse(model: Model, progress: Progress) -> Motion: ...
def kinematics(model: Model, moves: Settings, progress: Progress) -> Motion: ...

class Rollout:
    channels: List[Channel]
    def __init__(self, machine: Machine, step: float, integrator: str) -> None: ...
    def row(self, state: State) -> Array: ...
    def run(self, states: Array, inputs: Array, steps: int, every: int, t: float, threads: int, kept: Array,
            failed: NDArray[np.int64], progress: Progress) -> None: ...

def page(machine: Machine, motion: Motion, settings: Settings) -> str: ...
def equations(model: Model, format: str) -> str: ...
