"""Rows of a leaderboard, made in one go: a page has fifty of them, and a template takes its time for each cell."""

from collections.abc import Iterable

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from foundation.templatetags.components import (
    badge,
    page_of,
    points,
    rank_movement,
    rating,
    win_draw_loss,
    you,
)
from foundation.templatetags.display import figure, percent, timed, whole
from foundation.templatetags.names import called
from leaderboards.boards.rows import Row

register = template.Library()

_ROW = """<tr{style}{current}>
  <td class="rank{first}">{rank}</td>
  <td class="movement-cell">{movement}</td>
  <th scope="row" class="name"><a href="{page}">{player}</a>{mark} {badge}</th>
  <td class="num fold-end">{rating}</td>
  <td class="fold-break" aria-hidden="true"></td>
  <td class="num fold">{points}</td>
  <td class="fold record-cell">{record} {leaves}</td>
  <td class="num fold">{share}</td>
  <td class="num fold fold-hide">{games}</td>
  <td class="num fold fold-last">{last}</td>
</tr>
"""


@register.simple_tag(takes_context=True)
def standing_rows(context: Context, rows: Iterable[Row], asked: int | None) -> SafeString:
    """The players of a page; `asked`: the number of the one it is about.

    The visitor's own is marked later: see foundation/kept_pages.py.
    """
    decimals = context.get("rating_decimals") or 0
    deviations = context.get("deviations") or 0.0
    return SafeString("".join(_row(row, asked, decimals, deviations) for row in rows))


def _standing(row: Row, decimals: int, deviations: float) -> SafeString:
    """What the board is ordered by: the rating, or the conservative one with its parts."""
    if row.conservative is None or row.rated_deviation is None:
        return rating(row.value, row.deviation, provisional=row.provisional, decimals=decimals)
    return format_html(
        '{} <span class="muted rating-parts">= {} − {} × {}</span>',
        rating(row.conservative, provisional=row.provisional, decimals=decimals),
        figure(row.value, decimals + 1),  # so that the sum comes to what is shown
        figure(deviations),
        figure(row.rated_deviation, decimals + 2),
    )


def _row(row: Row, asked: int | None, decimals: int, deviations: float) -> SafeString:
    marks, leaves = "", ""
    if row.inactive or row.provisional:
        marks = badge("inactive" if row.inactive else "provisional")
    if row.leaves:
        shape = '<span class="muted" title="{}">({})</span>'
        leaves = format_html(shape, _("Games left early"), whole(row.leaves))
    found = ' id="found"' if row.player_id == asked else ""
    return format_html(
        _ROW,
        style=SafeString(' class="inactive"' if row.inactive or not row.listed else ""),
        current=SafeString(f"{found}<!--current {row.player_id}-->"),
        first=" rank-first" if row.rank == 1 and row.listed else "",
        rank=whole(row.rank),
        movement=rank_movement(row.movement) if row.listed else "",
        page=page_of("player", row.player_id),
        player=called(row),
        mark=you(row.player_id, (), is_kept=True),
        badge=marks,
        rating=_standing(row, decimals, deviations),
        points=points(row.points, decimals=decimals),
        record=win_draw_loss(row.wins, row.draws, row.losses),
        leaves=leaves,
        share=percent(row.win_share),
        games=whole(row.games),
        last=timed(row.last_played_at, "day"),
    )
