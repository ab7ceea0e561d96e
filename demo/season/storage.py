"""Writing a simulated season down: players in one go, matches through a staging table."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from django.db import connection, transaction
from numpy.typing import NDArray

from demo.league import found_league
from demo.maps import MAPS
from demo.models import SimulatedPlayer
from demo.season.matches import STATES, Season
from foundation import clock
from foundation.postgresql.bulk import copy_in, to_micros
from people.models import Friendship
from ratings.models import Game, Ladder, Player, name_columns

__all__ = ["write"]

_NAMES = ("", *MAPS)

_STAGE = """
CREATE TEMPORARY TABLE demo_season (
    match int8 DEFAULT nextval(pg_get_serial_sequence('ratings_match', 'id')), ladder int8, number int8,
    began timestamptz, ended timestamptz, decided timestamptz, leaver int8, map int8, state int8
) ON COMMIT DROP;
CREATE TEMPORARY TABLE demo_participant (number int8, line int8, player int8, team int8, rank int8) ON COMMIT DROP
"""
# Who won, and that anybody did, is known of confirmed matches only.
_MATCHES = """
INSERT INTO ratings_match
    (id, ladder_id, game_id, external_id, state, map, played_at, ended_at, confirmed_at, extra)
SELECT match, ladder, %(game)s, 'season-' || lpad(number::text, 6, '0'), (%(states)s::text[])[state + 1],
    (%(maps)s::text[])[map + 1], began,
    CASE WHEN (%(states)s::text[])[state + 1] IN ('confirmed', 'disputed') THEN ended END,
    CASE WHEN (%(states)s::text[])[state + 1] = 'confirmed' THEN decided END, '{}'
FROM demo_season ORDER BY match
"""
_PARTICIPANTS = """
INSERT INTO ratings_participant (match_id, player_id, team, rank, character, left_early)
SELECT match, player, team, CASE WHEN is_known THEN rank END, '', is_known AND player = leaver
FROM (SELECT *, (%(states)s::text[])[state + 1] = 'confirmed' AS is_known FROM demo_season) AS played
JOIN demo_participant USING (number)
ORDER BY match, line
"""
# One of the first team and one of the second say both that they won.
_REPORTS = """
INSERT INTO ratings_report (match_id, player_id, outcome, left_early, at)
SELECT DISTINCT ON (match, team) match, player, 'won', false, CASE team WHEN 0 THEN ended ELSE decided END
FROM demo_season JOIN demo_participant USING (number)
WHERE (%(states)s::text[])[state + 1] = 'disputed' AND team < 2
ORDER BY match, team, line
"""


def write(season: Season, *, now: datetime) -> list[Ladder]:
    """Make the league with its players and everything they played until `now`; gives its ladders.

    One transaction: a season is there whole or not at all. Its matches wait for their number in the sequence.
    """
    start = now - timedelta(seconds=season.length)
    with transaction.atomic(), clock.at(start):
        game, ladders = found_league()
        players = _write_players(season, game, start)
        with connection.cursor() as cursor:
            cursor.execute(_STAGE)
            ids = np.array([player.pk for player in players])
            copy_in("demo_season", _matches(season, ladders, ids, start))
            # Who played them.
            rows = [
                (number, who, team, rank)
                for number, match in enumerate(season.matches, start=1)
                for team, (members, rank) in enumerate(zip(match.teams, match.ranks, strict=True))
                for who in members
            ]
            number, who, team, rank = np.array(rows, dtype=np.int64).T
            participants = {"number": number, "line": np.arange(len(rows)), "player": ids[who]}
            copy_in("demo_participant", {**participants, "team": team, "rank": rank})
            values: dict[str, Any] = {"game": game.pk, "states": list(STATES), "maps": list(_NAMES)}
            for statement in (_MATCHES, _PARTICIPANTS, _REPORTS):
                cursor.execute(statement, values)
    return ladders


def _write_players(season: Season, game: Game, start: datetime) -> list[Player]:
    people = season.people
    came = np.where(people.arrives > 1.0, 0.0, people.arrives) * season.length
    players = Player.objects.bulk_create(
        Player(
            game=game,
            external_id=f"sim-{number + 1:04}",
            **name_columns(name),
            created_at=start + timedelta(seconds=came[number]),
        )
        for number, name in enumerate(people.name)
    )
    SimulatedPlayer.objects.bulk_create(
        SimulatedPlayer(
            player=player,
            strength=season.strength[number],
            activity=0.0 if people.leaves[number] < 1.0 else people.activity[number],
            manners=people.manners[number],
        )
        for number, player in enumerate(players)
    )
    # Who play together often are friends.
    pairs = [(one, int(other)) for one, other in enumerate(people.friend) if one < other]
    Friendship.objects.bulk_create(
        Friendship(
            low=players[one], high=players[other], by_low=True, asked_at=start, agreed_at=start
        )
        for one, other in pairs
    )
    return players


def _matches(
    season: Season, ladders: Sequence[Ladder], ids: NDArray[np.int64], start: datetime
) -> dict[str, NDArray[Any]]:
    """The matches as columns of the staging table; moments in microseconds since 2000."""

    def column(name: str) -> NDArray[Any]:
        return np.array([getattr(match, name) for match in season.matches])

    def moments(name: str) -> NDArray[Any]:
        return to_micros(start) + np.round(column(name) * 1e6).astype(np.int64)

    leaver = np.array([-1 if match.left is None else ids[match.left] for match in season.matches])
    return {
        "ladder": np.array([ladder.pk for ladder in ladders])[column("ladder")],
        "number": np.arange(1, len(season.matches) + 1),
        **{name: moments(name) for name in ("began", "ended", "decided")},
        "leaver": leaver,
        "map": np.array([_NAMES.index(match.map) for match in season.matches]),
        "state": np.array([STATES.index(match.state) for match in season.matches]),
    }
