"""How a queue's rating gap widens with waiting, as a small chart with its table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django import forms

from matchmaking.models.queues import GAPS, RANGES
from matchmaking.pairing import Rules

__all__ = ["widening_of"]

SECONDS = (0, 10, 30, 60, 120)
LAST = SECONDS[-1]
# The highest gap shown, as a share of the chart's height.
_HEADROOM = 0.9


@dataclass(frozen=True, slots=True)
class Widening:
    """What somebody accepts who has waited so long.

    rows     seconds, rating points, x and y of the point in per cent of the plot (y downwards), both as strings
    line     points of the line "x,y x,y …"
    widest   seconds after which the gap is as large as it gets; None where it grows for ever, or never
    """

    rows: list[tuple[int, float, str, str]]
    line: str
    widest: float | None


def widening_of(values: Mapping[str, Any]) -> Widening | None:
    """Compute the chart from a form's values, typed or stored; None while they make no sense."""
    gaps: dict[str, Any] = {}
    try:
        for name in GAPS:
            low, high = RANGES[name]
            number = forms.FloatField(min_value=low, max_value=high, required=name != "gap_cap")
            gaps[name] = number.clean(values.get(name))
        rules = Rules(**gaps)
    except (forms.ValidationError, ValueError):
        return None
    points = rules.tolerances(np.array(SECONDS, dtype=np.float64)).tolist()
    top = max(points) or 1.0
    rows = [
        (second, gap, _percent(second / LAST), _percent(1 - _HEADROOM * gap / top))
        for second, gap in zip(SECONDS, points, strict=True)
    ]
    widest = None
    if rules.gap_cap is not None and rules.gap_per_second:
        widest = (rules.gap_cap - rules.gap_start) / rules.gap_per_second
    # Two straight pieces: up to where it is widest, and on from there.
    bends = [widest] if widest is not None and 0 < widest < LAST else []
    moments = np.array([0.0, *bends, float(LAST)])
    line = " ".join(
        f"{_percent(at / LAST)},{_percent(1 - _HEADROOM * gap / top)}"
        for at, gap in zip(moments.tolist(), rules.tolerances(moments).tolist(), strict=True)
    )
    return Widening(rows, line, widest)


def _percent(share: float) -> str:
    return f"{100 * share:.2f}"
