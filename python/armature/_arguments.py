"""Arguments of calls: what is no number or no list is refused with a sentence."""
import operator
from typing import List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._errors import InputError, require_text


def number(name: str, value: float) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name} is {value!r}, but must be a number") from None


def whole(name: str, value: int, least: int = 0) -> int:
    try:
        found = operator.index(value)
    except TypeError:
        raise InputError(f"{name} is {value!r}, but must be a whole number") from None
    if not least <= found < 2**31:
        raise InputError(f"{name} is {found}, but must lie between {least} and {2**31 - 1}")
    return found


def gpu_of(gpu: Union[bool, str]) -> int:
    """For the engine: none, exact, fast, preview."""
    kinds = ("exact", "fast", "preview")
    if isinstance(gpu, str) and gpu not in kinds:
        raise InputError(f"gpu is {gpu!r}, but must be True, False, 'fast' or 'preview'")
    return 1 + kinds.index(gpu) if isinstance(gpu, str) else int(bool(gpu))


def branch_or_none(branch: Optional[int]) -> int:
    """For the engine, to which 0 is none."""
    return 0 if branch is None else whole("branch", branch, 1)


def text(name: str, value: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{name} is {value!r}, but must be a text")
    require_text(name, value)
    return value


def numbers(name: str, values: Sequence[float]) -> List[float]:
    return table(name, values).ravel().tolist()


def table(name: str, values) -> np.ndarray:
    try:
        return np.ascontiguousarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be numbers") from None


def results_of(results: Mapping[str, str]) -> List[Tuple[str, str]]:
    if not isinstance(results, Mapping) or not results:
        raise InputError('results are names and formulas: {"peak": "max(abs(motor.current))"}')
    return [(str(name), text(f"results {name}", of)) for name, of in results.items()]


def state_or_none(state) -> Optional[_core.State]:
    if state is not None and not isinstance(state, _core.State):
        raise InputError(f"state is {state!r}, but must be a State, as assemble() makes it")
    return state
