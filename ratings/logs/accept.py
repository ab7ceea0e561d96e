"""Events received: each stored once, those of a match in the order of their numbers.

Whoever receives holds the logs it adds to, so that nobody else adds to them meanwhile. What is stored is committed
whole: a server that hears nothing sends the same again.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _

from foundation.postgresql.transactions import briefly
from foundation.refusals import RefusedError
from ratings.archiving import ArchivedError
from ratings.logs.ending import end_log
from ratings.logs.given import GivenEvent, KnownTexts, WrongEventError, check_event
from ratings.logs.players import KnownPlayers, add_participants, find_players
from ratings.logs.stored import EventRow, insert_events, numbers_above, stored_events
from ratings.models import GameServer, LogGap, Match, MatchLog, MatchState

__all__ = ["Accepted", "LogPosition", "accept_events", "complete"]

# A clock that is off by more than this is wrong: events are dated now instead. Logs of some days ago may be told.
_AHEAD, _BEHIND = timedelta(seconds=60), timedelta(days=30)
_MOST_MATCHES = 100
# The deadline stands in an index: it is moved on at most so often.
_SELDOM = timedelta(minutes=1)
_COMPLETE = """
SELECT coalesce(max(number), %(after)s) FROM (
    SELECT number, number - row_number() OVER (ORDER BY number) AS island
    FROM ratings_logevent WHERE log_id = %(log)s AND number > %(after)s AND number <= %(highest)s
) AS found WHERE island = %(after)s
"""


class MatchOverError(RefusedError):
    """The match has ended, by an event of a lower number or because nothing came for long."""

    code = "match_over"


class EventGivenUpError(RefusedError):
    """The event was missing for so long that those behind it count without it."""

    code = "event_given_up"


class EventDiffersError(RefusedError):
    """Another event of this number is there."""

    code = "event_differs"


@dataclass(slots=True)
class LogPosition:
    """How far the log of a match is: its match, up to where events are complete, and which are missing below the
    highest that is there, as pairs of first and last.
    """

    match: int
    complete_to: int
    missing: list[tuple[int, int]]
    is_over: bool


@dataclass(slots=True)
class Accepted:
    """What became of events: how many were stored, how many were there already, and what was refused, by place.

    logs  of the matches that were named, by the server's name for them
    """

    stored: int = 0
    known: int = 0
    refused: dict[int, RefusedError] = field(default_factory=dict)
    logs: dict[str, LogPosition] = field(default_factory=dict)


def accept_events(
    server: GameServer,
    given: Sequence[GivenEvent | WrongEventError],
    *,
    server_key: int | None = None,
) -> Accepted:
    """Store what a server tells, in one transaction; whatever is wrong with one event refuses that one only.

    An event that is there already, the same, is counted as known. `server_key`: as of `record_results`.
    Raises ArchivedError where the server, its ladder or its game is archived. The server was read with both.
    """
    answer, sound, texts = Accepted(), dict[int, GivenEvent](), KnownTexts()
    if server.archived_at is not None or server.ladder.is_archived:
        raise ArchivedError(server if server.archived_at else server.ladder, server=server.slug)
    for index, event in enumerate(given):
        error = event if isinstance(event, WrongEventError) else check_event(event, texts)
        if error is not None:
            answer.refused[index] = error
        elif isinstance(event, GivenEvent):
            sound[index] = event
    if not sound:
        return answer
    with briefly() as now:
        logs, elsewhere = _hold_logs(server, sound.values(), now, server_key)
        taken = {index: event for index, event in sound.items() if event.match in elsewhere}
        answer.refused |= {index: elsewhere[event.match] for index, event in taken.items()}
        sound = {index: event for index, event in sound.items() if index not in taken}
        players = find_players(server.game, sound, now)
        for index, why in players.refused.items():
            answer.refused[index] = why
            del sound[index]
        by_log: dict[int, list[int]] = defaultdict(list)
        for index, event in sound.items():
            by_log[logs[event.match].pk].append(index)
        for log in sorted(logs.values(), key=lambda log: log.pk):
            events = {index: sound[index] for index in by_log[log.pk]}
            _add(log, events, players, answer, now)
        # Nothing is woken: every few seconds what has come is rated together, in few rows.
        answer.logs = {name: _position(log) for name, log in logs.items()}
    return answer


def _hold_logs(
    server: GameServer, events: Iterable[GivenEvent], now: datetime, server_key: int | None
) -> tuple[dict[str, MatchLog], dict[str, WrongEventError]]:
    """The logs of these matches, locked, by name, those that are new begin now; and which names are those of others."""
    names = sorted({event.match for event in events})
    refused: dict[str, WrongEventError] = {}
    for name in names[_MOST_MATCHES:]:  # each is held until the others are written
        words = _(
            "match: one request tells of %(most)d matches at most; send the others in another"
        )
        refused[name] = WrongEventError(words % {"most": _MOST_MATCHES}, field="match")
    names = names[:_MOST_MATCHES]
    of_server = MatchLog.objects.filter(server=server, name__in=names)
    there = set(of_server.values_list("name", flat=True))
    for name in names:
        if name not in there and (error := _begin(server, name, now, server_key)) is not None:
            refused[name] = error
    held = of_server.select_for_update(no_key=True, of=("self",)).order_by("pk")
    return {log.name: log for log in held.select_related("match__ladder__game")}, refused


def _begin(
    server: GameServer, name: str, now: datetime, server_key: int | None
) -> WrongEventError | None:
    """Make the match and its log; of two that do it at once the second waits, and finds them."""
    match, is_new = Match.objects.get_or_create(
        game_id=server.game_id,
        external_id=f"{server.slug}/{name}",
        defaults={
            "ladder_id": server.ladder_id,
            "played_at": now,
            "due_at": now + timedelta(minutes=settings.SILENT_SERVER_MINUTES),
            "is_neutral": True,
            "server_key": server_key,
        },
    )
    if not is_new and not MatchLog.objects.filter(match=match).exists():
        words = _("The game has another match of the id %(id)s: name this one differently.")
        return WrongEventError(words % {"id": match.external_id}, field="match")
    MatchLog.objects.get_or_create(
        match=match, defaults={"server": server, "name": name, "last_event_at": now}
    )
    return None


def _add(
    log: MatchLog,
    events: Mapping[int, GivenEvent],
    players: KnownPlayers,
    answer: Accepted,
    now: datetime,
) -> None:
    """Store the events of one log, which is held, and end its match where the last has come."""
    rows = _new_rows(log, events, players, answer, now)
    if not rows:
        return
    insert_events(log.pk, rows)
    answer.stored += len(rows)
    add_participants(log, rows)
    log.highest = max(log.highest, *rows)
    log.last_event_at = now
    complete(log, now)
    changed = ["map", "extra"]
    silent_at = now + timedelta(minutes=settings.SILENT_SERVER_MINUTES)
    if log.match.due_at is not None and log.match.due_at < silent_at - _SELDOM:
        log.match.due_at = silent_at
        changed.append("due_at")
    log.match.save(update_fields=changed)
    log.save()
    if log.ends_with is not None and log.complete_to >= log.ends_with:
        end_log(log, now)


def _new_rows(
    log: MatchLog,
    events: Mapping[int, GivenEvent],
    players: KnownPlayers,
    answer: Accepted,
    now: datetime,
) -> dict[int, EventRow]:
    """Those of the events that are new, by number; the others are answered. What they say of the match is noted."""
    numbers = [event.number for event in events.values()]
    lowest = min(numbers, default=log.highest + 1)
    known = stored_events(log.pk, numbers) if lowest <= log.highest else {}
    given_up = _given_up(log, numbers) if lowest <= log.complete_to else set()
    rows: dict[int, EventRow] = {}
    for index, event in sorted(events.items(), key=lambda it: it[1].number):
        row = players.row(event, _moment(event, now))
        there = known.get(event.number) or rows.get(event.number)
        if there is not None and there.is_same(row):
            answer.known += 1
            continue
        if (error := _refusal(log, event, rows, given_up, is_there=there is not None)) is not None:
            answer.refused[index] = error
            continue
        rows[event.number] = row
        if event.type == "end":
            log.ends_with = event.number
        if event.map:
            log.match.map = event.map
        if event.scores is not None:
            log.match.extra = {**log.match.extra, "scores": event.scores}
    return rows


def _refusal(
    log: MatchLog,
    event: GivenEvent,
    rows: Mapping[int, EventRow],
    given_up: Collection[int],
    *,
    is_there: bool,
) -> RefusedError | None:
    """Why an event is not added to a log; None where it is. `rows` are those that are, of lower numbers."""
    if is_there:
        words = _("Another event %(number)d of match %(match)s is there already.")
        return EventDiffersError(words % _named(event))
    if event.number in given_up:
        words = _("Event %(number)d of match %(match)s was given up: it came too late.")
        return EventGivenUpError(words % _named(event))
    is_over = log.ends_with is not None and event.number > log.ends_with
    if is_over or log.match.state != MatchState.PLAYING:
        words = _("Match %(match)s is over: event %(number)d is not taken.")
        return MatchOverError(words % _named(event))
    if event.type == "end" and event.number < max(log.highest, *rows, 0):
        words = _("number: the event that ends a match has the highest number of it")
        return WrongEventError(words, field="number")
    return None


def _named(event: GivenEvent) -> dict[str, object]:
    return {"number": event.number, "match": event.match}


def complete(log: MatchLog, now: datetime) -> None:
    """Look how far the events of a log, which is held, are complete; not saved."""
    with connection.cursor() as cursor:
        cursor.execute(_COMPLETE, {"log": log.pk, "after": log.complete_to, "highest": log.highest})
        log.complete_to = cursor.fetchone()[0]
    is_whole = log.complete_to == log.highest
    log.gap_since = None if is_whole else log.gap_since or now


def _moment(event: GivenEvent, now: datetime) -> datetime:
    if event.at is None or not now - _BEHIND <= event.at <= now + _AHEAD:
        return now
    return event.at


def _given_up(log: MatchLog, numbers: Collection[int]) -> set[int]:
    """Which of these numbers of a log will not be waited for any more."""
    gaps = LogGap.objects.filter(log=log, first__lte=max(numbers), last__gte=min(numbers))
    found = list(gaps.values_list("first", "last"))
    return {n for n in numbers if any(first <= n <= last for first, last in found)}


def _position(log: MatchLog) -> LogPosition:
    missing: list[tuple[int, int]] = []
    if log.highest > log.complete_to:
        there = numbers_above(log.pk, log.complete_to)
        below = log.complete_to
        for number in there:
            if number > below + 1:
                missing.append((below + 1, number - 1))
            below = number
    return LogPosition(
        log.match_id, log.complete_to, missing[:100], log.match.state != MatchState.PLAYING
    )
