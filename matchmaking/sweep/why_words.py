"""Why a ticket is not matched yet, in sentences and rows: for its page in the admin, and for the command line."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from matchmaking.pairing.condition import Shown
from matchmaking.pairing.conditions import Hold
from matchmaking.pairing.obstacles import Findings, Fit, Obstacle
from matchmaking.queues.condition_words import USES, condition_label, distance_in_words
from matchmaking.sweep.why_waiting import OutOfSweep, WhyWaiting
from matchmaking.templatetags.play import rounded, ticking

__all__ = ["Moment", "ObstacleRow", "WhyInWords", "why_in_words"]

# Of those who fit next, so many are named.
NAMED = 10
# A queue that wakes every second and was not swept for so many seconds is not being swept.
_LATE = 15.0
_ASKED_BESIDES = {
    "bucket": gettext_lazy("A bucket in common"),
    "spread": gettext_lazy("Spread of the ratings"),
    "size": gettext_lazy("Room for both parties"),
    "roles": gettext_lazy("Roles that are still free"),
}
_OUT = {
    OutOfSweep.OFFERED: gettext_lazy("A match was found and waits for everybody to accept."),
    OutOfSweep.SUSPENDED: gettext_lazy(
        "A player of it was suspended meanwhile: the next sweep ends this search."
    ),
    OutOfSweep.AWAY: gettext_lazy(
        "Nobody was there for long, so it is asked “Still there?”. Sweeps pass it over until the answer, and end it "
        "without one."
    ),
    OutOfSweep.PLAYING: gettext_lazy(
        "A player of it is in a match that is not over. No sweep offers another one until then."
    ),
    OutOfSweep.WORDS: gettext_lazy(
        "All it asks for is among the rarest of more than 62 different words that players here ask "
        "for, and these count for nothing where a condition must hold. It waits until there are "
        "fewer."
    ),
}


@dataclass(frozen=True, slots=True)
class ObstacleRow:
    """A condition as it stands between a ticket and the others.

    accepted   what the ticket accepts by now;   nearest   what the other is apart that is nearest
    by_ticket  how many the ticket refuses;   by_other   how many refuse the ticket
    alone      how many one or the other keeps away;   then   of those that all conditions above let pass
    left       how many are left after it
    """

    name: str
    use: str
    accepted: str
    nearest: str
    by_ticket: int
    by_other: int
    alone: int
    then: int
    left: int


@dataclass(frozen=True, slots=True)
class Moment:
    """When, what the ticket accepts by then, and how many would fit."""

    when: str
    accepted: str
    fit: int
    players: int


@dataclass(frozen=True, slots=True)
class WhyInWords:
    """All of it. `match` and `following`: ids of tickets, of the match that the next sweep makes, and who fits next."""

    about: list[str]
    rows: list[ObstacleRow]
    verdict: list[str]
    moments: list[Moment]
    match: list[int]
    following: list[int]


def why_in_words(why: WhyWaiting, *, shows_sanctions: bool) -> WhyInWords:
    """Say it. Without `shows_sanctions` a suspension is not told."""
    about = list(_about(why, shows_sanctions))
    found = why.findings
    if found is None:
        return WhyInWords(about, [], [], [], [], [])
    ids = np.array(why.waiting, dtype=np.int64)
    own = why.ticket.pk
    match = sorted(set(ids[found.match].tolist()) - {own})
    following = [] if found.first is None else ids[found.first.others[:NAMED]].tolist()
    return WhyInWords(
        about=about,
        rows=list(_rows(found)),
        verdict=list(_verdict(found, is_matched=bool(match))),
        moments=[_moment(fit) for fit in found.fits],
        match=match,
        following=following,
    )


def _about(why: WhyWaiting, shows_sanctions: bool) -> Iterator[str]:
    """The ticket, who else is there, and whether sweeps come at all."""
    words = {"queue": why.ticket.queue.name, "time": ticking(why.waited)}
    if why.out is OutOfSweep.ENDED:
        state = {**words, "state": why.ticket.get_state_display()}
        yield _("This search in %(queue)s has ended: %(state)s, after %(time)s.") % state
        return
    yield _("It has waited in %(queue)s for %(time)s.") % words
    if why.out is OutOfSweep.SILENT:
        silence = {
            "seconds": int((why.at - why.ticket.seen_at).total_seconds()),
            "most": why.ticket.queue.heartbeat_seconds,
        }
        yield (
            _(
                "Nothing was heard from it for %(seconds)s s, and after %(most)s s a search ends: "
                "the next sweep ends it."
            )
            % silence
        )
    elif why.out is OutOfSweep.SUSPENDED and not shows_sanctions:
        yield _("The next sweep ends this search.")
    elif why.out is not None:
        yield str(_OUT[why.out])
    if (found := why.findings) is not None:
        number = len(found.others)
        yield (
            ngettext(
                "%(number)s other search waits here, of %(players)s in all.",
                "%(number)s other searches wait here, of %(players)s in all.",
                number,
            )
            % {"number": number, "players": _players(found.players)}
        )
    if why.offered:
        yield (
            ngettext(
                "%(number)s more is being offered a match, and waits on if nothing comes of it.",
                "%(number)s more are being offered a match, and wait on if nothing comes of it.",
                why.offered,
            )
            % {"number": why.offered}
        )
    if why.passed > 0:
        yield (
            ngettext(
                "%(number)s more is not asked: silent, in a match, or with too many words.",
                "%(number)s more are not asked: silent, in a match, or with too many words.",
                why.passed,
            )
            % {"number": why.passed}
        )
    swept = why.ticket.queue.swept_at
    since = None if swept is None else (why.at - swept).total_seconds()
    if since is None:
        yield _("This queue was never swept: look whether the workers and beat are running.")
    elif since > _LATE:
        yield (
            _(
                "This queue was last swept %(time)s ago: look whether the workers and beat are running."
            )
            % {"time": ticking(since)}
        )


def _players(number: int) -> str:
    words = ngettext("%(number)s player", "%(number)s players", number)
    return words % {"number": number}


def _rows(found: Findings) -> Iterator[ObstacleRow]:
    left = np.ones(len(found.others), dtype=np.bool_)
    for one in found.obstacles:
        then = int((one.refused & left).sum())
        left = left & ~one.refused
        yield ObstacleRow(
            name=_name(one),
            use=str(USES[one.condition.use]) if one.condition else str(USES["must"]),
            accepted=_accepted(one),
            nearest=_nearest(one),
            by_ticket=int(one.by_ticket.sum()),
            by_other=int(one.by_other.sum()),
            alone=int(one.refused.sum()),
            then=then,
            left=int(left.sum()),
        )


def _name(one: Obstacle) -> str:
    if one.condition is None:
        return str(_ASKED_BESIDES[one.name])
    return condition_label(one.name, type(one.condition))


def _accepted(one: Obstacle) -> str:
    if math.isinf(one.accepted):
        return "–" if one.condition is None else _("anything")
    shown = Shown.NUMBER if one.condition is None else one.condition.shown
    return distance_in_words(shown, one.accepted)


def _nearest(one: Obstacle) -> str:
    """Not of what stands between two people, and is nobody's business: only how many it keeps away."""
    shown = Shown.NUMBER if one.condition is None else one.condition.shown
    if shown is Shown.FIT or not one.distance.size or np.isnan(one.distance).all():
        return "–"
    nearest = float(np.nanmin(one.distance))
    return "–" if math.isinf(nearest) else distance_in_words(shown, nearest)


def _verdict(found: Findings, *, is_matched: bool) -> Iterator[str]:
    """What the next sweep does, and when somebody fits."""
    now, number = found.now, len(found.others)
    if found.is_unfit:
        yield _(
            "No team here has room for it: its party is too large, or has too many of one role. "
            "It will not be matched, however long it waits."
        )
        return
    if is_matched:
        yield _("The next sweep matches it, with these:")
        return
    if now.is_enough:
        words = {"fit": len(now.others), "number": number}
        yield (
            _(
                "%(fit)s of %(number)s fit by now, and yet a sweep makes no match of it: they fit "
                "others better who have waited longer, or do not all fit each other."
            )
            % words
        )
        return
    if not number:
        yield _("Nobody else waits here.")
    elif held := _only_held(found):
        words = {"held": held, "number": number}
        yield (
            _(
                "%(held)s of %(number)s fit but for the time: a pair is held back while waiting "
                "is likely to bring a better one."
            )
            % words
        )
    elif not len(now.others):
        yield _("Nobody fits by now.")
    else:
        yield (
            _(
                "A match takes %(needed)s more; by now %(fit)s of %(number)s others fit, of %(players)s."
            )
            % {
                "needed": _players(found.needed),
                "fit": len(now.others),
                "number": number,
                "players": _players(now.players),
            }
        )
    if found.players < found.needed:
        yield (
            _("So many are not here at all: %(there)s wait besides, and a match takes %(needed)s.")
            % {"there": _players(found.players), "needed": found.needed}
        )
    elif found.first is None:
        yield _("That will not change within an hour, unless somebody comes or goes.")
    else:
        yield _first_sentence(found.first, number)


def _only_held(found: Findings) -> int:
    """How many would fit if no pair were held back."""
    is_held = [one for one in found.obstacles if isinstance(one.condition, Hold)]
    refused = np.zeros(len(found.others), dtype=np.bool_)
    for one in found.obstacles:
        if not isinstance(one.condition, Hold):
            refused |= one.refused
    return int((is_held[0].refused & ~refused).sum()) if is_held else 0


def _first_sentence(first: Fit, number: int) -> str:
    words = {
        "time": ticking(first.seconds),
        "points": rounded(first.gap),
        "fit": len(first.others),
        "number": number,
    }
    if math.isinf(first.gap):
        return _("In %(time)s, %(fit)s of %(number)s would fit, if they wait on:") % words
    return (
        _("In %(time)s, at ±%(points)s points, %(fit)s of %(number)s would fit, if they wait on:")
        % words
    )


def _moment(fit: Fit) -> Moment:
    when = _("in %(time)s") % {"time": ticking(fit.seconds)}
    return Moment(
        when=when if fit.seconds else pgettext("moment", "now"),
        accepted=_("anything") if math.isinf(fit.gap) else f"±{rounded(fit.gap)}",
        fit=len(fit.others),
        players=fit.players,
    )
