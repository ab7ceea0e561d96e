"""Which matches statistics of game servers are made of: those that are over, of public ladders of a game, perhaps on
one server, perhaps of the last days alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from leaderboards.logs.servers import public_servers
from ratings.matches.summary import public_tracks
from ratings.models import Game, GameServer, Ladder, MatchLog, MatchState, RatedBy

__all__ = ["OVER", "SPANS", "Selection", "newest_counted", "select_matches"]

# Days of which statistics can be asked for; None: of all the time.
SPANS: tuple[int | None, ...] = (None, 7, 30, 90, 365)
# The first part of a WITH: `over`, the matches. Give `Selection.values` with the statement.
OVER = """
over AS MATERIALIZED (
    SELECT match.id, match.map, match.played_at, match.ended_at, log.server_id AS server
    FROM ratings_match AS match JOIN ratings_matchlog AS log ON log.match_id = match.id
    WHERE match.ladder_id = ANY(%(ladders)s::bigint[]) AND match.state = %(over)s AND log.counted_at IS NOT NULL
      AND (%(server)s::bigint IS NULL OR log.server_id = %(server)s)
      AND (%(since)s::timestamptz IS NULL OR match.ended_at >= %(since)s)
)
"""


@dataclass(frozen=True, slots=True)
class Selection:
    """Matches of a game. `servers` are those that can be chosen, `server` the one that is; None: all of them."""

    game: Game
    ladders: Sequence[Ladder]
    tracks: Sequence[int]
    servers: Sequence[GameServer]
    server: GameServer | None
    days: int | None

    def values(self, now: datetime) -> Mapping[str, Any]:
        """What `OVER` needs."""
        return {
            "ladders": [ladder.pk for ladder in self.ladders],
            "tracks": list(self.tracks),
            "over": MatchState.CONFIRMED.value,
            "server": self.server.pk if self.server else None,
            "since": None if self.days is None else now - timedelta(days=self.days),
        }


def select_matches(game: Game, *, server: str = "", days: int | None = None) -> Selection | None:
    """Matches on the public ladders of a game that are rated by events; None where it has no public server of this
    short name. Three queries.
    """
    ladders = list(Ladder.objects.public().filter(game=game, rated_by=RatedBy.EVENTS))
    tracks = [track.pk for track in public_tracks(ladders).values()]
    servers = list(public_servers(game))
    chosen = next((one for one in servers if one.slug == server), None)
    if server and chosen is None:
        return None
    return Selection(game, ladders, tracks, servers, chosen, days)


def newest_counted(selection: Selection) -> int | None:
    """The newest match that is counted: while it is the same there is hardly anything new. One query."""
    logs = MatchLog.objects.filter(counted_at__isnull=False, match__ladder__in=selection.ladders)
    if selection.server is not None:
        logs = logs.filter(server=selection.server)
    return logs.order_by("-match_id").values_list("match_id", flat=True).first()
