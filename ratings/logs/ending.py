"""How matches that are told event by event end: places by what was counted, minutes by who came and went."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import connection
from django.db.models import Q

from foundation import timekeeping
from foundation.postgresql.transactions import briefly
from ratings.matches.end import Ending, end_matches
from ratings.matches.result import TEAM_SCORES, Result
from ratings.models import (
    RATED_KINDS,
    EventKind,
    LogEvent,
    LogGap,
    MatchLog,
    MatchState,
    Participant,
)

__all__ = ["end_log", "end_silent"]

_BATCH = 20
# Frags and goals, less suicides and team kills; and between which moments somebody was named. A fall is a suicide.
_COUNTED = """
WITH told AS (
    SELECT kind, player_id, victim_id, at, coalesce(weight, 1) AS worth,
           kind = %(suicide)s OR kind = %(frag)s AND (player_id = victim_id OR player_id IS NULL AND guest = '')
           AS is_suicide
    FROM ratings_logevent WHERE log_id = %(log)s AND number <= %(last)s
), counted AS (
    SELECT player_id AS player, at,
           CASE WHEN kind = %(team_kill)s THEN -1
                WHEN is_suicide THEN 0
                WHEN kind IN (%(frag)s, %(capture)s, %(score)s) THEN worth ELSE 0 END AS points
    FROM told WHERE player_id IS NOT NULL
    UNION ALL
    SELECT coalesce(victim_id, player_id), at, -1 FROM told WHERE is_suicide
    UNION ALL
    SELECT victim_id, at, 0 FROM told WHERE victim_id IS NOT NULL
)
SELECT player, sum(points)::float8, min(at), max(at) FROM counted WHERE player IS NOT NULL GROUP BY player
"""


def end_log(log: MatchLog, now: datetime) -> None:
    """Confirm the match of a log, which is held and complete up to its end: from then on it has a result.

    The log was read with its match and that one's ladder and game.
    """
    match = log.match
    members = dict(Participant.objects.filter(match=match).values_list("player_id", "team"))
    ended_at = _ended_at(log) or now
    players = _players(log, ended_at)
    given: Mapping[str, float] = match.extra.get("scores") or {}
    own = {player: points for player, (points, _minutes) in players.items()}
    own |= _own_scores(given, members)
    scores = _team_scores(log.sides, members, own, given)
    if any(name.startswith("=") for name in log.sides):
        match.extra = {
            **match.extra,
            TEAM_SCORES: {str(side): it for side, it in enumerate(scores)},
        }
        match.save(update_fields=["extra"])
    places = sorted(set(scores), reverse=True)
    result = Result(
        ranks=tuple(places.index(score) for score in scores),
        scores=scores,
        player_scores=own,
        minutes={player: minutes for player, (_points, minutes) in players.items()},
        ended_at=ended_at,
    )
    # With nobody to be compared with, and nothing to write into the ledger, it was no match.
    if len(scores) < 2 and not _was_rated(log):
        end_matches([Ending(match, list(members), MatchState.ABANDONED)], now)
    else:
        end_matches([Ending(match, list(members), MatchState.CONFIRMED, result)], now)


def _was_rated(log: MatchLog) -> bool:
    """Whether any event of the log counts: of who is alone that is a fall."""
    told = LogEvent.objects.filter(log=log, number__lte=log.complete_to, counts=True)
    return told.filter(kind__in=RATED_KINDS).exists()


def _own_scores(given: Mapping[str, float], members: Mapping[int, int]) -> dict[int, float]:
    """What the server itself has counted for single players, by their ids in the game."""
    if not given:
        return {}
    named = Participant.objects.filter(player__in=members, player__external_id__in=list(given))
    ids = dict(named.values_list("player__external_id", "player_id"))
    return {ids[name]: score for name, score in given.items() if name in ids}


def _team_scores(
    sides: Sequence[str],
    members: Mapping[int, int],
    own: Mapping[int, float],
    given: Mapping[str, float],
) -> list[float]:
    """What each side counted: as the server says of a team, else all its members together."""
    together: dict[int, float] = defaultdict(float)
    for player, side in members.items():
        together[side] += own.get(player, 0.0)
    return [
        given.get(name[1:], together[side]) if name.startswith("=") else together[side]
        for side, name in enumerate(sides)
    ]


def _ended_at(log: MatchLog) -> datetime | None:
    """When the last event of the log happened."""
    latest = LogEvent.objects.filter(log=log, number__lte=log.complete_to).order_by("-number")
    at = latest.values_list("at", flat=True).first()
    return None if at is None else max(at, log.match.played_at)


def _players(log: MatchLog, ended_at: datetime) -> dict[int, tuple[float, float]]:
    """Points and minutes of everybody who is named."""
    given = {
        "log": log.pk,
        "last": log.complete_to,
        "frag": EventKind.FRAG.value,
        "suicide": EventKind.SUICIDE.value,
        "team_kill": EventKind.TEAM_KILL.value,
        "capture": EventKind.CAPTURE.value,
        "score": EventKind.SCORE.value,
    }
    with connection.cursor() as cursor:
        cursor.execute(_COUNTED, given)
        counted = {player: row for player, *row in cursor.fetchall()}
    visits = _visits(log)
    found: dict[int, tuple[float, float]] = {}
    for player, (points, first, _last) in counted.items():
        found[player] = points, _minutes(visits.get(player, []), first, ended_at)
    return found


def _visits(log: MatchLog) -> dict[int, list[tuple[int, datetime]]]:
    """When each player joined and left, in the order of the log."""
    moves = LogEvent.objects.filter(
        Q(kind__in=[EventKind.JOIN, EventKind.LEAVE]),
        log=log,
        number__lte=log.complete_to,
        player__isnull=False,
    )
    found: dict[int, list[tuple[int, datetime]]] = defaultdict(list)
    for player, kind, at in moves.order_by("number").values_list("player_id", "kind", "at"):
        found[player].append((kind, at))
    return found


def _minutes(moves: Sequence[tuple[int, datetime]], first: datetime, ended_at: datetime) -> float:
    """Minutes between joining and leaving; whoever did something before it joined was there from then on."""
    since: datetime | None = first if not moves or moves[0][0] == EventKind.LEAVE else None
    seconds = 0.0
    for kind, at in moves:
        if kind == EventKind.JOIN:
            since = since or at
        elif since is not None:
            seconds += max(0.0, (at - since).total_seconds())
            since = None
    if since is not None:
        seconds += max(0.0, (ended_at - since).total_seconds())
    return seconds / 60


def end_silent() -> int:
    """End the matches of which their servers have told nothing for long, with what was told; returns how many.

    Correct when run never, once, twice or twice at once. Events that are still missing are given up.
    """
    ended = 0
    while True:
        time = timekeeping.deadlines()
        with briefly() as now:
            is_due = time.are_over(began="match__played_at", ends="match__due_at")
            due = MatchLog.objects.filter(is_due, match__state=MatchState.PLAYING).order_by("pk")
            held = due.select_for_update(skip_locked=True, no_key=True, of=("self",))
            logs = list(held.select_related("match__ladder__game")[:_BATCH])
            for log in logs:
                give_up(log, to=log.highest)
                log.save()
                end_log(log, now)
        ended += len(logs)
        if not logs:
            return ended


def give_up(log: MatchLog, *, to: int) -> None:
    """Wait no longer for events of a log, which is held, that are missing up to a number; not saved."""
    there = LogEvent.objects.filter(log=log, number__gt=log.complete_to, number__lte=to)
    below = log.complete_to
    gaps: list[LogGap] = []
    for number in [*there.order_by("number").values_list("number", flat=True), to + 1]:
        if number > below + 1:
            gaps.append(LogGap(log=log, first=below + 1, last=number - 1))
        below = number
    LogGap.objects.bulk_create(gaps)
    log.complete_to = max(log.complete_to, to)
    if log.complete_to == log.highest:
        log.gap_since = None
