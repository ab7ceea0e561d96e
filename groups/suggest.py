"""Whom and which groups a player may like: worked out when it asks, from its own last matches and its own words.

Nothing that somebody else has said of anybody is read here, so no suggestion tells of it. What the player itself did
not enjoy is left out; so is whoever is not open to being asked, as a refusal would be.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from foundation.postgresql.transactions import briefly
from groups.held import hold_player
from groups.models import Group, SuggestionWish
from groups.read import groups_by_ids
from groups.rules import rules_of
from matchmaking.avoid_list import avoided_by
from people.may import askable
from people.ties import friends_of
from ratings.models import Player, SuspendedFrom
from ratings.sanctions import suspended

__all__ = [
    "LOOKS_BACK",
    "Suggested",
    "SuggestedGroup",
    "SuggestedPlayer",
    "choose",
    "suggestions_for",
    "wants",
]

LOOKS_BACK = 200  # own matches, the last
_OFTEN = 3  # matches together from which somebody is suggested who was not said to be liked
_CANDIDATES, _MOST = 100, 12
_SEVERAL = 2  # of those whom the player liked, in a group that is suggested

# Row by row through indexes, whatever is thought of the size of tables: a plan for small ones reads all matches for
# each player who was met.
_MET = """
WITH mine AS MATERIALIZED (
    SELECT match_id FROM ratings_participant WHERE player_id = %(player)s AND NOT playing
    ORDER BY match_id DESC LIMIT %(back)s
), played AS MATERIALIZED (
    SELECT match_id FROM mine
    WHERE (SELECT state FROM ratings_match WHERE id = mine.match_id) <> 'aborted'
), met AS MATERIALIZED (
    SELECT other.player_id AS player, count(*) AS matches
    FROM played CROSS JOIN LATERAL (
        SELECT player_id FROM ratings_participant
        WHERE match_id = played.match_id AND player_id <> %(player)s OFFSET 0
    ) AS other
    GROUP BY other.player_id
), judged AS MATERIALIZED (
    SELECT met.player, met.matches, (
        SELECT enjoyed FROM matchmaking_feedback WHERE author_id = %(player)s AND subject_id = met.player
    ) AS enjoyed
    FROM met
)
SELECT player, matches, coalesce(enjoyed, false)
FROM judged
WHERE enjoyed IS NOT FALSE AND (enjoyed OR matches >= %(often)s) AND EXISTS (
    SELECT FROM ratings_player
    WHERE id = judged.player AND kind = 'person' AND merged_into_id IS NULL AND archived_at IS NULL OFFSET 0
)
ORDER BY coalesce(enjoyed, false) DESC, matches DESC, player DESC
LIMIT %(most)s
"""
_GROUPS = """
WITH several AS MATERIALIZED (
    SELECT group_id AS id, count(*) AS liked FROM groups_membership WHERE player_id = ANY(%(liked)s::bigint[])
    GROUP BY group_id HAVING count(*) >= %(several)s
), visible AS MATERIALIZED (
    SELECT id, liked FROM several
    WHERE EXISTS (
        SELECT FROM groups_group
        WHERE id = several.id AND access = 'open' AND (game_id = %(game)s OR game_id IS NULL) OFFSET 0
    )
    AND NOT EXISTS (SELECT FROM groups_membership WHERE group_id = several.id AND player_id = %(player)s OFFSET 0)
    AND NOT EXISTS (SELECT FROM groups_removal WHERE group_id = several.id AND player_id = %(player)s OFFSET 0)
), apart AS MATERIALIZED (
    -- Its own blocks alone: an open group that is not suggested would tell of those by others.
    SELECT blocked_id AS player FROM people_block WHERE player_id = %(player)s
)
SELECT id, liked FROM visible
WHERE NOT EXISTS (
    SELECT FROM groups_membership WHERE group_id = visible.id AND player_id IN (SELECT player FROM apart) OFFSET 0
)
ORDER BY liked DESC, id DESC
LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class SuggestedPlayer:
    """Somebody with whom the player might want to be friends. `liked`: as it said itself."""

    player: Player
    matches: int
    liked: bool


@dataclass(frozen=True, slots=True)
class SuggestedGroup:
    """An open group, with its size, and how many are in it whom the player liked."""

    group: Group
    size: int
    liked: int


@dataclass(frozen=True, slots=True)
class Suggested:
    """What is suggested to one player."""

    players: Sequence[SuggestedPlayer] = ()
    groups: Sequence[SuggestedGroup] = ()


def wants(player_id: int) -> bool:
    """Whether the player wants suggestions. One query."""
    return SuggestionWish.objects.filter(player=player_id).exists()


def choose(*, player: Player, wanted: bool) -> None:
    """Want suggestions, or no longer; the same again changes nothing. Raises PlayerGoneError."""
    with briefly():
        hold_player(player.pk)
        if wanted:
            SuggestionWish.objects.get_or_create(player=player)
        else:
            SuggestionWish.objects.filter(player=player).delete()


def suggestions_for(player: Player) -> Suggested:
    """What is suggested now; nothing to whoever does not want it. Eleven queries, however much was played."""
    if not wants(player.pk) or not rules_of(player.game_id).suggests:
        return Suggested()
    given = {"player": player.pk, "back": LOOKS_BACK, "often": _OFTEN, "most": _CANDIDATES}
    with connection.cursor() as cursor:
        cursor.execute(_MET, given)
        met: list[tuple[int, int, bool]] = cursor.fetchall()
    return Suggested(_players(player, met), _groups(player, [pk for pk, _n, liked in met if liked]))


def _players(player: Player, met: Sequence[tuple[int, int, bool]]) -> list[SuggestedPlayer]:
    known = {one.other.pk for one in friends_of(player.pk)}
    known |= set(avoided_by(player.pk).values_list("avoided", flat=True))
    others = [row for row in met if row[0] not in known]
    open_to = askable(player.pk, [pk for pk, _matches, _liked in others])
    open_to -= set(suspended(open_to, SuspendedFrom.PARTIES))
    chosen = [row for row in others if row[0] in open_to][:_MOST]
    rows = Player.objects.in_bulk([pk for pk, _matches, _liked in chosen])
    return [SuggestedPlayer(rows[pk], matches, liked) for pk, matches, liked in chosen]


def _groups(player: Player, liked: Sequence[int]) -> list[SuggestedGroup]:
    if len(liked) < _SEVERAL:
        return []
    given: dict[str, Any] = {
        "player": player.pk,
        "game": player.game_id,
        "liked": list(liked),
        "several": _SEVERAL,
        "most": 2 * _MOST,
    }
    with connection.cursor() as cursor:
        cursor.execute(_GROUPS, given)
        numbers: dict[int, int] = dict(cursor.fetchall())
    listed = [one for one in groups_by_ids(list(numbers)) if not one.is_full]
    return [SuggestedGroup(one.group, one.size, numbers[one.group.pk]) for one in listed[:_MOST]]
