"""The table of the comparison: one row a figure, with the best of each row."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from foundation.templatetags.display import percent
from ratings.evaluation.margins import Margin
from ratings.evaluation.stability import WITHIN_POINTS
from ratings.models import RatingTrack
from ratings.tracks.comparison import TrackFigures
from ratings.wording import say

__all__ = ["Cell", "Judged", "Row", "rows_of"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A track with what the page calls it and its figures."""

    track: RatingTrack
    name: str
    figures: TrackFigures


@dataclass(frozen=True, slots=True)
class Cell:
    """A track's figure as text, what to say below it, and whether no other track has a better one."""

    name: str
    text: str
    note: str
    is_best: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A figure of every track, in the order of the columns, and a sentence that says what it means."""

    label: str
    meaning: str
    cells: list[Cell]


def rows_of(judged: Sequence[Judged]) -> list[Row]:
    """All rows; an empty list where no track has rated a match."""
    if not judged:
        return []
    established = judged[0].track.ladder.established_after
    return [
        _accuracy(judged),
        _log_loss(judged),
        _brier(judged),
        _settling(judged, established),
        _swing(judged),
    ]


def _accuracy(judged: Sequence[Judged]) -> Row:
    return _row(
        judged,
        lambda figures: figures.report.accuracy,
        _percent,
        best=max,
        label=_("Accuracy"),
        meaning=_(
            "How often the favourite won, draws left out. Guessing gives 50%. "
            "Higher is better; it says nothing about how sure a prediction was."
        ),
    )


def _log_loss(judged: Sequence[Judged]) -> Row:
    return _row(
        judged,
        lambda figures: figures.report.log_loss,
        _decimals,
        best=min,
        label=_("Log loss"),
        meaning=_(
            "How far predictions were from results, where being sure and wrong costs most. "
            "Always predicting 0.5 gives 0.6931. Lower is better; judge by this one first. Below it: how far it is "
            "behind the best, ± two standard errors. Less than those is luck."
        ),
        note=lambda one: _behind(one.figures.behind),
    )


def _behind(margin: Margin) -> str:
    if margin.mean <= 0 or margin.error is None:
        return ""
    return f"+{floatformat(margin.mean, 4)} ± {floatformat(2 * margin.error, 4)}"


def _brier(judged: Sequence[Judged]) -> Row:
    return _row(
        judged,
        lambda figures: figures.report.brier,
        _decimals,
        best=min,
        label=_("Brier score"),
        meaning=_(
            "The mean squared distance between prediction and result. Always predicting 0.5 gives 0.25, "
            "or less with draws. Lower is better."
        ),
    )


def _settling(judged: Sequence[Judged], established: int) -> Row:
    meaning = _(
        "After how many games half of the players had a rating that stayed within one deviation of where it ended, or "
        "within %(points)s points in a system without deviations. Of players who began in these matches and played "
        "%(games)s games or more. Lower is better."
    )
    words = {"points": say(WITHIN_POINTS), "games": say(established)}
    return _row(
        judged,
        lambda figures: figures.settling.median,
        _whole,
        best=min,
        label=_("Games to settle"),
        meaning=meaning % words,
        note=_settled,
    )


def _settled(one: Judged) -> str:
    players = one.figures.settling.players
    text = ngettext("%(number)s player", "%(number)s players", players)
    return text % {"number": say(players)}


def _swing(judged: Sequence[Judged]) -> Row:
    return _row(
        judged,
        lambda figures: figures.swing.relative,
        _percent,
        best=min,
        label=_("Swing of established ratings"),
        meaning=_(
            "How much one game moves an established rating on average, as a share of the spread of the ratings, so "
            "that scales do not matter. Lower is calmer; too calm a system follows nobody, which shows in the log loss."
        ),
        note=_points_moved,
    )


def _points_moved(one: Judged) -> str:
    """The same in points, and by period where games of a period are rated together."""
    per_game, per_change = one.figures.swing.per_game, one.figures.swing.per_change
    if per_game is None or per_change is None:
        return _("nobody established")
    form = f"{one.track.decimals + 1}g"
    if one.track.period_days is None:
        return _("%(points)s points a game") % {"points": floatformat(per_game, form)}
    return _("%(points)s points a game, %(more)s a period") % {
        "points": floatformat(per_game, form),
        "more": floatformat(per_change, form),
    }


def _row(
    judged: Sequence[Judged],
    read: Callable[[TrackFigures], float | None],
    show: Callable[[float | None], str],
    *,
    best: Callable[[list[float]], float],
    label: str,
    meaning: str,
    note: Callable[[Judged], str] = lambda one: "",
) -> Row:
    """Mark the best, all of them where the page shows them as equal; none where nothing is compared."""
    values = [read(one.figures) for one in judged]
    known = [value for value in values if value is not None]
    first = show(best(known)) if len(known) > 1 else None
    texts = [show(value) for value in values]
    cells = [
        Cell(one.name, text, note(one), is_best=text == first)
        for one, text in zip(judged, texts, strict=True)
    ]
    return Row(label, meaning, cells)


def _percent(share: float | None) -> str:
    return percent(share, 1)


def _decimals(value: float | None) -> str:
    return "–" if value is None else floatformat(value, 4)


def _whole(value: float | None) -> str:
    return "–" if value is None else floatformat(value, "-1g")
