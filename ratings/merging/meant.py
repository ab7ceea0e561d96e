"""Whom a player stands for: itself, or the one it was merged into.

Participations that are written while players are merged, or unmerged, may name the wrong one of the two, for they
were begun before. Each gets its number in the sequence under the ladder's lock, as merging does, and is put right
there, before anything is rated.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from foundation.names import isolate
from ratings.models import Game, Player, PlayerMerge

__all__ = [
    "MEANT",
    "MergedName",
    "count_for_meant",
    "lent_by",
    "lent_games",
    "meant_by",
    "merged_names",
    "one_person_in",
    "say_lent",
    "say_twice",
    "twice_meant",
]

# Of `ratings_player AS named`, for a match that is played at a moment: to be formatted with `at`, in SQL.
MEANT = """
CASE WHEN named.merged_into_id IS NULL OR {at} < named.merged_since THEN named.id ELSE named.merged_into_id END
"""
# The first two are asked once for a statement, and mostly end it.
_COUNT_FOR_MEANT = f"""
UPDATE ratings_participant AS participant
SET player_id = right_one.player,
    reported_as_id = CASE WHEN right_one.player <> right_one.named THEN right_one.named END
FROM (
    SELECT participant.id, match.id AS match, named.id AS named, {MEANT.format(at="match.played_at")} AS player
    FROM ratings_match AS match
    JOIN ratings_participant AS participant ON participant.match_id = match.id
    JOIN ratings_player AS named ON named.id = coalesce(participant.reported_as_id, participant.player_id)
    WHERE match.ladder_id = %(ladder)s AND match.ladder_seq > %(after)s AND (
        EXISTS (SELECT FROM ratings_player WHERE merged_into_id IS NOT NULL)
        OR EXISTS (SELECT FROM ratings_participant WHERE reported_as_id IS NOT NULL)
    )
) AS right_one
WHERE participant.id = right_one.id AND participant.player_id <> right_one.player AND NOT EXISTS (
    SELECT FROM ratings_participant AS other
    WHERE other.match_id = right_one.match AND other.player_id = right_one.player
)
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class MergedName:
    """An id in the game whose player was merged: `player` into `into`, with matches played from `since` on."""

    player: int
    into: int
    into_name: str
    since: datetime | None

    def counts_at(self, played_at: datetime) -> bool:
        """Whether it means the other player in a match of this moment."""
        return self.since is None or played_at >= self.since


def merged_names(game: Game, external_ids: Collection[str]) -> dict[str, MergedName]:
    """Those of the ids in the game whose players were merged. One query, of a few rows."""
    merged = Player.objects.filter(
        game=game, merged_into__isnull=False, external_id__in=external_ids
    )
    columns = ("external_id", "pk", "merged_into", "merged_into__external_id", "merged_since")
    return {name: MergedName(*its) for name, *its in merged.values_list(*columns)}


def twice_meant(
    names: Iterable[str], merged: dict[str, MergedName], played_at: datetime
) -> tuple[str, str] | None:
    """Two ids in one match that mean the same player; None where all differ."""
    seen: dict[str, str] = {}
    for name in names:
        other = merged.get(name)
        meant = other.into_name if other is not None and other.counts_at(played_at) else name
        if meant in seen:
            return seen[meant], name
        seen[meant] = name
    return None


def say_twice(first: str, second: str) -> str:
    """Why two ids in the game, or numbers of players, cannot take part in one match."""
    words = _(
        "Players “%(first)s” and “%(second)s” are one person here: an operator has merged them."
    )
    return words % {"first": first, "second": second}


def one_person_in(player_ids: Collection[int], played_at: datetime) -> Player | None:
    """One of these players who counts for another of them in a match of this moment. One query."""
    counts = Q(merged_since=None) | Q(merged_since__lte=played_at)
    merged = Player.objects.filter(counts, pk__in=player_ids, merged_into__in=player_ids)
    return merged.select_related("merged_into").order_by("pk").first()


def meant_by(player: Player) -> Player:
    """The player who acts when this one is named, with its game and account. No query for most."""
    if player.merged_into_id is None:
        return player
    meant = Player.objects.select_related("game", "user").get(pk=player.merged_into_id)
    meant.named_as = player.pk
    return meant


def lent_by(user: User, game_id: int) -> PlayerMerge | None:
    """The merge by which the account's player of a game counts for the player of another account. One query."""
    merges = PlayerMerge.objects.filter(
        account=user, account_came_along=False, undone_at=None, merged__game=game_id
    )
    return merges.select_related("merged", "into__game").first()


def say_lent(merge: PlayerMerge) -> str:
    """Why the account of a merged player has none in the game, and where to ask."""
    game = merge.into.game
    words = (
        _(
            "Your player %(player)s was merged into %(into)s, a player of another account. As long as that stands, you"
            " have no player in this game. If you think that is a mistake, please ask: %(address)s"
        )
        if game.appeals_to
        else _(
            "Your player %(player)s was merged into %(into)s, a player of another account. As long as that stands, you"
            " have no player in this game. If you think that is a mistake, please ask an admin of this site."
        )
    )
    names = {"player": isolate(merge.merged.name), "into": isolate(merge.into.name)}
    return words % {**names, "address": game.appeals_to}


def lent_games(user: User) -> set[int]:
    """Ids of the games in which an account has no player as its own counts for another account's. One query."""
    merges = PlayerMerge.objects.filter(account=user, account_came_along=False, undone_at=None)
    return set(merges.values_list("merged__game", flat=True))


def count_for_meant(*, ladder_id: int, after: int) -> None:
    """Let participations above this number of the sequence count for whom they mean. Under the ladder's lock."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT_FOR_MEANT, {"ladder": ladder_id, "after": after})
