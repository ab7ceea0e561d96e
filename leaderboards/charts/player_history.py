"""The history chart of a rating, with its texts in the visitor's language."""

from django.template.defaultfilters import floatformat
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from foundation.templatetags.display import filled, timed
from leaderboards.charts.axes import Moment
from leaderboards.charts.rating_chart import USUAL_MARGIN, Chart, Point, Texts, draw_history
from leaderboards.players.profile import History, LadderRating

__all__ = ["chart_of"]

_FORMATS = {"year": "Y", "month": "M Y", "hour": "H:i"}


def chart_of(shown: LadderRating, history: History) -> Chart | None:
    """The chart; None before the first rated game."""
    if not history.points:
        return None
    start = shown.forecaster.newest.parameters.get("start")
    reference = float(start) if isinstance(start, int | float) else None
    return draw_history(
        history.points,
        _texts(shown, history.points),
        reference=reference,
        margin=USUAL_MARGIN / 10 ** (2 * shown.track.decimals),
    )


def _texts(shown: LadderRating, points: list[Point]) -> Texts:
    places = shown.track.decimals
    return Texts(
        title=_("Rating on the ladder %(ladder)s") % {"ladder": shown.ladder.name},
        description=_describe(points, places),
        line=_("Rating"),
        band=_("Range of 95% (± 2 deviations)"),
        moment=_label,
        number=lambda value: floatformat(value, f"{places}u"),
    )


def _describe(points: list[Point], places: int) -> str:
    """The chart in a sentence, for those who do not see it."""
    values = [point.value for point in points]
    return filled(
        _("From %(first)s to %(last)s: lowest %(low)s, highest %(high)s, latest %(end)s."),
        first=timed(points[0].at, "day"),
        last=timed(points[-1].at, "day"),
        low=floatformat(min(values), f"{places}u"),
        high=floatformat(max(values), f"{places}u"),
        end=floatformat(values[-1], f"{places}u"),
    )


def _label(moment: Moment) -> str:
    if moment.unit == "day":
        # Translators: a day below a chart, in the letters of Django's date filter; German: j. M
        return date_format(moment.at, pgettext("day on an axis", "j M"))
    return date_format(moment.at, _FORMATS[moment.unit])
