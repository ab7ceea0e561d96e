"""Reading many results at once: each by itself, so that one that is wrong refuses no other.

By hand, for a serializer a result would take longer than everything else together.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from ratings.matches.played_match import PlayedMatch

__all__ = ["WrongItemError", "read_result"]

_FIELDS = frozenset(PlayedMatch.__slots__)
Path = tuple[str | int, ...]

_LARGEST = 1e300
_NEEDED = ("ladder", "external_id", "teams", "ranks", "played_at")


class WrongItemError(ValueError):
    """A result cannot be read; `path` leads to what is wrong in it."""

    def __init__(self, path: Path, detail: str) -> None:
        super().__init__(detail)
        self.path = path


def read_result(item: Any) -> PlayedMatch:
    """Check the form of one result. Raises WrongItemError."""
    if not isinstance(item, Mapping):
        raise WrongItemError((), _("Must be an object."))
    for name in item:
        if name not in _FIELDS:
            raise WrongItemError((name,), _("There is no such field."))
    for name in _NEEDED:
        if name not in item:
            raise WrongItemError((name,), _("This field is required."))
    scores = item.get("scores")
    return PlayedMatch(
        ladder=_text(item, "ladder"),
        external_id=_text(item, "external_id"),
        teams=tuple(_texts(team, ("teams", n)) for n, team in enumerate(_list(item, "teams"))),
        ranks=tuple(_whole(rank, ("ranks", n)) for n, rank in enumerate(_list(item, "ranks"))),
        played_at=_moment(item["played_at"], ("played_at",)),
        ended_at=None if item.get("ended_at") is None else _moment(item["ended_at"], ("ended_at",)),
        scores=None if scores is None else _numbers(item),
        player_scores=_figures(item, "player_scores"),
        minutes=_figures(item, "minutes", least=0.0),
        characters=_characters(item),
        neutral=_truth(item, "neutral"),
        left=frozenset(_texts(item.get("left", []), ("left",))),
        map=_text(item, "map") if "map" in item else "",
    )


def _text(item: Mapping[str, Any], name: str) -> str:
    return _one_text(item[name], (name,))


def _one_text(value: Any, path: Path) -> str:
    if not isinstance(value, str) or len(value) > 100 or "\0" in value:
        raise WrongItemError(path, _("Must be a text of 100 characters at most."))
    return value


def _texts(values: Any, path: Path) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise WrongItemError(path, _("Must be a list."))
    return tuple(_one_text(value, (*path, n)) for n, value in enumerate(values))


def _list(item: Mapping[str, Any], name: str) -> list[Any]:
    if not isinstance(item[name], list):
        raise WrongItemError((name,), _("Must be a list."))
    values: list[Any] = item[name]
    return values


def _whole(value: Any, path: Path) -> int:
    if type(value) is not int or not 0 <= value < 100:
        raise WrongItemError(path, _("Must be a whole number from 0 to 99."))
    return value


def _numbers(item: Mapping[str, Any]) -> tuple[float, ...]:
    values = _list(item, "scores")
    return tuple(_number(value, ("scores", n)) for n, value in enumerate(values))


def _figures(item: Mapping[str, Any], name: str, least: float = -_LARGEST) -> dict[str, float]:
    values = item.get(name) or {}
    if not isinstance(values, Mapping):
        raise WrongItemError((name,), _("Must be an object."))
    return {player: _number(value, (name, player), least) for player, value in values.items()}


def _characters(item: Mapping[str, Any]) -> dict[str, str]:
    values = item.get("characters") or {}
    if not isinstance(values, Mapping):
        raise WrongItemError(("characters",), _("Must be an object."))
    return {name: _one_text(value, ("characters", name)) for name, value in values.items()}


def _number(value: Any, path: Path, least: float = -_LARGEST) -> float:
    if type(value) not in (int, float) or not least <= value <= _LARGEST:
        words = _("Must be a number of 0 or more.") if least == 0 else _("Must be a number.")
        raise WrongItemError(path, words)
    return float(value)


def _truth(item: Mapping[str, Any], name: str) -> bool:
    value = item.get(name, False)
    if not isinstance(value, bool):
        raise WrongItemError((name,), _("Must be true or false."))
    return value


def _moment(value: Any, path: Path) -> datetime:
    words = _("Must be a time such as 2026-03-01T20:15:00Z, with its zone.")
    try:
        moment = parse_datetime(value) if isinstance(value, str) else None
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None or not 1970 <= moment.year <= 9000:
        raise WrongItemError(path, words)
    return moment
