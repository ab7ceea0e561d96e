"""Reading many results at once: each by itself, so that one that is wrong refuses no other.

By hand, for a serializer a result would take longer than everything else together.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from ratings.matches.guests import Guest
from ratings.matches.played_match import PlayedMatch

__all__ = ["WrongItemError", "read_result"]

_FIELDS = frozenset(field.name for field in fields(PlayedMatch))
Path = tuple[str | int, ...]
R = TypeVar("R")

_OF_GUESTS = frozenset(field.name for field in fields(Guest))
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
    ended_at, scores = item.get("ended_at"), item.get("scores")
    return PlayedMatch(
        ladder=_text(item["ladder"], ("ladder",)),
        external_id=_text(item["external_id"], ("external_id",)),
        teams=_list(item["teams"], ("teams",), _texts),
        ranks=_list(item["ranks"], ("ranks",), _rank),
        played_at=_moment(item["played_at"], ("played_at",)),
        ended_at=None if ended_at is None else _moment(ended_at, ("ended_at",)),
        scores=None if scores is None else _list(scores, ("scores",), _number),
        player_scores=_by_player(item, "player_scores", _number),
        minutes=_by_player(item, "minutes", partial(_number, least=0.0)),
        characters=_by_player(item, "characters", _text),
        neutral=_truth(item.get("neutral", False), ("neutral",)),
        left=frozenset(_texts(item.get("left", []), ("left",))),
        map=_text(item["map"], ("map",)) if "map" in item else "",
        guests=_list(item.get("guests", []), ("guests",), _guest),
    )


def _guest(value: Any, path: Path) -> Guest:
    if not isinstance(value, Mapping):
        raise WrongItemError(path, _("Must be an object."))
    for name in value:
        if name not in _OF_GUESTS:
            raise WrongItemError((*path, name), _("There is no such field."))
    for name in ("name", "team"):
        if name not in value:
            raise WrongItemError((*path, name), _("This field is required."))
    numbers: dict[str, float] = {}
    for name, least in (("score", -_LARGEST), ("minutes", 0.0)):
        if value.get(name) is not None:
            numbers[name] = _number(value[name], (*path, name), least)
    name = _text(value["name"], (*path, "name"))
    return Guest(name, _rank(value["team"], (*path, "team")), **numbers)


def _list(values: Any, path: Path, read: Callable[[Any, Path], R]) -> tuple[R, ...]:
    if not isinstance(values, list):
        raise WrongItemError(path, _("Must be a list."))
    return tuple(read(value, (*path, n)) for n, value in enumerate(values))


def _by_player(item: Mapping[str, Any], name: str, read: Callable[[Any, Path], R]) -> dict[str, R]:
    values = item.get(name) or {}
    if not isinstance(values, Mapping):
        raise WrongItemError((name,), _("Must be an object."))
    return {player: read(value, (name, player)) for player, value in values.items()}


def _texts(values: Any, path: Path) -> tuple[str, ...]:
    return _list(values, path, _text)


def _text(value: Any, path: Path) -> str:
    if not isinstance(value, str) or len(value) > 100 or "\0" in value:
        raise WrongItemError(path, _("Must be a text of 100 characters at most."))
    return value


def _rank(value: Any, path: Path) -> int:
    if type(value) is not int or not 0 <= value < 100:
        raise WrongItemError(path, _("Must be a whole number from 0 to 99."))
    return value


def _number(value: Any, path: Path, least: float = -_LARGEST) -> float:
    if type(value) not in (int, float) or not least <= value <= _LARGEST:
        words = _("Must be a number of 0 or more.") if least == 0 else _("Must be a number.")
        raise WrongItemError(path, words)
    return float(value)


def _truth(value: Any, path: Path) -> bool:
    if not isinstance(value, bool):
        raise WrongItemError(path, _("Must be true or false."))
    return value


def _moment(value: Any, path: Path) -> datetime:
    words = _("Must be a time such as 2026-03-01T20:15:00Z, with its zone.")
    try:
        moment = parse_datetime(value) if isinstance(value, str) else None
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise WrongItemError(path, words)
    if not 1970 <= moment.year <= 9000:
        raise WrongItemError(path, _("Must lie between the years 1970 and 9000."))
    return moment
