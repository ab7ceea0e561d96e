"""Participations that come to count for another player: who they are of changes, and what hangs on that."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import OperationalError, connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from psycopg import errors

from foundation.postgresql.lease import DEADLINE_SECONDS, hold_firmly
from foundation.postgresql.locks import Lock
from ratings.merging.refusals import GameBusyError
from ratings.models import OPEN, Ladder, Match, MatchState, Participant, Player
from ratings.runs.sequence import sequence_confirmed

__all__ = ["Moved", "game_held", "move_back", "move_to", "moving_matches"]

# Seconds for which all ladders of a game are waited for, together: short transactions wait for each row as long.
PATIENCE = 5
_LIMITS = f"""
SET LOCAL lock_timeout = '{PATIENCE}s'; SET LOCAL idle_in_transaction_session_timeout = '{DEADLINE_SECONDS}s'
"""
# To be formatted with what is set, and which participations: those of `from`, who is of them no more afterwards.
# How often maps were played is counted up to a number of the sequence.
_MOVE = """
WITH moved AS (
    UPDATE ratings_participant AS participant SET player_id = %(to)s, reported_as_id = {reported_as}
    FROM ratings_match AS match
    WHERE match.id = participant.match_id AND participant.player_id = %(from)s AND {which}
    RETURNING match.id, match.ladder_id, match.state, match.ladder_seq, match.map
), reports AS (
    UPDATE ratings_report AS report SET player_id = %(to)s
    FROM moved WHERE report.match_id = moved.id AND report.player_id = %(from)s
), statements AS (
    UPDATE ratings_statement AS statement SET player_id = %(to)s
    FROM moved WHERE statement.match_id = moved.id AND statement.player_id = %(from)s
), on_maps AS (
    SELECT moved.ladder_id, moved.map, count(*) AS games
    FROM moved JOIN ratings_ladder AS ladder ON ladder.id = moved.ladder_id
    WHERE moved.state = 'confirmed' AND moved.map <> '' AND moved.ladder_seq <= ladder.maps_counted_seq
    GROUP BY moved.ladder_id, moved.map
), taken AS (
    UPDATE ratings_mapgames AS known SET games = known.games - on_maps.games
    FROM on_maps
    WHERE known.player_id = %(from)s AND known.ladder_id = on_maps.ladder_id AND known.map = on_maps.map
), given AS (
    INSERT INTO ratings_mapgames AS known (player_id, ladder_id, map, games)
    SELECT %(to)s, ladder_id, map, games FROM on_maps
    ON CONFLICT (player_id, ladder_id, map) DO UPDATE SET games = known.games + excluded.games
)
SELECT ladder_id, count(*), min(ladder_seq) FILTER (WHERE state = 'confirmed') FROM moved GROUP BY ladder_id
"""
_TO = _MOVE.format(
    reported_as="%(from)s",
    which="""
    (%(since)s::timestamptz IS NULL OR match.played_at >= %(since)s) AND NOT EXISTS (
        SELECT FROM ratings_participant AS other WHERE other.match_id = match.id AND other.player_id = %(to)s
    )""",
)
_BACK = _MOVE.format(reported_as="NULL", which="participant.reported_as_id = %(to)s")


@dataclass(frozen=True, slots=True)
class Moved:
    """How many matches have changed hands, and the first number of each ladder's sequence that is rated otherwise."""

    matches: int
    first: Mapping[int, int]

    def with_numbers(self, matches: Iterable[Match]) -> dict[int, int]:
        """The same first numbers, with those of further matches."""
        first = dict(self.first)
        for match in matches:
            if (seq := match.ladder_seq) is not None:
                first[match.ladder_id] = min(first.get(match.ladder_id, seq), seq)
        return first


@contextmanager
def game_held(game_id: int, player_ids: Sequence[int]) -> Iterator[dict[int, Player]]:
    """Enter a transaction that holds still whatever counts in a game, and these players, given as they are then.

    Inside every confirmed match of the game has its number, and none of these players' gets a result meanwhile.
    Raises GameBusyError where others hold some of it for seconds: who waits for the rest meanwhile has to go on.
    """
    try:
        with transaction.atomic():
            yield _hold(game_id, player_ids)
    except OperationalError as error:
        if not isinstance(error.__cause__, errors.LockNotAvailable):
            raise
        raise GameBusyError from error


def _hold(game_id: int, player_ids: Sequence[int]) -> dict[int, Player]:
    """The locks of all ladders, for a match on any of them may be written down now; then the rows."""
    ladders = list(Ladder.objects.filter(game=game_id).order_by("pk").values_list("pk", flat=True))
    until = time.monotonic() + PATIENCE
    for ladder in ladders:
        hold_firmly(Lock.LADDER, ladder, until=until)
    _wait_briefly()
    rows = Player.objects.select_for_update(no_key=True, of=("self",)).select_related("game")
    players = rows.filter(pk__in=player_ids).order_by("pk").in_bulk()
    undecided = Match.objects.filter(
        Q(state__in=[*OPEN, MatchState.DISPUTED]), participants__player__in=player_ids
    )
    held = Match.objects.filter(pk__in=undecided.values("pk")).order_by("pk")
    list(held.select_for_update(no_key=True).values_list("pk"))
    for ladder in ladders:
        sequence_confirmed(ladder)
    _wait_briefly()  # as before: what holds a ladder ends such limits
    return players


def _wait_briefly() -> None:
    """Let no further statement wait for rows for long while all these locks are held."""
    with connection.cursor() as cursor:
        cursor.execute(_LIMITS)


def moving_matches(player: Player, into: Player, since: datetime | None) -> QuerySet[Match]:
    """Those that `move_to` lets count for another."""
    of_other = Participant.objects.filter(match=OuterRef("pk"), player=into)
    own = Participant.objects.filter(player=player).values("match")
    matches = Match.objects.filter(~Exists(of_other), pk__in=own)
    return matches if since is None else matches.filter(played_at__gte=since)


def move_to(*, player: Player, into: Player, since: datetime | None) -> Moved:
    """Let a player's matches from a moment on count for another, but those in which that one takes part as well."""
    return _move(_TO, {"from": player.pk, "to": into.pk, "since": since})


def move_back(*, player: Player, into: Player) -> Moved:
    """Let everything that was reported under a player, and counts for the other, be its own again."""
    return _move(_BACK, {"from": into.pk, "to": player.pk})


def _move(statement: str, given: Mapping[str, Any]) -> Moved:
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
        rows = cursor.fetchall()
    return Moved(sum(row[1] for row in rows), {row[0]: row[2] for row in rows if row[2]})
