"""The place of a text in a list of texts, found by PostgreSQL for each row.

The list travels as one object of JSON, in whose sorted keys PostgreSQL searches by halving: of a thousand texts it
looks at ten. An array it would go through from the start, for every row.
"""

import json
from collections.abc import Iterable

__all__ = ["as_places", "place_of"]


def as_places(texts: Iterable[str]) -> str:
    """Give texts, each there once, as the parameter that `place_of` searches."""
    return json.dumps({text: place for place, text in enumerate(texts)})


def place_of(expression: str, places: str, *, default: int) -> str:
    """SQL: the place of an expression's text in the parameter `places`; `default` where it is not there."""
    return f"coalesce(({places}::jsonb -> {expression}::text)::int, {default})"
