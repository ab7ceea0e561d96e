"""Finding players by the words of their names; case, accents and look-alike signs do not matter.

Whoever is called exactly so comes first, then names that begin so, then names with a further word that does, then
names that hold all the words in another order. Each stage is read in the order of an index, from the place on that is
asked for: a page costs a page, among a million players too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from django.db.models import Prefetch

from foundation.names import LONGEST_QUERY, clean_name, search_key, search_words
from leaderboards.models import Standing
from ratings.models import Player, Rating, RatingTrack

__all__ = ["LONGEST", "Found", "SearchCursor", "find_in_track", "find_players"]

SIZE = 20
LONGEST = LONGEST_QUERY

_EXACT = """
SELECT found.key, found.player_id
FROM (
    SELECT CASE WHEN player.name = %(written)s THEN '' ELSE named.key END AS key, named.player_id, named.game_id
    FROM ratings_searchkey AS named JOIN ratings_player AS player ON player.id = named.player_id
    WHERE named.place = 0 AND named.key = %(key)s
) AS found
WHERE (found.key, found.player_id) > (%(after)s, %(player)s){within}
ORDER BY found.key, found.player_id LIMIT %(limit)s
"""
_BEGINNING = """
SELECT found.key, found.player_id FROM ratings_searchkey AS found
WHERE found.place = 0 AND found.key LIKE %(key)s || '%%' AND found.key <> %(key)s
    AND (found.key, found.player_id) > (%(after)s, %(player)s){within}
ORDER BY found.key, found.player_id LIMIT %(limit)s
"""
# Once each, by the first of its keys that fits.
_INSIDE = """
SELECT found.key, found.player_id FROM ratings_searchkey AS found
WHERE found.place > 0 AND found.key LIKE %(key)s || '%%'
    AND (found.key, found.player_id) > (%(after)s, %(player)s){within}
    AND NOT EXISTS (
        SELECT FROM ratings_searchkey AS earlier
        WHERE earlier.player_id = found.player_id AND earlier.place < found.place
            AND earlier.key LIKE %(key)s || '%%'
    )
ORDER BY found.key, found.player_id LIMIT %(limit)s
"""
# The longest word leads: it is the rarest. What the stages before have is left out.
_ALL_WORDS = """
SELECT found.key, found.player_id FROM ratings_searchkey AS found
WHERE found.key LIKE %(longest)s || '%%' AND (found.key, found.player_id) > (%(after)s, %(player)s){within}
    AND NOT EXISTS (
        SELECT FROM ratings_searchkey AS earlier
        WHERE earlier.player_id = found.player_id
            AND (
                earlier.key LIKE %(key)s || '%%'
                OR earlier.place < found.place AND earlier.key LIKE %(longest)s || '%%'
            )
    )
    AND NOT EXISTS (
        SELECT FROM unnest(%(words)s::text[]) AS wanted (word)
        WHERE NOT EXISTS (
            SELECT FROM ratings_searchkey AS other
            WHERE other.player_id = found.player_id AND other.key LIKE wanted.word || '%%'
        )
    )
ORDER BY found.key, found.player_id LIMIT %(limit)s
"""
_ON_TRACK = """ AND found.game_id = %(game)s AND EXISTS (
    SELECT FROM leaderboards_standing AS standing
    WHERE standing.track_id = %(track)s AND standing.player_id = found.player_id
)"""


@dataclass(frozen=True, slots=True)
class SearchCursor:
    """A place in the results, to read on from: `str()` and `parse` undo each other."""

    stage: int
    key: str
    player_id: int

    def __str__(self) -> str:
        return f"{self.stage}-{self.player_id}-{self.key}"

    @classmethod
    def parse(cls, text: str) -> "SearchCursor":
        """Read what `str()` gave. Raises ValueError naming the text when it is anything else."""
        stage, _dash, rest = text.partition("-")
        number, dash, key = rest.partition("-")
        is_number = number.isascii() and number.isdigit() and len(number) < 19
        if stage not in ("0", "1", "2", "3") or not (is_number and dash) or "\0" in key:
            raise ValueError(f"cursor {text[:40]!r} is no place in a list of players")
        return cls(int(stage), key, int(number))


@dataclass(frozen=True, slots=True)
class Found:
    """Players whose names fit, the best first, and where to read on (None: at the end)."""

    players: Sequence[Player]
    next: SearchCursor | None


@dataclass(frozen=True, slots=True)
class _Query:
    """What is looked for; empty where the query holds nothing that could be in a name."""

    written: str
    key: str
    words: list[str] = field(default_factory=list)

    def rows(
        self, within: str, given: dict[str, Any], after: SearchCursor, limit: int
    ) -> Iterator[SearchCursor]:
        """Whom it finds from `after` on, the best first, at most so many."""
        stages = [_EXACT, _BEGINNING, _INSIDE, *([_ALL_WORDS] if len(self.words) > 1 else [])]
        values = given | {
            "written": self.written,
            "key": self.key,
            "words": self.words,
            "longest": max(self.words, key=len),
        }
        with connection.cursor() as cursor:
            for number, stage in enumerate(stages[after.stage :], start=after.stage):
                here = after if number == after.stage else SearchCursor(number, "", 0)
                place = {"after": here.key, "player": here.player_id, "limit": limit}
                cursor.execute(stage.format(within=within), values | place)
                rows = [SearchCursor(number, key, pk) for key, pk in cursor.fetchall()]
                yield from rows
                limit -= len(rows)
                if limit <= 0:
                    return


def find_players(query: str, *, after: SearchCursor | None = None, size: int = SIZE) -> Found:
    """Search over all games. Each player has `shown_ratings`: his public ratings. Six queries at most.

    A query without any visible sign finds nobody.
    """
    wanted = _read(query)
    if not wanted.key:
        return Found([], None)
    begin = after or SearchCursor(0, "", 0)
    rows = list(wanted.rows("", {}, begin, size + 1))
    shown = Rating.objects.public().select_related("track__ladder", "standing").order_by("-games")
    players = (
        Player.objects.select_related("game")
        .prefetch_related(Prefetch("ratings", queryset=shown, to_attr="shown_ratings"))
        .in_bulk([row.player_id for row in rows[:size]])
    )
    found = [players[row.player_id] for row in rows[:size] if row.player_id in players]
    return Found(found, rows[size - 1] if len(rows) > size else None)


def find_in_track(track: RatingTrack, query: str, *, size: int = SIZE) -> list[Standing]:
    """Standings, hidden ones included, of players of the ladder's game whom the query finds, the best first."""
    wanted = _read(query)
    if not wanted.key:
        return []
    given = {"game": track.ladder.game_id, "track": track.pk}
    rows = list(wanted.rows(_ON_TRACK, given, SearchCursor(0, "", 0), size))
    standings = Standing.objects.public().filter(
        track=track, player__in=[row.player_id for row in rows]
    )
    known = {it.player_id: it for it in standings.select_related("player", "rating")}
    return [known[row.player_id] for row in rows if row.player_id in known]


def _read(query: str) -> _Query:
    text = query.strip()[:LONGEST]
    return _Query(clean_name(text), search_key(text), search_words(text))
