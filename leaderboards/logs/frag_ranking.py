"""One ranking of everybody by who fragged whom how often, over the matches of game servers in a span.

Computed when it is asked for, from rows of pairs, of the latest matches at most: the work is bounded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.db import connection

from leaderboards.logs.selection import OVER, Selection
from ratings.merging.meant import MEANT
from ratings.models import Player
from ratings.systems.static_ranking import FragMatrix, Ranking, rank, thin_to_core

__all__ = ["CORES", "MOST_MATCHES", "FragRanking", "RankedGroup", "RankedPlayer", "rank_frags"]

# The latest of the matches that were selected: so many of ten players take half a second.
MOST_MATCHES = 5_000
# Frags that every two of a core must have between them; None: everybody is ranked.
CORES: tuple[int | None, ...] = (None, 5, 20, 50)
_SAME = 1e-12
_PAIRS = f"""
WITH {OVER}, latest AS (
    SELECT id, played_at FROM over ORDER BY id DESC LIMIT %(latest)s
), duel AS (
    SELECT {MEANT.format(at="latest.played_at").replace("named", "killer")} AS player,
           {MEANT.format(at="latest.played_at").replace("named", "killed")} AS victim, duel.frags
    FROM latest JOIN ratings_logduel AS duel ON duel.log_id = latest.id
    JOIN ratings_player AS killer ON killer.id = duel.player_id
    JOIN ratings_player AS killed ON killed.id = duel.victim_id
)
SELECT (SELECT count(*) FROM over),
       (SELECT json_agg(json_build_array(player, victim, frags)) FROM (
           SELECT player, victim, sum(frags)::int8 AS frags FROM duel WHERE player <> victim GROUP BY player, victim
        ) AS pair)
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A player with its place in its group, from 1; equals share one.

    value  difference of two: the difference of frags to expect of them, as a share of all between them
    met    opponents met
    """

    place: int
    player: Player
    value: float
    met: int
    frags: int
    deaths: int


@dataclass(frozen=True, slots=True)
class RankedGroup:
    """Players who are connected by frags, best first: only they can be compared. `players` may be more than `rows`."""

    number: int
    players: int
    rows: Sequence[RankedPlayer]


@dataclass(frozen=True, slots=True)
class FragRanking:
    """Everybody's place.

    groups        the largest first; without those whose players are beyond what was asked for
    players       how many are ranked, in `group_count` groups
    outside_core  how many are not, as they have met too few of the others often enough
    matches       how many were looked at; `is_cut`: there are more, older ones
    misfit        how far single pairs are from what the ranking says of them: root mean square
    """

    groups: Sequence[RankedGroup]
    players: int
    group_count: int
    outside_core: int
    matches: int
    is_cut: bool
    misfit: float

    @property
    def left_out(self) -> int:
        """Players who are ranked and not named."""
        return self.players - sum(len(group.rows) for group in self.groups)


def rank_frags(
    selection: Selection,
    *,
    now: datetime,
    core: int | None = None,
    by_frags: bool = True,
    most: int = 200,
) -> FragRanking:
    """Rank the players of the matches that were selected; `most` of them are named. Two queries.

    core      only those of whom every two have so many frags between them
    by_frags  a pair counts as much as it has frags; without it, each pair alike
    """
    given = {**selection.values(now), "latest": MOST_MATCHES}
    with connection.cursor() as cursor:
        cursor.execute(_PAIRS, given)
        matches, pairs = cursor.fetchone()
    table = np.array(pairs or [], dtype=np.int64).reshape(-1, 3)
    ids, places = np.unique(table[:, :2], return_inverse=True)
    places = places.reshape(-1, 2)
    matrix = FragMatrix.of(places[:, 0], places[:, 1], table[:, 2], players=len(ids))
    everybody = len(ids)
    if core is not None:
        chosen = thin_to_core(matrix, frags=core)
        ids, matrix = ids[chosen], matrix.take(chosen)
    ranking = rank(matrix, weigh_by_frags=by_frags)
    return FragRanking(
        groups=_groups(ids.tolist(), ranking, most),
        players=len(ids),
        group_count=len(np.unique(ranking.component)),
        outside_core=everybody - len(ids),
        matches=min(matches, MOST_MATCHES),
        is_cut=matches > MOST_MATCHES,
        misfit=ranking.misfit,
    )


def _groups(ids: Sequence[int], ranking: Ranking, most: int) -> list[RankedGroup]:
    """The groups of the first `most` players, with these."""
    named = ranking.order[:most].tolist()
    people = Player.objects.in_bulk([ids[one] for one in named]) if named else {}
    sizes = np.bincount(ranking.component) if len(ranking) else np.zeros(0, dtype=np.int64)
    groups: dict[int, list[RankedPlayer]] = {}
    for one in named:
        rows = groups.setdefault(int(ranking.component[one]), [])
        value = float(ranking.value[one])
        is_tied = bool(rows) and abs(rows[-1].value - value) < _SAME
        rows.append(
            RankedPlayer(
                place=rows[-1].place if is_tied else len(rows) + 1,
                player=people[ids[one]],
                value=value,
                met=int(ranking.met[one]),
                frags=int(ranking.frags[one]),
                deaths=int(ranking.deaths[one]),
            )
        )
    return [
        RankedGroup(number=group + 1, players=int(sizes[group]), rows=rows)
        for group, rows in groups.items()
    ]
