"""What is wrong with single fields, as a flat list with JSON pointers (RFC 6901)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rest_framework.exceptions import ErrorDetail
from rest_framework.settings import api_settings

__all__ = ["field_errors", "parameter_errors"]


def field_errors(detail: Any) -> list[dict[str, str]]:
    """Errors of a serializer as `{"pointer": "#/teams/0", "code": …, "detail": …}`."""
    return [
        {"pointer": "#" + "".join(f"/{_escape(step)}" for step in path), **said}
        for path, said in _walk(detail, ())
    ]


def parameter_errors(detail: Any) -> list[dict[str, str]]:
    """The same for parameters of the address: `{"parameter": "limit", …}`."""
    return [{"parameter": path[0] if path else "", **said} for path, said in _walk(detail, ())]


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
        for place, inner in enumerate(detail):
            yield from _walk(inner, (*path, str(place)))


def _escape(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")
