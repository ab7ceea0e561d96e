"""The catalogue of events: what each kind says, what it carries, who gets it, and since when.

A new kind is declared here, and in the tables of docs/architecture.md and docs/api.md. It is announced in two ways:

    publish      writes a row into the outbox: once to each subscriber of this site, in order (`events.outbox`)
    broadcast    sends a message to open streams, and keeps it for programs that were away (`events.live`)
"""

from enum import StrEnum
from typing import NamedTuple

__all__ = ["Kind"]

# Topics by what stands before the colon.
_PLAYERS = ("player", "searches")
_MATCHES = ("player", "ladder", "game", "site")
_BOARDS = ("ladder", "game", "site")


class Declared(NamedTuple):
    """What is declared of a kind."""

    name: str
    says: str
    since: str
    payload: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


class Kind(StrEnum):
    """A kind of event. As a string it is its name.

    says     what has happened
    since    the first release that has it
    payload  what an event in the outbox carries; empty for a kind that is never published
    topics   streams on which it is broadcast: `player` for `player:<id>` and so on; empty for one that never is
    ids      what a broadcast message may name; fewer, or none, where it is about several at once
    """

    says: str
    since: str
    payload: tuple[str, ...]
    topics: tuple[str, ...]
    ids: tuple[str, ...]

    def __new__(cls, *declared: object) -> "Kind":
        given = Declared(*declared)  # type: ignore[arg-type]
        kind = str.__new__(cls, given.name)
        kind._value_ = given.name
        kind.says, kind.since = given.says, given.since
        kind.payload, kind.topics, kind.ids = given.payload, given.topics, given.ids
        return kind

    TICKET_WAITING = Declared(
        "ticket.waiting",
        "a search has begun",
        since="0.1.0",
        topics=_PLAYERS,
        ids=("ticket",),
    )
    TICKET_CANCELLED = Declared(
        "ticket.cancelled",
        "a search was cancelled",
        since="0.1.0",
        topics=_PLAYERS,
        ids=("ticket",),
    )
    TICKET_EXPIRED = Declared(
        "ticket.expired",
        "a search ended without a sign of life",
        since="0.1.0",
        topics=_PLAYERS,
        ids=("ticket", "queue"),
    )
    OFFER_MADE = Declared(
        "offer.made",
        "a match is offered; one message for each ticket",
        since="0.1.0",
        topics=_PLAYERS,
        ids=("ticket", "offer", "queue"),
    )
    OFFER_ANSWERED = Declared(
        "offer.answered",
        "one has accepted, others must still",
        since="0.1.0",
        topics=_PLAYERS,
        ids=("offer",),
    )
    OFFER_ACCEPTED = Declared(
        "offer.accepted",
        "all have accepted; where nobody is asked, one message for each ticket",
        since="0.1.0",
        topics=_PLAYERS,
        ids=("ticket", "offer", "queue"),
    )
    OFFER_DECLINED = Declared(
        "offer.declined",
        "one has declined, or plays already; the others wait on",
        since="0.1.0",
        topics=_PLAYERS,
        ids=("offer",),
    )
    OFFER_EXPIRED = Declared(
        "offer.expired",
        "the time of an offer is over; one message for each ticket",
        since="0.1.0",
        topics=_PLAYERS,
        ids=("ticket", "offer", "queue"),
    )
    MATCH_STARTED = Declared(
        "match.started",
        "a match has begun",
        since="0.1.0",
        payload=("match", "ladder"),
        topics=_MATCHES,
        ids=("match",),
    )
    MATCH_REPORTED = Declared(
        "match.reported",
        "one side has told how a match ended",
        since="0.1.0",
        payload=("match", "ladder"),
        topics=_MATCHES,
        ids=("match",),
    )
    MATCH_DISPUTED = Declared(
        "match.disputed",
        "reports of a match contradict each other, or a player asks for a decision",
        since="0.1.0",
        payload=("match", "ladder"),
        topics=_MATCHES,
        ids=("match",),
    )
    MATCH_CONFIRMED = Declared(
        "match.confirmed",
        "the result of a match counts",
        since="0.1.0",
        payload=("match", "ladder"),
        topics=_MATCHES,
        ids=("match",),
    )
    MATCH_ABANDONED = Declared(
        "match.abandoned",
        "nobody reported a match in time",
        since="0.1.0",
        payload=("match", "ladder"),
        topics=_MATCHES,
        ids=("match",),
    )
    MATCH_ABORTED = Declared(
        "match.aborted",
        "a match ended without a result",
        since="0.1.0",
        payload=("match", "ladder"),
        topics=_MATCHES,
        ids=("match",),
    )
    MATCH_ANNULLED = Declared(
        "match.annulled",
        "an operator has taken back the result of a match",
        since="0.1.0",
        payload=("match", "ladder"),
        topics=_MATCHES,
        ids=("match",),
    )
    PARTY_JOINED = Declared(
        "party.joined",
        "a party was opened, or has a new member",
        since="0.1.0",
        topics=_PLAYERS,
        ids=("party",),
    )
    PARTY_LEFT = Declared(
        "party.left",
        "a member has left a party, or was removed",
        since="0.1.0",
        topics=_PLAYERS,
        ids=("party",),
    )
    PARTY_LED = Declared(
        "party.led",
        "another member leads a party",
        since="0.1.0",
        topics=_PLAYERS,
        ids=("party",),
    )
    PARTY_ENDED = Declared(
        "party.ended",
        "an operator has dissolved a party",
        since="0.1.0",
        topics=_PLAYERS,
        ids=("party",),
    )
    STANDINGS_UPDATED = Declared(
        "standings.updated",
        "a leaderboard has changed",
        since="0.1.0",
        topics=_BOARDS,
        ids=("ladder",),
    )
    MATCHES_IMPORTED = Declared(
        "matches.imported",
        "a file of matches was imported",
        since="0.1.0",
        payload=("ladder", "file", "matches"),
    )
    RATINGS_CHANGED = Declared(
        "ratings.changed",
        "a run has changed ratings of a track",
        since="0.1.0",
        payload=("track", "revision"),
    )
    PERIOD_CLOSED = Declared(
        "period.closed",
        "a run has closed rating periods of a track, up to `last`",
        since="0.1.0",
        payload=("track", "last"),
    )
    TRACK_REPLACED = Declared(
        "track.replaced",
        "a replayed track has taken the place of another",
        since="0.1.0",
        payload=("track", "replaced", "ladder", "shown"),
    )
    TRACK_SHOWN = Declared(
        "track.shown",
        "a ladder shows another track",
        since="0.1.0",
        payload=("track", "replaced", "ladder", "shown"),
    )
