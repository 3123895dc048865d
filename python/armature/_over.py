"""What a study varies. A tuple is a range: (from, to, count), or (from, to) where only the ends count. A list or an array is values. A text
is a distribution of random points: "normal(0.7, 0.05)"."""
import operator
from typing import List, Mapping, Sequence, Tuple, Union

import numpy as np

from ._errors import InputError

Over = Mapping[str, Union[Tuple[float, float], Tuple[float, float, int], Sequence[float], np.ndarray, str]]
Axis = Tuple[str, float, float, int, str]

_MEANING = "a tuple is a range, (from, to, count) or (from, to); a list or an array is values"


def ranges(over: Over, counted: bool = False) -> List[Axis]:
    """Ranges for the engine, which has no lists of values. counted: of a grid."""
    return [_counted(_range(name, values)) if counted else _range(name, values) for name, values in _items(over)]


def is_grid_of_ranges(over: Over) -> bool:
    return all(isinstance(values, (tuple, str)) for _, values in _items(over))


def grid(over: Over) -> Tuple[List[str], List[np.ndarray], np.ndarray]:
    """Names, the values of each, and all combinations: one row each, the last name fastest."""
    names, axes = [name for name, _ in _items(over)], [_values(name, values) for name, values in _items(over)]
    points = np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=-1)
    return names, axes, points


def _items(over: Over):
    if not isinstance(over, Mapping) or not over:
        raise InputError('over names what is varied: {"rope": (0.5, 1, 11)} for a range, {"rope": [0.5, 0.7, 1]} for values')
    return over.items()


def _range(name: str, values) -> Axis:
    if isinstance(values, str):
        return name, 0.0, 1.0, 0, values
    if not isinstance(values, tuple) or len(values) not in (2, 3):
        raise InputError(f"over {name}: expected (from, to) or (from, to, count), not {values!r}; {_MEANING}")
    try:
        low, high = float(values[0]), float(values[1])
        count = operator.index(values[2]) if len(values) == 3 else 0
    except (TypeError, ValueError):
        raise InputError(f"over {name}: expected two numbers and a whole count, not {values!r}; {_MEANING}") from None
    if len(values) == 3 and count < 1:
        raise InputError(f"over {name}: the count is {count}, but must be 1 at least")
    if count >= 2**31:
        raise InputError(f"over {name}: the count is {count}, but must be less than {2**31}")
    if not (np.isfinite(low) and np.isfinite(high)):
        raise InputError(f"over {name}: the range from {low} to {high} is not finite")
    return name, low, high, count, ""


def _counted(axis: Axis) -> Axis:
    name, low, high, count, law = axis
    if law:
        raise InputError(f"over {name}: a distribution needs random points; give latin or sobol to sweep()")
    if count == 0:
        raise InputError(f"over {name}: a grid needs a count: ({low:g}, {high:g}, count)")
    return axis


def _values(name: str, values) -> np.ndarray:
    if isinstance(values, tuple):
        _, low, high, count, _ = _counted(_range(name, values))
        if count == 1:
            return np.array([low])
        return np.array([low + (high - low) * k / (count - 1) for k in range(count - 1)] + [high])  # the arithmetic of the engine
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"over {name}: {values!r} are not numbers; {_MEANING}") from None
    if array.ndim != 1 or array.size == 0 or not np.isfinite(array).all():
        raise InputError(f"over {name}: expected a list of finite numbers, not {values!r}")
    return array


def names_alone(names: Sequence[str]) -> List[Axis]:
    """Axes without ranges, for points that are given."""
    return [(name, 0.0, 1.0, 0, "") for name in names]


def points_of(points, names: Sequence[str]) -> List[List[float]]:
    """Rows of values, one column for each name."""
    try:
        table = np.asarray(points, dtype=float)
    except (TypeError, ValueError):
        raise InputError("points: expected rows of numbers") from None
    if table.ndim == 1 and len(names) == 1:
        table = table[:, None]
    if table.ndim != 2 or table.shape[1] != len(names):
        raise InputError(f"points: expected rows of {len(names)} numbers, for {', '.join(names)}")
    return table.tolist()
