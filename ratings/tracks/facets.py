"""Facets of tracks: a player rated on each map, or with each character. A competitor is a player and one such value.

A run works on whole numbers. Where players are rated as a whole, a competitor is the player's id; else the id times the
number of values, and the index of the value in their sorted list. The list is that of one run: nothing keeps it.

The list of values travels as one object of JSON, in whose sorted keys PostgreSQL searches by halving: of a thousand
texts it looks at ten. An array it would go through from the start, for every row.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import connection

from foundation.postgresql.bulk import Source, whole
from ratings.models import Facet
from ratings.systems.arrays import Ints

__all__ = ["WHOLE", "Facets", "as_indexes", "find_facets", "index_of"]

_SEQUENCE = (
    "match.ladder_id = %(ladder)s AND match.state = 'confirmed'"
    " AND match.ladder_seq > %(after)s AND match.ladder_seq <= %(last)s"
)
_PLAYED = {
    Facet.MAP: f"SELECT match.map FROM ratings_match AS match WHERE {_SEQUENCE}",  # noqa: S608
    Facet.CHARACTER: "SELECT participant.character FROM ratings_match AS match JOIN ratings_participant AS"  # noqa: S608
    f" participant ON participant.match_id = match.id WHERE {_SEQUENCE}",
}
_RATED = "SELECT facet FROM ratings_rating WHERE track_id = %(track)s"


@dataclass(frozen=True, slots=True)
class Facets:
    """The values in a run, sorted; one empty one where players are rated as a whole."""

    kind: str = Facet.NONE
    values: tuple[str, ...] = ("",)

    @property
    def parameters(self) -> dict[str, Any]:
        """What statements with `code` and `competitor` need."""
        indexes = as_indexes(self.values)
        return {
            "facets": list(self.values),
            "facet_indexes": indexes,
            "facet_count": len(self.values),
        }

    @staticmethod
    def code(expression: str) -> str:
        """SQL: the index of a value in the list; -1 where it is not in it."""
        return index_of(expression, "%(facet_indexes)s", default=-1)

    def competitor(self, player: str, value: str) -> Source:
        """Read a player and a value, of those in the list, as a competitor."""
        if not self.kind:
            return whole(player)
        return whole(f"{player} * %(facet_count)s::bigint + {self.code(value)}")

    def join(self, players: Ints, codes: Ints) -> Ints:
        """Competitors of players and indexes of their values. Raises ValueError where a value is not in the list."""
        if (codes < 0).any():
            raise ValueError(f"a {self.kind} changed in a confirmed match while it was read")
        return players * len(self.values) + codes

    def split(self, competitors: Ints) -> tuple[Ints, Ints]:
        """Players, and indexes of their values."""
        count = len(self.values)
        return competitors // count, competitors % count


WHOLE = Facets()


def find_facets(
    kind: str, *, ladder_id: int, after: int, last: int, track_id: int | None
) -> Facets:
    """Read the values of confirmed matches in a stretch of a ladder's sequence; with a track, of its ratings too."""
    if not kind:
        return WHOLE
    queries = [_PLAYED[Facet(kind)]] + ([_RATED] if track_id is not None else [])
    bounds = {"ladder": ladder_id, "after": after, "last": last, "track": track_id}
    with connection.cursor() as cursor:
        cursor.execute(" UNION ".join(queries), bounds)
        return Facets(kind, tuple(sorted(value for (value,) in cursor.fetchall())) or ("",))


def as_indexes(texts: Iterable[str]) -> str:
    """Give texts, each there once, as the parameter that `index_of` searches."""
    return json.dumps({text: index for index, text in enumerate(texts)})


def index_of(expression: str, indexes: str, *, default: int) -> str:
    """SQL: the index of an expression's text in the parameter `indexes`; `default` where it is not there."""
    return f"coalesce(({indexes}::jsonb -> {expression}::text)::int, {default})"
