"""Waiting times, deadlines and reports, as the pages for players say them."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django import template
from django.template.context import RequestContext
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from foundation.templatetags.display import element_of, ordinal, timed
from foundation.templatetags.names import all_called, isolated
from matchmaking.conduct.rules import rules_of
from matchmaking.models import ConductRules, Queue
from matchmaking.pages.beside import beside as parts_beside
from matchmaking.pages.ongoing_bar import Page, bar_of
from matchmaking.pages.own_match import MatchPlayer, OwnMatchView
from matchmaking.pages.queue_page import QueuePage
from matchmaking.partners.seen import PartnerSeen
from matchmaking.queues.settings import settings_of
from ratings.models import Ladder, Outcome, Report, Sanction
from ratings.sanctions import without_covered

register = template.Library()

_SOON = timedelta(hours=20)
_NUMBERS = {
    3: gettext_lazy("three"),
    4: gettext_lazy("four"),
    5: gettext_lazy("five"),
    6: gettext_lazy("six"),
    7: gettext_lazy("seven"),
    8: gettext_lazy("eight"),
    9: gettext_lazy("nine"),
    10: gettext_lazy("ten"),
    11: gettext_lazy("eleven"),
    12: gettext_lazy("twelve"),
}


@register.simple_tag(takes_context=True)
def ongoing_bar(context: RequestContext) -> dict[str, Any]:
    """What `ongoing/bar.html` shows on this page: searches, offers and matches of the visitor."""
    return bar_of(context["ongoing"], Page.of_page(context.get("page")))


@register.simple_tag(takes_context=True)
def beside(context: RequestContext, what: str, pk: int, game_id: int, player_id: int) -> SafeString:
    """What apps above show beside a party or a match: their talk, say."""
    return parts_beside(context["request"], what, pk, game_id, player_id)


@register.simple_tag
def conduct_rules(game_id: int) -> ConductRules:
    """What conduct counts in this game: pages say beforehand what has points. One query."""
    return rules_of(game_id)


@register.filter
def saying_something_new(sanctions: Sequence[Sanction]) -> list[Sanction]:
    """Without suspensions that another covers; all of one player."""
    return without_covered(sanctions or ())


@register.filter
def ticking(seconds: float) -> str:
    """A stopwatch: "0:42", "12:05", "1:02:03". Never below zero."""
    whole = max(0, int(seconds))
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@register.filter
def counting_down(seconds: float) -> SafeString:
    """A stopwatch that static/js/clocks.js counts down to 0:00."""
    shape = '<span role="timer" aria-live="off" data-count="down" data-seconds="{}">{}</span>'
    return format_html(shape, f"{seconds:.0f}", ticking(seconds))


@register.filter
def roughly(seconds: float) -> str:
    """A length of time in its largest unit, rounded up: "20 s", "3 min", "2 h"."""
    if seconds <= 90:
        return _("%(number)s s") % {"number": number_format(max(1, -(-int(seconds) // 1)))}
    if seconds <= 90 * 60:
        return _("%(number)s min") % {"number": number_format(-(-int(seconds) // 60))}
    return _("%(number)s h") % {"number": number_format(-(-int(seconds) // 3600))}


@register.filter
def rounded(value: float | None) -> str:
    """A number on whatever scale: at most one decimal, two below 1, none from 100 on."""
    if value is None:
        return "–"
    decimals = 0 if float(value).is_integer() or abs(value) >= 100 else 1 if abs(value) >= 1 else 2
    return number_format(round(value, decimals), decimals, force_grouping=True)


@register.filter
def left_until(when: datetime, now: datetime) -> float:
    """Seconds from `now` to `when`, not below zero."""
    return max(0.0, (when - now).total_seconds())


@register.filter
def soon(when: datetime, now: datetime) -> SafeString:
    """A `<time>` element: the time alone where the day goes without saying, "18:30 UTC"; else with its day."""
    if abs(when - now) > _SOON:
        return timed(when)
    # Translators: a time of day, in the letters of Django's date filter
    shape = pgettext("short time format", "H:i")
    return element_of(when, f"{date_format(when.astimezone(UTC), shape)} UTC", "time")


@register.filter
def halved(code: str) -> str:
    """The code of a party in two halves, as it is read out: "ABCDE-FGHJK"."""
    middle = (len(code) + 1) // 2
    return f"{code[:middle]}-{code[middle:]}"


@register.filter
def line_up(ladder: Ladder) -> str:
    """Number and size of the teams: "1 v 1", "5 v 5", "four, free for all", "3 teams of 2"."""
    count, size = ladder.team_count, ladder.team_size
    if count == 2:
        return _("%(size)s v %(size)s") % {"size": number_format(size)}
    if size == 1:
        number = str(_NUMBERS.get(count, number_format(count)))
        return _("%(number)s, free for all") % {"number": number}
    return _("%(count)s teams of %(size)s") % {
        "count": number_format(count),
        "size": number_format(size),
    }


@register.filter
def maps_of(queue: Queue) -> list[str]:
    """Names of the maps that a queue plays; empty where the game chooses."""
    return [one.name for one in settings_of(queue).game_maps]


@register.filter
def of(found: Mapping[int, Any], key: int) -> Any:
    """What a mapping has of this key: `beliefs|of:player.pk`. None for nothing."""
    return found.get(key)


@register.filter
def is_in(value: object, values: Collection[object]) -> bool:
    """Whether a value is among others."""
    return value in values


@register.filter
def place_sentence(own_match: OwnMatchView) -> str:
    """Where the own side finished: "You finished 2nd of 4"."""
    words = {
        "place": ordinal(own_match.place or 0),
        "of": number_format(len(own_match.other_teams) + 1),
    }
    is_team = len(own_match.team) > 1
    if own_match.is_place_shared:
        if is_team:
            return _("Your team finished tied for %(place)s of %(of)s") % words
        return _("You finished tied for %(place)s of %(of)s") % words
    if is_team:
        return _("Your team finished %(place)s of %(of)s") % words
    return _("You finished %(place)s of %(of)s") % words


@register.filter
def names_of(players: Sequence[MatchPlayer]) -> SafeString:
    """Names of the players of some of a match."""
    return all_called(one.player for one in players)


@register.filter
def opponents(own_match: OwnMatchView) -> SafeString:
    """Names of those whom the player meets, or that of a partner of the game."""
    partner = own_match.match.partner
    return isolated(partner) if partner else names_of(own_match.others)


@register.filter
def may_be_supplied(page: QueuePage) -> bool:
    """Whether the game can be asked for a partner of whoever begins to search here now."""
    ladder = page.queue.ladder
    members = len(page.party.members) if page.party else 1
    is_whole = (ladder.team_count, ladder.team_size) == (2, members)
    return page.queue.partner_seconds is not None and is_whole


@register.filter
def is_available(partner: PartnerSeen, now: datetime) -> bool:
    """Whether the game may be asked by now."""
    return partner.available_at <= now


@register.filter
def word(report: Report, is_of_teams: bool) -> str:
    """A report in a sentence, as its player would say it, in a match of teams for the team."""
    if report.left_early:
        return _("“I left early.”")
    if report.place is not None:
        if report.outcome == Outcome.DRAWN:
            text = _("“Tied for %(place)s.”")
        else:
            text = _("“We finished %(place)s.”") if is_of_teams else _("“I finished %(place)s.”")
        return text % {"place": ordinal(report.place)}
    return {
        Outcome.WON.value: _("“We won.”") if is_of_teams else _("“I won.”"),
        Outcome.DRAWN.value: _("“It was a draw.”"),
        Outcome.LOST.value: _("“We lost.”") if is_of_teams else _("“I lost.”"),
        Outcome.NOT_PLAYED.value: _("“It was not played.”"),
    }[report.outcome]
