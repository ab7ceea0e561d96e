"""Events of a match as rows of a table, in words: a page has many of them, and a template takes its time for each."""

from collections.abc import Mapping
from datetime import datetime

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from foundation.templatetags.components import badge, page_of, you
from foundation.templatetags.display import figure, filled, iso, moment, whole
from foundation.templatetags.names import called, isolated
from leaderboards.logs.event_pages import EventLine, Hole
from leaderboards.logs.told_match import ToldMatch
from ratings.models import EventKind, Player

register = template.Library()

_ROW = """<tr{left_out}>
  <td class="num muted">{number}</td>
  <td class="num">{time}</td>
  <td class="event-words">{words} {marks}</td>
</tr>
"""
_HOLE = """<tr class="event-hole">
  <td class="num muted">{numbers}</td>
  <td></td>
  <td class="event-words muted">{words}</td>
</tr>
"""


@register.simple_tag(takes_context=True)
def event_rows(context: Context, told: ToldMatch) -> SafeString:
    """A page of the events of a match, and where some are missing."""
    began = told.story.began
    people = _People(context, told.players)
    rows = (
        _hole(line) if isinstance(line, Hole) else _row(line, people, began)
        for line in told.events.lines
    )
    return SafeString("".join(rows))


@register.simple_tag(takes_context=True)
def first_frag(context: Context, told: ToldMatch) -> SafeString:
    """Who made the first frag of a match."""
    first = told.story.first
    if first is None:
        return SafeString("")
    people = _People(context, told.players)
    words = _("First frag: %(player)s fragged %(victim)s.")
    if first.weapon:
        words = _("First frag: %(player)s fragged %(victim)s with %(weapon)s.")
    return filled(
        words,
        player=people.named(first.player, ""),
        victim=people.named(first.victim, ""),
        weapon=isolated(first.weapon),
    )


class _People:
    """Players and guests by name, with the way to their page, and the reader's own marked."""

    def __init__(self, context: Context, players: Mapping[int, Player]) -> None:
        ongoing = context.get("ongoing")
        self._own = ongoing.player_ids if ongoing else ()
        self._is_kept, self._players = bool(context.get("is_kept")), players
        self._shown: dict[int, SafeString] = {}

    def named(self, pk: int | None, guest: str) -> SafeString:
        """A player by its id, or a guest by name; empty for nobody."""
        if pk is None:
            shape = '{} <span class="badge badge-plain">{}</span>'
            return format_html(shape, isolated(guest), _("guest")) if guest else SafeString("")
        if pk not in self._shown:
            player = self._players.get(pk)
            self._shown[pk] = format_html(
                '<a href="{}">{}</a>{}',
                page_of("player", pk),
                called(player) if player else f"#{pk}",
                you(pk, self._own, is_kept=self._is_kept),
            )
        return self._shown[pk]


def _row(line: EventLine, people: _People, began: datetime | None) -> SafeString:
    marks: list[SafeString] = []
    if line.weight is not None and line.weight != 1:
        marks.append(
            format_html('<span class="muted">{}</span>', _worth(line.weight)),
        )
    if line.is_left_out:
        marks.append(badge("plain", _("doesn't count")))
    return format_html(
        _ROW,
        left_out=SafeString(' class="event-left-out"') if line.is_left_out else "",
        number=whole(line.number),
        time=_time(line.at, began),
        words=_words(line, people),
        marks=SafeString(" ".join(marks)),
    )


def _worth(weight: float) -> str:
    """How many frags an event is worth, where that is not one."""
    return _("worth %(number)s frags") % {"number": figure(weight, 0 if weight.is_integer() else 2)}


def _time(at: datetime, began: datetime | None) -> SafeString:
    """Minutes and seconds since the match began; hours, too, where there are."""
    passed = max(0, int((at - began).total_seconds())) if began else 0
    minutes, seconds = divmod(passed, 60)
    clock = f"{minutes}:{seconds:02}"
    if minutes >= 60:
        clock = f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return SafeString(f'<time datetime="{iso(at)}" title="{moment(at)}">{clock}</time>')


def _hole(hole: Hole) -> SafeString:
    if hole.is_given_up:
        words = ngettext(
            "%(number)s event is missing: it never came.",
            "%(number)s events are missing: they never came.",
            hole.number,
        )
    else:
        words = ngettext(
            "%(number)s event is missing. What is above counts once it has come, or is given up.",
            "%(number)s events are missing. What is above counts once they have come, or are given up.",
            hole.number,
        )
    numbers = whole(hole.first)
    if hole.number > 1:
        numbers = f"{numbers}\N{EN DASH}{whole(hole.last)}"
    return format_html(_HOLE, numbers=numbers, words=words % {"number": whole(hole.number)})


def _words(line: EventLine, people: _People) -> SafeString:
    """What happened, as a sentence without its full stop."""
    player = people.named(line.player, line.guest)
    victim = people.named(line.victim, line.guest_victim)
    sentence = _sentence(line, has_victim=bool(victim))
    return filled(sentence, player=player, victim=victim or player, detail=isolated(line.detail))


def _sentence(line: EventLine, *, has_victim: bool) -> str:
    has_detail = bool(line.detail)
    match line.kind:
        case EventKind.BEGIN:
            return _("The match began on %(detail)s") if has_detail else _("The match began")
        case EventKind.JOIN:
            return _("%(player)s joined %(detail)s") if has_detail else _("%(player)s joined")
        case EventKind.LEAVE:
            return _("%(player)s left")
        case EventKind.FRAG:
            if has_detail:
                return _("%(player)s fragged %(victim)s with %(detail)s")
            return _("%(player)s fragged %(victim)s")
        case EventKind.SUICIDE:
            if has_detail:
                return _("%(victim)s died by their own doing (%(detail)s)")
            return _("%(victim)s died by their own doing")
        case EventKind.TEAM_KILL:
            if has_detail:
                return _("%(player)s killed %(victim)s, of the same team, with %(detail)s")
            return _("%(player)s killed %(victim)s, of the same team")
        case EventKind.ROUND:
            return _("%(detail)s won a round") if has_detail else _("A round was over")
        case EventKind.END:
            return _("The match ended")
        case _:
            return _scored(line, has_victim=has_victim)


def _scored(line: EventLine, *, has_victim: bool) -> str:
    """Captures, and what else scores."""
    if line.kind == EventKind.CAPTURE:
        if has_victim:
            return _("%(player)s made a capture against %(victim)s")
        return _("%(player)s made a capture")
    if has_victim:
        return _("%(player)s scored against %(victim)s")
    return _("%(player)s scored")
