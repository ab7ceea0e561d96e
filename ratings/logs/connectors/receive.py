"""What a server has sent is read, numbered and told, in one transaction with all that must be known to read on.

Senders do not number. So the site does, where it is sure that nothing comes twice: lines that are the same, with the
same time, are one line, and so are pieces of a log that were here. What is known never to have come leaves a number
free, which is waited for and given up as if the server had counted itself.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any

import msgspec
from django.db.models import F

from foundation.metrics import RECEIVED_LINES
from foundation.postgresql.transactions import after_commit, briefly
from ratings.logs.accept import Accepted, accept_events
from ratings.logs.given import GivenEvent
from ratings.models import MatchLog, MatchState, Player, ServerConnector
from ratings.players.enrol import enrol

__all__ = ["Numbering", "Received", "Sending", "is_doubled", "receiving", "told_at"]

Happening = dict[str, Any]
# Lines of which it is known whether they were here: some seconds of a busy server.
_REMEMBERED = 1000
_LONGEST_BATCH = timedelta(hours=1)


class Numbering(msgspec.Struct):
    """Which match is being told, and what was here already.

    match    name of the one that goes on; empty: none does; `last`: of the one before
    matches  how many were begun
    began    the first line of the match by its server's clock, the newest line, as ISO 8601
    recent   digests of lines that were here, the newest last
    batch    name of the sending that was read last
    """

    match: str = ""
    last: str = ""
    matches: int = 0
    number: int = 0
    began: str = ""
    newest: str = ""
    recent: list[str] = []
    batch: str = ""


@dataclass(slots=True)
class Received:
    """What one sending came to; names as those of the columns of `ServerConnector`."""

    received: int = 0
    told: int = 0
    known: int = 0
    unread: int = 0
    late: int = 0
    lost: int = 0
    refused: int = 0
    unreconciled: int = 0


@dataclass(slots=True)
class Sending:
    """One transaction: the connector, which is held, and what is to be told."""

    connector: ServerConnector
    numbering: Numbering
    now: datetime
    counts: Received
    is_over: bool = False
    events: list[GivenEvent] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    def add(self, happened: Happening, at: datetime) -> None:
        """Number what has happened. `lost` leaves a number free; with a number of its own it fills one that is, with
        `of_last` of the match that has just ended.
        """
        own = self.numbering
        match = own.last if happened.pop("of_last", False) else None
        if happened["type"] == "begin":
            own.matches += 1
            own.match, own.number = f"{self.now:%Y-%m-%d-%H%M%S}-{own.matches}", 0
        number = happened.get("number")
        if number is None:
            own.number += 1
            number = own.number
        if happened["type"] == "lost":
            return
        named = {"match": match or own.match, "number": number, "at": min(at, self.now)}
        given = {**happened, **named}
        self.events.append(msgspec.convert(given, GivenEvent))
        if happened["type"] == "end":
            own.last, own.match, own.began = own.match, "", ""


def receiving(
    connector: int, read: Callable[[Sending, dict[str, Any]], dict[str, Any]], batch: str = ""
) -> Received:
    """Hold a connector, let `read` add to a sending what has come, and tell it.

    `read` gets the state that it returned the last time. `batch` names what has come, where it may be handed in again
    after an error of which nobody knows whether it was written.

    Raises ServerConnector.DoesNotExist, ArchivedError, and OperationalError where nothing was written.
    """
    with briefly() as now:
        held = ServerConnector.objects.select_for_update(no_key=True, of=("self",))
        own = held.select_related("server__ladder__game", "server__game").get(pk=connector)
        numbering = msgspec.convert(own.state.get("numbering", {}), Numbering)
        sending = Sending(own, numbering, now, Received())
        if batch and numbering.batch == batch:
            return sending.counts
        numbering.batch = batch
        sending.is_over = bool(numbering.match) and not _goes_on(own, numbering.match)
        state = read(sending, own.state.get("reader", {}))
        if sending.events:
            _tell(sending)
        own.state = {"numbering": msgspec.to_builtins(numbering), "reader": state}
        own.last_received_at = now
        counted = {
            name: F(name) + getattr(sending.counts, name) for name in Received.__dataclass_fields__
        }
        ServerConnector.objects.filter(pk=own.pk).update(
            state=own.state, last_received_at=now, **counted
        )
        after_commit(RECEIVED_LINES.inc, sending.counts.received)
        return sending.counts


def _goes_on(connector: ServerConnector, name: str) -> bool:
    """Whether a match still takes events. Its log is held: silence does not end it meanwhile."""
    log = MatchLog.objects.filter(server=connector.server_id, name=name)
    states = log.select_for_update(no_key=True, of=("self",)).values_list("match__state", flat=True)
    return list(states) in ([], [MatchState.PLAYING])


def _tell(sending: Sending) -> None:
    """Tell what was added; what is refused, such as a name that the site keeps, leaves no gap."""
    server = sending.connector.server
    accepted = accept_events(server, sending.events)
    sending.counts.told += accepted.stored
    places = [sending.events[index] for index in accepted.refused]
    if places:
        sending.counts.refused += len(places)
        accept_events(
            server, [GivenEvent(match=it.match, number=it.number, type="round") for it in places]
        )
    _call_by_name(sending, accepted)


def _call_by_name(sending: Sending, accepted: Accepted) -> None:
    """Whoever is new, and known by a number, is called as it calls itself."""
    if not accepted.stored or not sending.names:
        return
    game = sending.connector.server.game
    unnamed = Player.objects.filter(game=game, external_id__in=sending.names, name=F("external_id"))
    for external_id in unnamed.values_list("external_id", flat=True):
        if sending.names[external_id] not in {"", external_id}:
            enrol(game=game, external_id=external_id, name=sending.names[external_id])


def is_doubled(numbering: Numbering, line: str) -> bool:
    """Whether a line was here, with its time; from now on it was."""
    digest = blake2b(line.encode(errors="surrogatepass"), digest_size=6).hexdigest()
    if digest in numbering.recent:
        return True
    numbering.recent.append(digest)
    del numbering.recent[:-_REMEMBERED]
    return False


def told_at(now: datetime, newest: datetime, stamp: datetime) -> datetime:
    """When a line was written, by our clock: the newest of its sending just now."""
    return now - min(max(newest - stamp, timedelta()), _LONGEST_BATCH)
