"""Calibration as a chart: from bins of predictions to coordinates, drawn by admin/ratings/ladder/calibration.html.

Coordinates are per cent of the plot, y downwards, written with a decimal point in every language.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratings.evaluation import Bin

__all__ = ["CalibrationChart", "Dot", "draw_calibration"]

_SMALLEST, _LARGEST = 1.2, 3.6


@dataclass(frozen=True, slots=True)
class Dot:
    """One bin: its middle, its size by the number of matches, and where chance alone would leave it."""

    x: str
    y: str
    radius: str
    low: str
    high: str
    bin: Bin


@dataclass(frozen=True, slots=True)
class CalibrationChart:
    """What the partial draws. `line` joins the dots."""

    title: str
    description: str
    line: str
    dots: list[Dot]


def draw_calibration(name: str, bins: Sequence[Bin]) -> CalibrationChart:
    """Draw at least one bin; `name` says of which track."""
    most = max(one.count for one in bins)
    dots = [_dot(one, most) for one in bins]
    return CalibrationChart(
        title=_("Calibration of %(track)s") % {"track": name},
        description=_describe(bins),
        line=" ".join(f"{dot.x},{dot.y}" for dot in dots),
        dots=dots,
    )


def _dot(one: Bin, most: int) -> Dot:
    """Nineteen times in twenty a bin of a calibrated system lies within two standard errors of the diagonal."""
    p = one.mean_predicted
    error = 2 * sqrt(p * (1 - p) / one.count)
    radius = _SMALLEST + (_LARGEST - _SMALLEST) * sqrt(one.count / most)
    return Dot(
        x=_number(100 * p),
        y=_number(100 - 100 * one.mean_actual),
        radius=_number(radius),
        low=_number(min(100 - 100 * (p - error), 100)),
        high=_number(max(100 - 100 * (p + error), 0)),
        bin=one,
    )


def _describe(bins: Sequence[Bin]) -> str:
    """The chart in a sentence, for those who do not see it."""
    worst = max(bins, key=lambda one: abs(one.mean_actual - one.mean_predicted))
    sentence = ngettext(
        "%(count)d group of matches. Predicted %(predicted)s, reached %(actual)s.",
        "%(count)d groups of matches. Farthest apart: predicted %(predicted)s, reached %(actual)s.",
        len(bins),
    )
    return sentence % {
        "count": len(bins),
        "predicted": floatformat(worst.mean_predicted, 2),
        "actual": floatformat(worst.mean_actual, 2),
    }


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
