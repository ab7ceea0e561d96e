"""The history chart of a rating, with its texts in the visitor's language."""

from datetime import datetime

from django.template.defaultfilters import floatformat
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from leaderboards.axes import Moment
from leaderboards.charts import Chart, Point, Texts, draw_history
from leaderboards.profiles import History, LadderRating

__all__ = ["chart_of"]

_FORMATS = {"year": "Y", "month": "M Y", "day": "j M", "hour": "H:i"}


def chart_of(shown: LadderRating, history: History) -> Chart | None:
    """The chart; None before the first rated game."""
    if not history.points:
        return None
    start = shown.forecaster.newest.parameters.get("start")
    reference = float(start) if isinstance(start, int | float) else None
    return draw_history(history.points, _texts(shown, history.points), reference=reference)


def _texts(shown: LadderRating, points: list[Point]) -> Texts:
    return Texts(
        title=_("Rating on the ladder %(ladder)s") % {"ladder": shown.ladder.name},
        description=_describe(points),
        line=_("Rating"),
        band=_("Range of 95 % (± 2 deviations)"),
        moment=_label,
        number=lambda value: floatformat(value, "0u"),
    )


def _describe(points: list[Point]) -> str:
    """The chart in a sentence, for those who do not see it."""
    values = [point.value for point in points]
    return _(
        "From %(first)s to %(last)s: lowest %(low)s, highest %(high)s, in the end %(end)s."
    ) % {
        "first": _day(points[0].at),
        "last": _day(points[-1].at),
        "low": round(min(values)),
        "high": round(max(values)),
        "end": round(values[-1]),
    }


def _day(at: datetime) -> str:
    return date_format(at, "DATE_FORMAT")


def _label(moment: Moment) -> str:
    return date_format(moment.at, _FORMATS[moment.unit])
