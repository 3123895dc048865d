"""Arguments of pictures and films."""
import math
from typing import Any, Dict, Optional, Sequence

from ._arguments import number, text, whole
from ._compiled import names_of
from ._errors import InputError


def look(*, view: str, trace: Sequence[str], bend: float, title: str, **flags: bool) -> Dict[str, Any]:
    """How a machine is looked at, and what is drawn over it."""
    bend = number("bend", bend)
    if not (bend > 0 and math.isfinite(bend)):
        raise InputError(f"bend is {bend}, but must be positive")
    return {"view": text("view", view), "trace": list(names_of("trace", trace)), "bend": bend, "title": text("title", title),
            **{name: bool(flag) for name, flag in flags.items()}}


def within(name: str, value: float, low: float, high: float) -> float:
    value = number(name, value)
    if not low <= value <= high:
        raise InputError(f"{name} is {value:g}, but must lie between {low:g} and {high:g}")
    return value


def times(at) -> Sequence[float]:
    """One time or several, s."""
    given = [at] if isinstance(at, (int, float)) else [] if at is None else list(at)
    return [within("at", t, -1e300, 1e300) for t in given]


def pixels(size) -> Sequence[int]:
    try:
        width, height = size
    except (TypeError, ValueError):
        raise InputError(f"size is {size!r}, but must be width and height in pixels, such as (640, 480)") from None
    for name, value, most in (("width", width, 7680), ("height", height, 4320)):
        within(name, whole(name, value), 64, most)
    return width, height


def optional(name: str, value: Optional[float]) -> Optional[float]:
    return None if value is None else within(name, value, -1e300, 1e300)
