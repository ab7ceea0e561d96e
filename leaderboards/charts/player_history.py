"""The history chart of a rating, with its texts in the visitor's language."""

from django.template.defaultfilters import floatformat
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from foundation.axes import Moment
from foundation.templatetags.display import filled, timed
from leaderboards.charts.rating_chart import USUAL_MARGIN, Chart, Texts, draw_history
from leaderboards.players.profile import History, LadderRating

__all__ = ["chart_of"]

_FORMATS = {"year": "Y", "month": "M Y", "hour": "H:i"}


def chart_of(shown: LadderRating, history: History) -> Chart | None:
    """The chart; None before the first rated game."""
    if not (points := history.points):
        return None
    start = shown.forecaster.newest.parameters.get("start")
    reference = float(start) if isinstance(start, int | float) else None
    decimals = shown.track.decimals
    values = [point.value for point in points]
    description = filled(  # for those who do not see the chart
        _("From %(first)s to %(last)s: lowest %(low)s, highest %(high)s, latest %(end)s."),
        first=timed(points[0].at, "day"),
        last=timed(points[-1].at, "day"),
        low=floatformat(min(values), f"{decimals}u"),
        high=floatformat(max(values), f"{decimals}u"),
        end=floatformat(values[-1], f"{decimals}u"),
    )
    return draw_history(
        points,
        Texts(
            title=_("Rating on the ladder %(ladder)s") % {"ladder": shown.ladder.name},
            description=description,
            line=_("Rating"),
            band=_("Range of 95% (± 2 deviations)"),
            moment=_label,
            number=lambda value: floatformat(value, f"{decimals}u"),
        ),
        changes=history.changes,
        reference=reference,
        margin=USUAL_MARGIN / 10 ** (2 * decimals),
    )


def _label(moment: Moment) -> str:
    if moment.unit == "day":
        # Translators: a day below a chart, in the letters of Django's date filter; German: j. M
        return date_format(moment.at, pgettext("day on an axis", "j M"))
    return date_format(moment.at, _FORMATS[moment.unit])
