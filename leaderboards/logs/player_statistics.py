"""A player on game servers, in all its matches that are over: figures, weapons and maps, where, and whom it fragged
most and by whom it was fragged most. Five queries.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from leaderboards.logs.servers import public_servers
from leaderboards.logs.statistics import MOST_NAMED, Counts, MapGames, WeaponFrags
from ratings.matches.summary import public_tracks
from ratings.merging.meant import MEANT
from ratings.models import GameServer, Ladder, MatchState, Player

__all__ = ["OnServer", "PlayerOnServers", "Rival", "on_servers"]

_FIGURES = """
SELECT log.server_id, match.map, count(*)::int8, coalesce(sum(tally.frags), 0)::int8,
       coalesce(sum(tally.deaths), 0)::int8, coalesce(sum(tally.suicides), 0)::int8,
       coalesce(sum(participant.minutes), 0)::float8, max(match.played_at)
FROM ratings_participant AS participant
JOIN ratings_match AS match ON match.id = participant.match_id
JOIN ratings_matchlog AS log ON log.match_id = match.id
LEFT JOIN ratings_logtally AS tally
    ON tally.match_id = match.id AND tally.player_id = participant.player_id
    AND tally.track_id = ANY(%(tracks)s::bigint[])
WHERE participant.player_id = %(player)s AND match.ladder_id = %(ladder)s AND match.state = %(over)s
  AND log.counted_at IS NOT NULL
GROUP BY log.server_id, match.map
"""
_MEANT = MEANT.format(at="match.played_at")
# Rows name players as servers did: this one may be meant by several names, and so may the others.
_RIVALS = f"""
WITH own AS (SELECT id FROM ratings_player WHERE id = %(player)s OR merged_into_id = %(player)s), duel AS (
    SELECT log_id, player_id, victim_id, frags FROM ratings_logduel WHERE player_id IN (SELECT id FROM own)
    UNION
    SELECT log_id, player_id, victim_id, frags FROM ratings_logduel WHERE victim_id IN (SELECT id FROM own)
), meant AS (
    SELECT (SELECT {_MEANT} FROM ratings_player AS named WHERE named.id = duel.player_id) AS player,
           (SELECT {_MEANT} FROM ratings_player AS named WHERE named.id = duel.victim_id) AS victim, duel.frags
    FROM duel JOIN ratings_match AS match ON match.id = duel.log_id
    WHERE match.ladder_id = %(ladder)s AND match.state = %(over)s
), rival AS (
    SELECT player = %(player)s AS is_own, CASE WHEN player = %(player)s THEN victim ELSE player END AS other,
           sum(frags)::int8 AS frags
    FROM meant WHERE %(player)s IN (player, victim) AND player <> victim GROUP BY 1, 2
)
SELECT DISTINCT ON (is_own) is_own, other, frags FROM rival ORDER BY is_own, frags DESC, other
"""  # noqa: S608 - constants
_WEAPONS = f"""
WITH own AS (SELECT id FROM ratings_player WHERE id = %(player)s OR merged_into_id = %(player)s)
SELECT used.weapon, sum(used.frags)::int8 AS frags
FROM ratings_logweapon AS used JOIN ratings_match AS match ON match.id = used.log_id
JOIN ratings_player AS named ON named.id = used.player_id
WHERE used.player_id IN (SELECT id FROM own) AND {_MEANT} = %(player)s AND match.ladder_id = %(ladder)s
  AND match.state = %(over)s AND used.weapon <> ''
GROUP BY used.weapon ORDER BY frags DESC, used.weapon LIMIT %(named)s
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class Rival:
    """Another player, and how many frags there were."""

    player: Player
    frags: int


@dataclass(frozen=True, slots=True)
class OnServer:
    """A server, what the player did there, and when the newest of its matches began."""

    server: GameServer
    counts: Counts
    played_at: datetime


@dataclass(frozen=True, slots=True)
class PlayerOnServers:
    """A player in all its matches on the servers of a ladder.

    servers  those that everybody may see, where it has fragged most first
    victim   whom it fragged most; None for nobody
    nemesis  who fragged it most
    """

    ladder: Ladder
    total: Counts
    servers: Sequence[OnServer]
    weapons: Sequence[WeaponFrags]
    maps: Sequence[MapGames]
    victim: Rival | None
    nemesis: Rival | None


def on_servers(player: Player, ladder: Ladder) -> PlayerOnServers | None:
    """What a player did on the servers of a public ladder that is rated by events; None before its first match is
    over, and counted.
    """
    given: dict[str, Any] = {
        "player": player.pk,
        "ladder": ladder.pk,
        "tracks": [track.pk for track in public_tracks([ladder]).values()],
        "over": MatchState.CONFIRMED.value,
        "named": MOST_NAMED,
    }
    with connection.cursor() as cursor:
        cursor.execute(_FIGURES, given)
        figures = cursor.fetchall()
        if not figures:
            return None
        cursor.execute(_RIVALS, given)
        best = {is_own: (other, frags) for is_own, other, frags in cursor.fetchall()}
        cursor.execute(_WEAPONS, given)
        weapons = [WeaponFrags(*row) for row in cursor.fetchall()]
    people = Player.objects.in_bulk([other for other, _frags in best.values()])
    rivals = {is_own: Rival(people[other], frags) for is_own, (other, frags) in best.items()}
    return PlayerOnServers(
        ladder=ladder,
        total=Counts.together(Counts(*counts) for _server, _map, *counts, _at in figures),
        servers=_servers(figures),
        weapons=weapons,
        maps=_maps(figures),
        victim=rivals.get(True),
        nemesis=rivals.get(False),
    )


def _servers(figures: Sequence[tuple[Any, ...]]) -> list[OnServer]:
    counts: dict[int, list[Counts]] = {}
    newest: dict[int, datetime] = {}
    for server, _map, *row, at in figures:
        counts.setdefault(server, []).append(Counts(*row))
        newest[server] = max(at, newest.get(server, at))
    found = [
        OnServer(server, Counts.together(counts[server.pk]), newest[server.pk])
        for server in public_servers().filter(pk__in=counts)
    ]
    return sorted(found, key=lambda it: (-it.counts.frags, -it.counts.matches, it.server.name))


def _maps(figures: Sequence[tuple[Any, ...]]) -> list[MapGames]:
    found: dict[str, list[Counts]] = {}
    for _server, name, *row, _at in figures:
        if name:
            found.setdefault(name, []).append(Counts(*row))
    together = {name: Counts.together(rows) for name, rows in found.items()}
    maps = [MapGames(name, it.matches, it.frags) for name, it in together.items()]
    return sorted(maps, key=lambda it: (-it.matches, it.name))[:MOST_NAMED]
