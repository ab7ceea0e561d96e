"""Game servers in public: what is played on each, who plays there most. Those of normal mode are shown nowhere: from
who met whom their hidden ratings could be reckoned.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from leaderboards.matches.lists import MatchLine, lines_of
from ratings.matches.summary import with_people
from ratings.models import (
    EventKind,
    Game,
    GameServer,
    Ladder,
    LogEvent,
    Match,
    MatchLog,
    MatchState,
    Mode,
    Player,
    RatingTrack,
    ServerConnector,
)

__all__ = [
    "ActivePlayer",
    "PlayedMatch",
    "ServerCard",
    "cards_of_servers",
    "connector_of",
    "is_public",
    "most_active",
    "newest_logs",
    "past_lines",
    "playing_on",
    "public_servers",
]

# Who plays most is asked of so many of a server's latest matches.
LATEST = 100
_MOST_ACTIVE = 10
_GOING_ON = 6
# For each server its newest match, and of those that are being played the newest one with how many take part.
_CARDS = """
SELECT server.id, newest.match_id, newest.last_event_at, playing.match_id, playing.map, playing.players
FROM unnest(%(servers)s::bigint[]) AS server (id)
LEFT JOIN LATERAL (
    SELECT log.match_id, log.last_event_at
    FROM ratings_matchlog AS log JOIN ratings_match AS match ON match.id = log.match_id
    WHERE log.server_id = server.id AND match.ladder_id = ANY(%(ladders)s)
    ORDER BY log.match_id DESC LIMIT 1
) AS newest ON true
LEFT JOIN LATERAL (
    SELECT match.id AS match_id, match.map,
           (SELECT count(*) FROM ratings_participant AS one WHERE one.match_id = match.id) AS players
    FROM ratings_match AS match JOIN ratings_matchlog AS log ON log.match_id = match.id
    WHERE match.state = %(playing)s AND log.server_id = server.id AND match.ladder_id = ANY(%(ladders)s)
    ORDER BY match.id DESC LIMIT 1
) AS playing ON true
"""
_ACTIVE = """
WITH latest AS (
    SELECT match.id
    FROM ratings_matchlog AS log JOIN ratings_match AS match ON match.id = log.match_id
    WHERE log.server_id = %(server)s AND match.ladder_id = ANY(%(ladders)s) AND match.state IN (%(playing)s, %(over)s)
    ORDER BY log.match_id DESC LIMIT %(latest)s
)
SELECT participant.player_id, count(*) AS matches, coalesce(sum(tally.frags), 0)::int8 AS frags,
       coalesce(sum(tally.deaths), 0)::int8, sum(participant.minutes)
FROM latest JOIN ratings_participant AS participant ON participant.match_id = latest.id
LEFT JOIN ratings_logtally AS tally
    ON tally.match_id = latest.id AND tally.player_id = participant.player_id AND tally.track_id = ANY(%(tracks)s)
GROUP BY participant.player_id ORDER BY matches DESC, frags DESC, participant.player_id LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class ServerCard:
    """A server at a glance. `playing` is the number of the match that is being played there; None: nobody plays."""

    server: GameServer
    newest: int | None
    last_event_at: datetime | None
    playing: int | None
    map: str
    players: int


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that is being played: who is there, and who has left."""

    match: Match
    last_event_at: datetime
    present: Sequence[Player]
    gone: Sequence[Player]


@dataclass(frozen=True, slots=True)
class ActivePlayer:
    """What somebody did in the latest matches of a server; `minutes` of those that are over, None without any."""

    player: Player
    matches: int
    frags: int
    deaths: int
    minutes: float | None


def public_servers(game: Game | None = None) -> QuerySet[GameServer]:
    """Servers that everybody may see, of one game or of all, with ladders and games."""
    servers = GameServer.objects.in_use().filter(ladder__mode=Mode.RANKED)
    if game is not None:
        servers = servers.filter(game=game)
    servers = servers.select_related("ladder__game", "game", "connector").defer("connector__state")
    return servers.order_by("name", "pk")


def connector_of(server: GameServer) -> ServerConnector | None:
    """How a server is heard that sends of its own accord; None for one that calls the API. Read with it: no query."""
    return getattr(server, "connector", None)


def is_public(server: GameServer) -> bool:
    """Whether a server, read with ladder and game, is one of them."""
    ladder = server.ladder
    return server.archived_at is None and ladder.mode == Mode.RANKED and not ladder.is_archived


def cards_of_servers(servers: Sequence[GameServer], ladders: Iterable[int]) -> list[ServerCard]:
    """The cards of servers, in their order; only matches of these public ladders are in them. One query."""
    if not servers:
        return []
    given: dict[str, Any] = {
        "servers": [server.pk for server in servers],
        "ladders": list(ladders),
        "playing": MatchState.PLAYING.value,
    }
    with connection.cursor() as cursor:
        cursor.execute(_CARDS, given)
        found = {pk: row for pk, *row in cursor.fetchall()}
    cards = []
    for server in servers:
        newest, at, playing, played_on, players = found[server.pk]
        cards.append(ServerCard(server, newest, at, playing, played_on or "", players or 0))
    return cards


def newest_logs(server: GameServer, ladders: Iterable[int], count: int) -> list[MatchLog]:
    """The newest logs of a server with their matches, of these ladders, the newest first. One query."""
    logs = MatchLog.objects.filter(server=server, match__ladder__in=list(ladders))
    return list(logs.select_related("match").order_by("-match_id")[:count])


def playing_on(logs: Sequence[MatchLog]) -> list[PlayedMatch]:
    """Those of the logs whose matches are being played, with who is there. Four queries at most."""
    going_on = {log.match_id: log for log in logs if log.match.state == MatchState.PLAYING}
    going_on = dict(list(going_on.items())[:_GOING_ON])
    if not going_on:
        return []
    moves = LogEvent.objects.filter(
        log__in=going_on, kind__in=[EventKind.JOIN, EventKind.LEAVE], player__isnull=False
    )
    last = moves.order_by("log_id", "player_id", "-number").distinct("log_id", "player_id")
    gone = {
        (log, player)
        for log, player, kind in last.values_list("log_id", "player_id", "kind")
        if kind == EventKind.LEAVE
    }
    found = []
    for match in with_people(Match.objects.filter(pk__in=going_on)).order_by("-pk"):
        people = [one.player for one in match.participants.all()]
        found.append(
            PlayedMatch(
                match,
                going_on[match.pk].last_event_at,
                [one for one in people if (match.pk, one.pk) not in gone],
                [one for one in people if (match.pk, one.pk) in gone],
            )
        )
    return found


def past_lines(logs: Sequence[MatchLog], tracks: Mapping[int, RatingTrack]) -> list[MatchLine]:
    """Those of the logs whose matches are over, as lines of a list, the newest first."""
    over = [log.match_id for log in logs if log.match.state == MatchState.CONFIRMED]
    matches = with_people(Match.objects.filter(pk__in=over)).order_by("-pk") if over else []
    return lines_of(list(matches), tracks)


def most_active(
    server: GameServer, ladders: Collection[Ladder], tracks: Mapping[int, RatingTrack]
) -> list[ActivePlayer]:
    """Who took part most often in the latest matches of a server on these ladders. Two queries."""
    given: dict[str, Any] = {
        "server": server.pk,
        "ladders": [ladder.pk for ladder in ladders],
        "tracks": [track.pk for track in tracks.values()],
        "playing": MatchState.PLAYING.value,
        "over": MatchState.CONFIRMED.value,
        "latest": LATEST,
        "most": _MOST_ACTIVE,
    }
    with connection.cursor() as cursor:
        cursor.execute(_ACTIVE, given)
        rows = cursor.fetchall()
    players = Player.objects.in_bulk([pk for pk, *_counts in rows]) if rows else {}
    return [ActivePlayer(players[pk], *counts) for pk, *counts in rows]
