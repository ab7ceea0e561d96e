"""Lists, a page at a time: `limit`, an opaque `cursor`, and a link to the next page.

A cursor names the last row of a page by what the list is ordered by, so that rows which come and go in between are
neither shown twice nor left out.
"""

import base64
import re
import struct
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from api.contract.bodies import Body
from api.contract.problems import ProblemError
from api.contract.shapes import Shape

__all__ = [
    "LIMIT",
    "MOST",
    "CursorField",
    "PageBody",
    "cut",
    "decode",
    "encode",
    "keys_by",
    "link",
    "pack",
    "page_by",
    "page_shape",
    "unpack",
    "wrong",
]

NO_CURSOR = gettext_lazy(
    "This cursor does not belong to this list. Use the one from “next”, or leave it out."
)
_CURSOR = re.compile(r"[A-Za-z0-9_-]+")
LIMIT = 50
MOST = 200
R = TypeVar("R")
M = TypeVar("M", bound=Model)


@extend_schema_field({"type": "string", "minLength": 1, "pattern": f"^{_CURSOR.pattern}$"})
class CursorField(serializers.CharField):
    """What may be a cursor."""

    default_error_messages = {"invalid": NO_CURSOR}

    def to_internal_value(self, data: str) -> str:
        """Look at the signs first: one error says it."""
        if not _CURSOR.fullmatch(data):
            self.fail("invalid")
        return data


class PageBody(Body):
    """The parameters of every list."""

    limit = serializers.IntegerField(
        default=LIMIT, min_value=1, max_value=MOST, help_text="Rows on a page."
    )
    cursor = CursorField(
        required=False, max_length=200, help_text="From `next` of the page before."
    )


def pack(content: bytes) -> str:
    """As text that may stand in an address: base64 without the signs at its end."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def unpack(text: str) -> bytes:
    """What was packed so; ValueError of anything else."""
    padded = text.encode("ascii") + b"=" * (-len(text) % 4)
    return base64.b64decode(padded, altchars=b"-_", validate=True)


def encode(kind: str, *numbers: int) -> str:
    """A cursor of the list `kind` (one letter), at the row that `numbers` name."""
    return pack(kind.encode() + struct.pack(f">{len(numbers)}q", *numbers))


def decode(kind: str, text: str, count: int) -> tuple[int, ...]:
    """The `count` numbers of a cursor of the list `kind`; anything else is refused."""
    try:
        numbers = struct.unpack(f">{count}q", unpack(text)[1:])
    except (ValueError, struct.error):
        raise wrong("cursor") from None
    if encode(kind, *numbers) != text:
        raise wrong("cursor")
    return numbers


def wrong(parameter: str, words: str = "", code: str = "invalid") -> ProblemError:
    """The refusal of a parameter; by default of a cursor."""
    detail = words or str(NO_CURSOR)
    error = {"parameter": parameter, "code": code, "detail": detail}
    return ProblemError("invalid_parameter", detail, errors=[error])


def cut(rows: Sequence[R], limit: int) -> tuple[Sequence[R], R | None]:
    """Of `limit + 1` rows those of the page, and the last of them if there are more."""
    return (rows[:limit], rows[limit - 1]) if len(rows) > limit else (rows, None)


def page_by(
    key: str, kind: str, rows: QuerySet[M], given: Mapping[str, Any]
) -> tuple[Sequence[M], str | None]:
    """A page of `rows`, in the order of `key` (with "-" from the highest down), and the cursor of the next page.

    `key` is a whole number that no two rows share; `given` are the parameters of PageBody, `kind` as in `encode`.
    """
    found = list(_rest_by(key, kind, rows, given)[: given["limit"] + 1])
    page, last = cut(found, given["limit"])
    return page, None if last is None else encode(kind, getattr(last, key.removeprefix("-")))


def keys_by(
    key: str, kind: str, rows: QuerySet[M], given: Mapping[str, Any]
) -> tuple[Sequence[int], str | None]:
    """The same, but of each row its key only."""
    keys = _rest_by(key, kind, rows, given).values_list(key.removeprefix("-"), flat=True)
    page, last = cut(list(keys[: given["limit"] + 1]), given["limit"])
    return page, None if last is None else encode(kind, last)


def link(request: Request, cursor: str | None, *, without: Sequence[str] = ()) -> str | None:
    """The same address with another cursor; None without one."""
    if cursor is None:
        return None
    query = request.query_params.copy()
    for name in without:
        query.pop(name, None)
    query["cursor"] = cursor
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")


def page_shape(
    name: str, row: type[serializers.Serializer[Any]], **more: serializers.Field[Any, Any, Any, Any]
) -> type[Shape]:
    """The shape of a page of such rows: `ApiView.page` renders it."""
    fields: Mapping[str, Any] = {
        **more,
        "results": row(many=True),
        "next": serializers.URLField(allow_null=True, help_text="null on the last page."),
    }
    return type(name, (Shape,), {**fields, "__doc__": "A page of a list."})


def _rest_by(key: str, kind: str, rows: QuerySet[M], given: Mapping[str, Any]) -> QuerySet[M]:
    if "cursor" in given:
        step = "lt" if key.startswith("-") else "gt"
        past = decode(kind, given["cursor"], 1)[0]
        rows = rows.filter(**{f"{key.removeprefix('-')}__{step}": past})
    return rows.order_by(key)
