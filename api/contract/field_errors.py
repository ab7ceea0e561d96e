"""What is wrong with single fields, as a flat list with JSON pointers (RFC 6901)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from rest_framework.exceptions import ErrorDetail
from rest_framework.settings import api_settings

__all__ = ["MOST_NAMED", "field_errors", "parameter_errors", "pointer_to", "shown_at"]

MOST_NAMED = 20  # errors that one answer names
_LONGEST = 60


def field_errors(detail: Any, given: Any) -> list[dict[str, str]]:
    """Errors of a serializer as `{"pointer": "#/teams/0", "code": …, "detail": …, "given": …}`.

    `given` is what the serializer read; of it each error shows what stands there, as JSON and cut short.
    """
    return [
        {"pointer": pointer_to(*path), **said, **shown_at(given, path)}
        for path, said in islice(_walk(detail, ()), MOST_NAMED + 1)
    ]


def parameter_errors(detail: Any, given: Any) -> list[dict[str, str]]:
    """The same for parameters of the address: `{"parameter": "limit", …}`."""
    return [
        {"parameter": path[0] if path else "", **said, **shown_at(given, path)}
        for path, said in islice(_walk(detail, ()), MOST_NAMED + 1)
    ]


def pointer_to(*steps: str | int) -> str:
    """The JSON pointer to a member, such as `#/maps/veto/0`."""
    escaped = (str(step).replace("~", "~0").replace("/", "~1") for step in steps)
    return "#" + "".join(f"/{step}" for step in escaped)


def shown_at(given: Any, path: Sequence[str | int]) -> dict[str, str]:
    """What stands at a path, as the member `given`; none where nothing stands, or too much to show."""
    for step in path:
        if isinstance(given, Mapping) and step in given:
            given = given[step]
        elif isinstance(given, list) and str(step).isdecimal() and int(step) < len(given):
            given = given[int(step)]
        else:
            return {}
    if isinstance(given, Mapping | list):
        return {}
    text = json.dumps(given, ensure_ascii=False)
    return {"given": text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"}


def _walk(detail: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], dict[str, str]]]:
    if isinstance(detail, ErrorDetail):
        yield path, {"code": detail.code or "invalid", "detail": str(detail)}
    elif isinstance(detail, Mapping):
        for name, inner in detail.items():
            whole = name == api_settings.NON_FIELD_ERRORS_KEY
            yield from _walk(inner, path if whole else (*path, str(name)))
    elif isinstance(detail, Sequence) and all(isinstance(one, ErrorDetail) for one in detail):
        for one in detail:
            yield from _walk(one, path)
    elif isinstance(
        detail, Sequence
    ):  # of a list of objects: an empty mapping where nothing is wrong
        for index, inner in enumerate(detail):
            yield from _walk(inner, (*path, str(index)))
