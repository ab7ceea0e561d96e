"""Ids as they stand in addresses: `<id:pk>` of rows, and `<id_in_game:external_id>` as games give them."""

from urllib.parse import unquote_to_bytes

from django.http import HttpRequest
from django.urls import register_converter
from django.urls.converters import IntConverter, PathConverter

__all__ = ["HIGHEST_ID", "IdConverter", "IdInGameConverter", "is_utf8", "register_ids"]

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


def is_utf8(request: HttpRequest) -> bool:
    """Whether the address is UTF-8. What is not Django reads as if it stood there twice encoded, `%FC` for that byte:
    an id that somebody else may have. As the web server got it; Django keeps it no longer.
    """
    path = request.META.get("RAW_URI", "").partition("?")[0]
    try:
        unquote_to_bytes(path.encode("latin-1")).decode()
    except UnicodeError:
        return False
    return True


def register_ids() -> None:
    """Let routes name it. Before any is read, and once."""
    register_converter(IdConverter, "id")
    register_converter(IdInGameConverter, "id_in_game")
