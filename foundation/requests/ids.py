"""Ids as they stand in addresses: `<id:pk>` of rows, and `<id_in_game:external_id>` as games give them."""

from django.urls import register_converter
from django.urls.converters import IntConverter, PathConverter

__all__ = ["HIGHEST_ID", "IdConverter", "IdInGameConverter", "register_ids"]

HIGHEST_ID = 2**63 - 1


class IdConverter(IntConverter):
    """A number that a row can have. Any other is at no address.

    PostgreSQL would compare a larger one as a numeric, for which no index of ids is good: it reads the whole table.
    """

    def to_python(self, value: str) -> int:
        """The id; ValueError, by which Django knows that the route is none of these."""
        number = super().to_python(value)
        if number > HIGHEST_ID:
            raise ValueError("no row has such an id")
        return number


class IdInGameConverter(PathConverter):
    """Any text, also with line breaks: players from before have such ids, and for a new one the answer is why not."""

    regex = "(?s:.+)"


def register_ids() -> None:
    """Let routes name it. Before any is read, and once."""
    register_converter(IdConverter, "id")
    register_converter(IdInGameConverter, "id_in_game")
