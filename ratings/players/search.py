"""Who is called so: players by the words of their names, the best first; case, accents and look-alikes do not matter.

Whoever is called exactly so comes first, then names that begin so, then names with a further word that does, then
names that hold all the words in another order. Each stage is read in the order of an index, from the place on that is
asked for: a page costs a page, among a million players too.
"""

import re
from dataclasses import dataclass
from typing import Any

from django.db import connection

from foundation.names import LONGEST_QUERY, clean_name, search_words

__all__ = ["SearchCursor", "find_cursors"]

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
WHERE found.place = 0 AND found.key LIKE %(begins)s AND found.key <> %(key)s
    AND (found.key, found.player_id) > (%(after)s, %(player)s){within}
ORDER BY found.key, found.player_id LIMIT %(limit)s
"""
# Once each, by the first of its keys that fits.
_INSIDE = """
SELECT found.key, found.player_id FROM ratings_searchkey AS found
WHERE found.place > 0 AND found.key LIKE %(begins)s
    AND (found.key, found.player_id) > (%(after)s, %(player)s){within}
    AND NOT EXISTS (
        SELECT FROM ratings_searchkey AS earlier
        WHERE earlier.player_id = found.player_id AND earlier.place < found.place
            AND earlier.key LIKE %(begins)s
    )
ORDER BY found.key, found.player_id LIMIT %(limit)s
"""
# The longest word leads: it is the rarest. What the stages before have is left out.
_HOLDS_ALL = """
SELECT found.key, found.player_id FROM ratings_searchkey AS found
WHERE {place} AND found.key LIKE %(leads)s AND (found.key, found.player_id) > (%(after)s, %(player)s){within}
    AND NOT EXISTS (
        SELECT FROM ratings_searchkey AS earlier
        WHERE earlier.player_id = found.player_id
            AND (
                earlier.key LIKE %(begins)s
                OR earlier.place < found.place AND earlier.key LIKE %(leads)s
            )
    )
    AND NOT EXISTS (
        SELECT FROM unnest(%(others)s::text[]) AS wanted (beginning)
        WHERE NOT EXISTS (
            SELECT FROM ratings_searchkey AS other
            WHERE other.player_id = found.player_id AND other.key LIKE wanted.beginning
        )
    )
ORDER BY found.key, found.player_id LIMIT %(limit)s
"""
# Whole names and what is inside them have an index each: asked for both at once, the server reads the whole table.
_ALL_WORDS = f"""
SELECT found.key, found.player_id
FROM (
    ({_HOLDS_ALL.replace("{place}", "found.place = 0")})
    UNION ALL
    ({_HOLDS_ALL.replace("{place}", "found.place > 0")})
) AS found
ORDER BY found.key, found.player_id LIMIT %(limit)s
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class SearchCursor:
    """Where the results are read on from; `str()` and `parse` undo each other."""

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


_START = SearchCursor(0, "", 0)


def find_cursors(
    query: str,
    *,
    limit: int,
    after: SearchCursor | None = None,
    within: str = "",
    given: dict[str, Any] | None = None,
) -> list[SearchCursor]:
    """Return whom the query finds from `after` on, at most `limit`; nobody where it holds nothing of a name.

    `within` narrows it by a condition in SQL on `found.player_id` and `found.game_id`, with values `given`.
    """
    text = query.strip()[:LONGEST_QUERY]
    words = search_words(text)
    if not words:
        return []
    key, longest = "".join(words), max(words, key=len)
    # The rarer one is asked for first: few players are then asked for the rest.
    others = sorted(set(words) - {longest}, key=len, reverse=True)
    # Each with the key at which it begins: an index is read from there on, not from its first row.
    stages = [(_EXACT, ""), (_BEGINNING, key), (_INSIDE, key)]
    if len(words) > 1:
        stages.append((_ALL_WORDS, longest))
    values = (given or {}) | {
        "written": clean_name(text),
        "key": key,
        "begins": _beginning(key),
        "others": [_beginning(word) for word in others],
        "leads": _beginning(longest),
    }
    begin = after or _START
    found: list[SearchCursor] = []
    with connection.cursor() as cursor:
        for number, (stage, first) in enumerate(stages[begin.stage :], start=begin.stage):
            here = begin if number == begin.stage else SearchCursor(number, first, 0)
            bounds = {"after": here.key, "player": here.player_id, "limit": limit - len(found)}
            cursor.execute(stage.format(within=within), values | bounds)
            found += [SearchCursor(number, key, pk) for key, pk in cursor.fetchall()]
            if len(found) >= limit:
                break
    return found


def _beginning(key: str) -> str:
    """A pattern of keys that begin so: some letters look like a sign that stands for others in patterns."""
    return re.sub(r"[\\%_]", r"\\\g<0>", key) + "%"
