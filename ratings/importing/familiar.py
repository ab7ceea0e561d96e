"""Whether the names of a file are those of the ladder it is meant for, and which of them look like others.

Both are asked of the staging tables: the file was read, and nothing is locked or written yet.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from foundation.names import skeleton_of
from ratings.models import Game, Ladder, MatchState, Player
from ratings.models.players import name_columns

__all__ = ["Familiarity", "LookAlikes", "familiarity_of", "find_look_alikes"]

# Of fewer names nothing follows. Hardly a name, and most of them: shares of all the names in the file.
_FEWEST, _HARDLY, _MOST = 5, 0.1, 0.5
_SHOWN = 20
_AT_ONCE = 20_000

_NAMES = "SELECT DISTINCT player FROM import_participants ORDER BY player"
# Who has played in each ladder of the game: one look by index for each name and ladder.
_KNOWN = """
SELECT ladder.id, count(*)
FROM (SELECT DISTINCT player FROM import_participants) AS named
JOIN ratings_player AS player ON player.game_id = %(game)s AND player.external_id = named.player
CROSS JOIN ratings_ladder AS ladder
WHERE ladder.game_id = %(game)s AND EXISTS (
    SELECT FROM ratings_participant AS participant JOIN ratings_match AS match ON match.id = participant.match_id
    WHERE participant.player_id = player.id AND match.ladder_id = ladder.id AND match.state = 'confirmed'
)
GROUP BY ladder.id
"""


@dataclass(frozen=True, slots=True)
class Familiarity:
    """How many of the names have played before.

    names  in the file
    here   those of them that have played in the ladder
    best   the other ladder of the game in which most have, None where nobody has; and how many
    is_new whether the ladder is still to be made, or has no match that counts: in it no name can have played
    """

    names: int
    here: int
    best: Ladder | None
    elsewhere: int
    is_new: bool

    @property
    def is_doubtful(self) -> bool:
        """Whether the file seems to be of the other ladder."""
        return (
            not self.is_new
            and self.names >= _FEWEST
            and self.here <= self.names * _HARDLY
            and self.elsewhere > self.names * _MOST
        )


@dataclass(frozen=True, slots=True)
class LookAlikes:
    """How many names would be new and look like another one, and the first of them, each with those."""

    count: int
    shown: Sequence[tuple[str, Sequence[str]]]


def familiarity_of(ladder: Ladder | None, game: Game | None) -> Familiarity:
    """Ask who has played before of the staged file. `ladder` and `game`: None where they are still to be made."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(DISTINCT player) FROM import_participants")
        (names,) = cursor.fetchone()
        cursor.execute(_KNOWN, {"game": game.pk if game else None})
        known: dict[int, int] = dict(cursor.fetchall())
    here = known.pop(ladder.pk, 0) if ladder else 0
    best = max(known, key=lambda pk: (known[pk], -pk), default=None)
    found = None if best is None else Ladder.objects.get(pk=best)
    elsewhere = 0 if best is None else known[best]
    is_new = ladder is None or not ladder.matches.filter(state=MatchState.CONFIRMED).exists()
    return Familiarity(names, here, found, elsewhere, is_new=is_new)


def find_look_alikes(game: Game | None) -> LookAlikes:
    """Names of the staged file that the game does not know, and that look like a player's, or like each other."""
    with connection.cursor() as cursor:
        cursor.execute(_NAMES)
        names = [name for (name,) in cursor.fetchall()]
    players = Player.objects.filter(game=game)
    by_look: defaultdict[str, list[str]] = defaultdict(list)
    for first in range(0, len(names), _AT_ONCE):
        batch = names[first : first + _AT_ONCE]
        known = set(players.filter(external_id__in=batch).values_list("external_id", flat=True))
        for name in batch:
            if name not in known:
                by_look[skeleton_of(name_columns(name)["name"])].append(name)
    looks, others = sorted(by_look), defaultdict[str, list[str]](list)
    for first in range(0, len(looks), _AT_ONCE):
        alike = players.filter(skeleton__in=looks[first : first + _AT_ONCE]).order_by("pk")
        for look, name in alike.values_list("skeleton", "name"):
            others[look].append(name)
    found = [
        (name, [*others[look], *(other for other in fresh if other != name)])
        for look, fresh in by_look.items()
        for name in fresh
        if others[look] or len(fresh) > 1
    ]
    return LookAlikes(len(found), sorted(found)[:_SHOWN])
