"""Components that a page shows in every row: functions, which rows in Python call, and tags of the same name.

A template included for each cell took a leaderboard fifty times as long as its frame. The tags are there in every
template; `rating_decimals` of the page says with how many decimals its ratings are shown (default 0).
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any

from django import template
from django.template import Context
from django.urls import get_script_prefix, get_urlconf, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from foundation.templatetags.display import figure, plain_figure, timed, whole

__all__ = ["badge", "page_of", "points", "rank_movement", "rating", "win_draw_loss", "you"]

register = template.Library()
_KEPT = 4096  # of each component, for values that many rows have

_BADGES: dict[str, tuple[Any, Any]] = {
    "provisional": (
        gettext_lazy("Provisional"),
        gettext_lazy("Too few counted games, or too uncertain yet"),
    ),
    "new": (gettext_lazy("New"), gettext_lazy("No rated game yet")),
    "inactive": (
        gettext_lazy("Inactive"),
        gettext_lazy(
            "Hasn't played for a long time; returns to the leaderboard with the next game"
        ),
    ),
    "established": (
        gettext_lazy("Established"),
        gettext_lazy("Enough games for a reliable rating"),
    ),
}


def rating(
    value: float,
    deviation: float | None = None,
    *,
    provisional: bool = False,
    size: str = "",
    decimals: int = 0,
) -> SafeString:
    """A rating with its uncertainty: 1624 ± 43. After ± stands the deviation as stored, one standard deviation.

    `size`: "l" for the big one. `provisional` adds a mark.
    """
    before, between, within, after = _frame_of_rating(
        get_language(), provisional, size, deviation is not None
    )
    # Without the language's decimal sign, as everywhere for ratings.
    said = between if deviation is None else f"{between}{plain_figure(deviation, decimals)}{within}"
    return SafeString(f"{before}{plain_figure(value, decimals)}{said}{after}")


@lru_cache(_KEPT)
def _frame_of_rating(
    _language: str | None, provisional: bool, size: str, has_deviation: bool
) -> tuple[str, str, str, str]:
    """What stands before the value, between it and the deviation, after that, and at the end."""
    before = format_html(
        '<span class="rating{}{}"><span class="rating-value">',
        " rating-l" if size == "l" else "",
        " rating-provisional" if provisional else "",
    )
    between = SafeString("</span>")
    if provisional:
        between += format_html('<span class="visually-hidden"> {}</span>', _("provisional"))
    if has_deviation:
        between += format_html(
            ' <span class="rating-deviation" title="{}"><span aria-hidden="true">±&#8239;</span>'
            '<span class="visually-hidden">{} </span>',
            _("Rating deviation: how uncertain the rating is"),
            _("plus or minus"),
        )
    return before, between, "</span>", "</span>"


def points(value: float | None, *, decimals: int = 0) -> SafeString:
    """A change of rating, with one decimal more than ratings: sign, icon and colour together; a dash for None."""
    if value is None:
        return _unknown_points(get_language())
    text = figure(abs(value), decimals + 1)
    if not text.strip("0.,"):
        kind, icon, text = "even", "●", "0"
    elif value > 0:
        kind, icon, text = "gain", "▲", f"+{text}"
    else:
        kind, icon, text = "loss", "▼", f"−{text}"
    shape = '<span class="delta delta-{}"><span class="delta-icon" aria-hidden="true">{}</span>{}</span>'
    return SafeString(shape.format(kind, icon, text))


@lru_cache
def _unknown_points(_language: str | None) -> SafeString:
    shape = (
        '<span class="delta delta-even"><span aria-hidden="true">–</span>'
        '<span class="visually-hidden">{}</span></span>'
    )
    return format_html(shape, _("change unknown"))


def rank_movement(movement: int | None) -> SafeString:
    """Places gained (positive) or lost since the last period; None: was not ranked before."""
    return _rank_movement(get_language(), movement)


@lru_cache(_KEPT)
def _rank_movement(_language: str | None, movement: int | None) -> SafeString:
    if movement is None:
        return format_html(
            '<span class="badge badge-new" title="{}"> {} </span>',
            _("Not ranked at the last comparison"),
            _("new"),
        )
    if not movement:
        shape = (
            '<span class="movement movement-same"> <span aria-hidden="true">–</span>'
            '<span class="visually-hidden">{}</span> </span>'
        )
        return format_html(shape, _("same place"))
    return format_html(
        '<span class="movement movement-{}"> <span aria-hidden="true">{}</span>'
        '<span class="visually-hidden">{} </span> {} </span>',
        "up" if movement > 0 else "down",
        "↑" if movement > 0 else "↓",
        _("up by") if movement > 0 else _("down by"),
        whole(abs(movement)),
    )


def win_draw_loss(wins: int, draws: int, losses: int) -> SafeString:
    """Wins, draws and losses: figures over a thin stacked bar."""
    return _win_draw_loss(get_language(), wins, draws, losses)


@lru_cache(_KEPT)
def _win_draw_loss(_language: str | None, wins: int, draws: int, losses: int) -> SafeString:
    bar: SafeString | str = ""
    if total := wins + draws + losses:
        bar = format_html(
            '<svg class="record-bar" viewBox="0 0 {} 1" preserveAspectRatio="none" aria-hidden="true">'
            ' <rect class="record-wins" width="{}" height="1"/>'
            ' <rect class="record-draws" x="{}" width="{}" height="1"/>'
            ' <rect class="record-losses" x="{}" width="{}" height="1"/> </svg>',
            *map(str, (total, wins, wins, draws, wins + draws, losses)),
        )
    return format_html(_shape_of_record(_language), whole(wins), whole(draws), whole(losses), bar)


@lru_cache
def _shape_of_record(_language: str | None) -> str:
    """The record in a language, with places for its figures and its bar."""
    shape = (
        '<span class="record"> <span class="record-figures">'
        ' <span title="{}">{{}}</span><span aria-hidden="true">–</span>'
        ' <span class="visually-hidden">{},</span>'
        ' <span title="{}">{{}}</span><span aria-hidden="true">–</span>'
        ' <span class="visually-hidden">{},</span>'
        ' <span title="{}">{{}}</span> <span class="visually-hidden">{}</span> </span> {{}} </span>'
    )
    words = (_("Wins"), _("wins"), _("Draws"), _("draws"), _("Losses"), _("losses"))
    return format_html(shape, *words)


@register.simple_tag
def badge(kind: str, label: object = "") -> SafeString:
    """What a rating is. `kind`: "new", "provisional", "established", "inactive" or "plain".

    `label`: text of a plain badge; with one, another kind lends only its look.
    """
    return _badge(get_language(), kind, str(label))


@lru_cache(_KEPT, typed=True)
def _badge(_language: str | None, kind: str, label: str) -> SafeString:
    # Kept by type: a label that is safe equals the same words that are not, and would lend them its entry.
    if kind not in _BADGES:
        return format_html('<span class="badge badge-plain">{}</span>', label)
    name, meaning = _BADGES[kind]
    title = "" if label else format_html(' title="{}"', meaning)
    return format_html('<span class="badge badge-{}"{}> {} </span>', kind, title, label or name)


def you(player_id: int, own_players: Collection[int], *, is_kept: bool = False) -> SafeString:
    """Marks the visitor among players. `is_kept`: whoever reads it is marked later, see foundation/kept_pages.py."""
    if is_kept:
        return format_html("<!--you {}-->", str(player_id))
    if player_id not in own_players:
        return SafeString("")
    return format_html(' <span class="badge badge-new">{}</span>', _("you"))


def page_of(name: str, number: int) -> str:
    """Address of the page of this name with a number: `{% url %}` looks through the patterns of the site each time."""
    before, after = _address_around(name, get_urlconf(), get_script_prefix())
    return f"{before}{number}{after}"


@lru_cache
def _address_around(name: str, _urlconf: object, _prefix: str) -> tuple[str, str]:
    before, _number, after = reverse(name, args=[0]).rpartition("0")
    return before, after


register.simple_tag(page_of)
register.simple_tag(rank_movement)
register.simple_tag(win_draw_loss)


@register.simple_tag(takes_context=True, name="rating")
def _rating_tag(
    context: Context,
    value: float | str,
    deviation: float | None = None,
    provisional: bool = False,
    size: str = "",
    decimals: int | None = None,
) -> SafeString:
    if isinstance(value, str):  # as of an opponent where there are several
        return SafeString("")
    if decimals is None:
        decimals = context.get("rating_decimals") or 0
    return rating(value, deviation, provisional=provisional, size=size, decimals=decimals)


@register.simple_tag(takes_context=True, name="points")
def _points_tag(context: Context, value: float | None) -> SafeString:
    return points(value, decimals=context.get("rating_decimals") or 0)


@register.simple_tag(takes_context=True)
def history_rows(
    context: Context, rows: Iterable[tuple[datetime, float, float | None]]
) -> SafeString:
    """The figures of a chart, (when, rating, deviation): with one decimal more than ratings have."""
    decimals = (context.get("rating_decimals") or 0) + 1
    shape = '<tr> <th scope="row">{}</th> <td class="num">{}</td> <td class="num">{}</td> </tr>'
    return format_html_join(
        "\n",
        shape,
        (
            (
                timed(when, "day"),
                figure(value, decimals),
                "–" if deviation is None else figure(deviation, decimals),
            )
            for when, value, deviation in rows
        ),
    )


@register.simple_tag(takes_context=True, name="you")
def _you_tag(context: Context, player_id: int) -> SafeString:
    ongoing: Any = context.get("ongoing")
    own_players = ongoing.player_ids if ongoing else ()
    return you(player_id, own_players, is_kept=bool(context.get("is_kept")))
