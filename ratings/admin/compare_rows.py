"""The table of the comparison: one row a figure, with the best of each row."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from foundation.templatetags.display import percent
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
    reports = [one.figures.report for one in judged]
    margins = []
    for one in judged:
        mean, error = one.figures.behind.mean, one.figures.behind.error
        is_behind = mean > 0 and error is not None
        words = f"+{floatformat(mean, 4)} ± {floatformat(2 * (error or 0), 4)}"
        margins.append(words if is_behind else "")
    return [
        _row(
            judged,
            [report.accuracy for report in reports],
            _percent,
            best=max,
            label=_("Accuracy"),
            meaning=_(
                "How often the favourite won, draws left out. Guessing gives 50%. "
                "Higher is better; it says nothing about how sure a prediction was."
            ),
        ),
        _row(
            judged,
            [report.log_loss for report in reports],
            _decimals,
            label=_("Log loss"),
            meaning=_(
                "How far predictions were from results, where being sure and wrong costs most. "
                "Always predicting 0.5 gives 0.6931. Lower is better; judge by this one first. Below it: how far it is "
                "behind the best, ± two standard errors. Less than those is luck."
            ),
            notes=margins,
        ),
        _row(
            judged,
            [report.brier for report in reports],
            _decimals,
            label=_("Brier score"),
            meaning=_(
                "The mean squared distance between prediction and result. Always predicting 0.5 gives 0.25, "
                "or less with draws. Lower is better."
            ),
        ),
        *_stability_rows(judged),
    ]


def _stability_rows(judged: Sequence[Judged]) -> list[Row]:
    """How soon ratings settle, and how much those of established players swing."""
    established = judged[0].track.ladder.established_after
    settled, moved = [], []
    for one in judged:
        players = one.figures.settling.players
        text = ngettext("%(number)s player", "%(number)s players", players)
        settled.append(text % {"number": say(players)})
        # The same in points, and by period where games of a period are rated together.
        per_game, per_change = one.figures.swing.per_game, one.figures.swing.per_change
        form = f"{one.track.decimals + 1}g"
        words = {"points": floatformat(per_game, form), "more": floatformat(per_change, form)}
        if per_game is None or per_change is None:
            moved.append(_("nobody established"))
        elif one.track.period_days is None:
            moved.append(_("%(points)s points a game") % words)
        else:
            moved.append(_("%(points)s points a game, %(more)s a period") % words)
    meaning = _(
        "After how many games half of the players had a rating that stayed within one deviation of where it ended, or "
        "within %(points)s points in a system without deviations. Of players who began in these matches and played "
        "%(games)s games or more. Lower is better."
    )
    return [
        _row(
            judged,
            [one.figures.settling.median for one in judged],
            _whole,
            label=_("Games to settle"),
            meaning=meaning % {"points": say(WITHIN_POINTS), "games": say(established)},
            notes=settled,
        ),
        _row(
            judged,
            [one.figures.swing.relative for one in judged],
            _percent,
            label=_("Swing of established ratings"),
            meaning=_(
                "How much one game moves an established rating on average, as a share of the spread of the ratings, so "
                "that scales do not matter. Lower is calmer; too calm a system follows nobody, which shows in the log "
                "loss."
            ),
            notes=moved,
        ),
    ]


def _row(
    judged: Sequence[Judged],
    values: Sequence[float | None],
    show: Callable[[float | None], str],
    *,
    best: Callable[[list[float]], float] = min,
    label: str,
    meaning: str,
    notes: Sequence[str] = (),
) -> Row:
    """Mark the best, all of them where the page shows them as equal; none where nothing is compared."""
    known = [value for value in values if value is not None]
    first = show(best(known)) if len(known) > 1 else None
    texts = [show(value) for value in values]
    cells = [
        Cell(one.name, text, note, is_best=text == first)
        for one, text, note in zip(judged, texts, notes or [""] * len(judged), strict=True)
    ]
    return Row(label, meaning, cells)


def _percent(share: float | None) -> str:
    return percent(share, 1)


def _decimals(value: float | None) -> str:
    return "–" if value is None else floatformat(value, 4)


def _whole(value: float | None) -> str:
    return "–" if value is None else floatformat(value, "-1g")
