"""Rows of tables as a person takes them along."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

__all__ = ["rows"]

_NAMES: Mapping[str, str] = {
    "match__ladder__slug": "ladder",
    "track__ladder__slug": "ladder",
    "ticket__queue__slug": "queue",
    "queue__slug": "queue",
    "rank": "place",
}
# The site counts these from 0, people from 1.
_FROM_0 = {"rank", "team"}


def rows(found: "QuerySet[Any]", *columns: str) -> list[dict[str, Any]]:
    """These columns of each row, named as a person would; the oldest first."""
    names = [_NAMES.get(column, column.rpartition("__")[2]) for column in columns]
    read = found.order_by("pk").values_list(*columns)
    more = [column in _FROM_0 for column in columns]
    return [
        {
            name: value + 1 if counts_from_0 and value is not None else value
            for name, value, counts_from_0 in zip(names, row, more, strict=True)
        }
        for row in read
    ]
