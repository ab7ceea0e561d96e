"""A player on game servers: where, and whom it fragged most and by whom it was fragged most. Three queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from leaderboards.logs.servers import public_servers
from leaderboards.logs.told import KINDS, told
from ratings.models import GameServer, Ladder, MatchState, Player

__all__ = ["LATEST", "OnServer", "PlayerOnServers", "Rival", "on_servers"]

# Matches that are looked through: each may have a thousand events.
LATEST = 50
_LATEST = """
SELECT participant.match_id, log.server_id, match.played_at
FROM ratings_participant AS participant
JOIN ratings_match AS match ON match.id = participant.match_id
JOIN ratings_matchlog AS log ON log.match_id = match.id
WHERE participant.player_id = %(player)s AND match.ladder_id = %(ladder)s AND match.state IN (%(playing)s, %(over)s)
ORDER BY participant.match_id DESC LIMIT %(latest)s
"""
# What others did to each other is left out, but for who joined which team.
_CONCERNS = """event.log_id = ANY(%(logs)s) AND (
    event.kind IN (%(join)s, %(leave)s) OR event.player_id IN (SELECT id FROM own)
    OR event.victim_id IN (SELECT id FROM own)
)"""
_RIVALS = f"""
WITH own AS (SELECT id FROM ratings_player WHERE id = %(player)s OR merged_into_id = %(player)s), {told(_CONCERNS)},
duel AS (
    SELECT player = %(player)s AS is_own, CASE WHEN player = %(player)s THEN victim ELSE player END AS other
    FROM told WHERE act = %(frag)s AND counts AND %(player)s IN (player, victim)
)
SELECT is_own, other, count(*) FROM duel GROUP BY is_own, other ORDER BY count(*) DESC, other
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class Rival:
    """Another player, and how many frags there were."""

    player: Player
    frags: int


@dataclass(frozen=True, slots=True)
class OnServer:
    """A server with how many of the latest matches were played there, and when the newest of them began."""

    server: GameServer
    matches: int
    played_at: datetime


@dataclass(frozen=True, slots=True)
class PlayerOnServers:
    """A player in its latest matches on a ladder, `matches` of them.

    victim   whom it fragged most; None for nobody
    nemesis  who fragged it most
    """

    ladder: Ladder
    matches: int
    servers: Sequence[OnServer]
    victim: Rival | None
    nemesis: Rival | None


def on_servers(player: Player, ladder: Ladder) -> PlayerOnServers | None:
    """What a player did on the servers of a public ladder that is rated by events; None before its first match."""
    given: dict[str, Any] = {
        **KINDS,
        "player": player.pk,
        "ladder": ladder.pk,
        "playing": MatchState.PLAYING.value,
        "over": MatchState.CONFIRMED.value,
        "latest": LATEST,
    }
    with connection.cursor() as cursor:
        cursor.execute(_LATEST, given)
        latest = cursor.fetchall()
        if not latest:
            return None
        cursor.execute(_RIVALS, {**given, "logs": [match for match, _server, _at in latest]})
        duels = cursor.fetchall()
    best = {is_own: (other, number) for is_own, other, number in reversed(duels)}
    people = Player.objects.in_bulk([other for other, _number in best.values()])
    rivals = {is_own: Rival(people[other], number) for is_own, (other, number) in best.items()}
    return PlayerOnServers(
        ladder=ladder,
        matches=len(latest),
        servers=_servers(latest),
        victim=rivals.get(True),
        nemesis=rivals.get(False),
    )


def _servers(latest: Sequence[tuple[int, int, datetime]]) -> list[OnServer]:
    """The servers of these matches, where most were played first."""
    numbers: dict[int, int] = {}
    newest: dict[int, datetime] = {}
    for _match, server, at in latest:
        numbers[server] = numbers.get(server, 0) + 1
        newest.setdefault(server, at)
    shown = public_servers().filter(pk__in=numbers)
    found = [OnServer(server, numbers[server.pk], newest[server.pk]) for server in shown]
    return sorted(found, key=lambda it: (-it.matches, it.server.name))
