"""Events as a server gives them, and what can be wrong with one by itself."""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from typing import Literal

import msgspec
from django.utils.translation import gettext as _

from foundation.refusals import RefusedError
from ratings.models import EventKind

__all__ = [
    "HIGHEST_SCORE",
    "KINDS",
    "MOST_NUMBER",
    "MOST_SCORES",
    "MOST_TEXT",
    "MOST_WEIGHT",
    "GivenEvent",
    "KnownTexts",
    "NoJsonError",
    "TooManyEventsError",
    "WrongEventError",
    "check_event",
    "read_events",
]

KINDS = {
    "begin": EventKind.BEGIN,
    "join": EventKind.JOIN,
    "leave": EventKind.LEAVE,
    "frag": EventKind.FRAG,
    "suicide": EventKind.SUICIDE,
    "team_kill": EventKind.TEAM_KILL,
    "capture": EventKind.CAPTURE,
    "score": EventKind.SCORE,
    "round": EventKind.ROUND,
    "end": EventKind.END,
}
MOST_NUMBER = 2_000_000_000
MOST_WEIGHT = 1000.0
MOST_SCORES = 1000
# Sums of scores stay numbers.
HIGHEST_SCORE = 1e300
# Those that Python, PostgreSQL and JavaScript can all tell, in every time zone.
_YEARS = (1970, 9000)
_RATED_KINDS = {"frag", "suicide", "team_kill", "capture", "score"}
# Of each kind: whether it needs a player, and whether it may have a victim, or must.
_NEEDS_PLAYER = {"join", "leave", "suicide", "team_kill", "capture", "score"}
_NEEDS_VICTIM = {"frag", "team_kill"}
_HAS_VICTIM = {*_NEEDS_VICTIM, "capture", "score"}
_HAS_WEIGHT = {"frag", "capture", "score"}
# Texts: of how many characters, and those of single kinds in which ones.
MOST_TEXT = {
    "match": 50,
    **dict.fromkeys(("player", "victim", "guest", "victim_guest"), 100),
    "team": 30,
    "map": 60,
    "weapon": 60,
}
_TEXTS: Mapping[str, Collection[str]] = {
    "team": {"join", "round"},
    "map": {"begin"},
    "weapon": _RATED_KINDS,
}
# Where msgspec says that something is wrong: as a path, or by the name of a member.
_PLACE = re.compile(r"`\$\.(\w+)|field `(\w+)`")


class WrongEventError(RefusedError):
    """An event is not one, or does not fit its match."""

    code = "wrong_event"
    status = HTTPStatus.UNPROCESSABLE_ENTITY


class NoJsonError(WrongEventError):
    """What was sent is no JSON at all."""


class TooManyEventsError(WrongEventError):
    """More events than are taken at once."""


class GivenEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One event of a match as its server tells it. Players go by their ids in the game; unknown ones are added.

    match    how the server names the match, 1 to 50 characters
    number   counted from 1 in each match, without gaps
    player   who did it, or to whom it happened where nobody else had a hand in it; `guest`: by name, never rated
    victim   to whom it was done; `victim_guest` likewise
    team     of who joins; empty: on none. Of a round: who won it
    weapon   with what
    weight   how many frags it is worth, above 0; None: as its kind is
    map      of the match that begins
    scores   by team, or by the ids of players where there are none, of the match that ends; None: by what they did
    """

    match: str
    number: int
    type: Literal[
        "begin",
        "join",
        "leave",
        "frag",
        "suicide",
        "team_kill",
        "capture",
        "score",
        "round",
        "end",
    ]
    at: datetime | None = None
    player: str | None = None
    victim: str | None = None
    guest: str | None = None
    victim_guest: str | None = None
    team: str = ""
    weapon: str = ""
    weight: float | None = None
    map: str = ""
    scores: dict[str, float] | None = None

    @property
    def kind(self) -> EventKind:
        """What happened."""
        return KINDS[self.type]

    @property
    def detail(self) -> str:
        """The text that is kept with it: the team joined, the map, or the weapon."""
        return self.team or self.map or self.weapon


class _Body(msgspec.Struct, forbid_unknown_fields=True):
    events: list[msgspec.Raw]


class _Events(msgspec.Struct, forbid_unknown_fields=True):
    events: list[GivenEvent]


_BODY, _EVENTS = msgspec.json.Decoder(_Body), msgspec.json.Decoder(_Events)
_EVENT = msgspec.json.Decoder(GivenEvent)


def read_events(body: bytes, *, most: int | None = None) -> list[GivenEvent | WrongEventError]:
    """Read `{"events": [...]}`, or one event alone. What is wrong with one event stands in its place.

    Raises NoJsonError, TooManyEventsError where there are more than `most`, and WrongEventError where it is neither
    of both.
    """
    try:
        sound = _EVENTS.decode(body).events
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass  # which of them is wrong is found out one by one
    else:
        _check_count(len(sound), most)
        return [*sound]
    try:
        raws = _BODY.decode(body).events
    except msgspec.ValidationError as error:
        if b'"events"' in body:
            raise _unread(error) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _read_loosely(body, error, most)
    else:
        _check_count(len(raws), most)
        return [_read_event(bytes(raw)) for raw in raws]
    alone = _read_event(body)
    if isinstance(alone, WrongEventError):
        raise alone
    return [alone]


def _read_loosely(
    body: bytes, error: Exception, most: int | None
) -> list[GivenEvent | WrongEventError]:
    """Read what is JSON but for its texts: a name with a line break, or cut within a character, is that event's fault
    alone.
    """
    try:
        found = json.loads(body.decode(errors="surrogateescape"), strict=False)
    except (ValueError, RecursionError):
        raise NoJsonError(_("This is no JSON: %(why)s") % {"why": error}) from error
    events = found.get("events") if isinstance(found, dict) and len(found) == 1 else [found]
    if not isinstance(events, list):
        raise _unread(error) from error
    _check_count(len(events), most)
    return [_convert(event) for event in events]


def _convert(event: object) -> GivenEvent | WrongEventError:
    try:
        return msgspec.convert(event, GivenEvent)
    except msgspec.ValidationError as error:
        return _unread(error)


def _check_count(count: int, most: int | None) -> None:
    if most is not None and count > most:
        words = _("These are %(count)d events; up to %(most)d are taken at once.")
        raise TooManyEventsError(words % {"count": count, "most": most})


def _read_event(raw: bytes) -> GivenEvent | WrongEventError:
    try:
        return _EVENT.decode(raw)
    except (
        msgspec.ValidationError,
        msgspec.DecodeError,
        UnicodeDecodeError,
        RecursionError,
    ) as error:
        return _unread(error)


def _unread(error: Exception) -> WrongEventError:
    found = _PLACE.search(str(error))
    words = _("This is no event: %(why)s") % {"why": error}
    return (
        WrongEventError(words)
        if found is None
        else WrongEventError(words, field=found[1] or found[2])
    )


@dataclass(slots=True)
class KnownTexts:
    """Texts of events that were found well: names come again and again."""

    matches: set[str] = field(default_factory=set)
    players: set[str] = field(default_factory=set)
    weapons: set[str] = field(default_factory=lambda: {""})


def check_event(event: GivenEvent, known: KnownTexts) -> WrongEventError | None:
    """What is wrong with an event by itself; None where nothing is, and `known` has its texts then."""
    is_usual = (
        event.type == "frag"
        and event.match in known.matches
        and event.player in known.players
        and event.victim in known.players
        and event.weapon in known.weapons
        and event.number >= 1
        and event.number <= MOST_NUMBER
        and event.guest is None
        and event.victim_guest is None
        and event.weight is None
        and event.scores is None
        and not (event.team or event.map)
        and (event.at is None or _is_moment(event.at))
    )
    if is_usual:
        return None
    wrong = _find_wrong(event)
    if wrong is None:
        known.matches.add(event.match)
        known.weapons.add(event.weapon)
        known.players.update(one for one in (event.player, event.victim) if one is not None)
    return wrong


def _is_moment(at: datetime) -> bool:
    return at.tzinfo is not None and _YEARS[0] <= at.year < _YEARS[1]


def _find_wrong(event: GivenEvent) -> WrongEventError | None:
    kind = event.type
    if not _is_text(event.match, MOST_TEXT["match"]):
        return _wrong("match", _("must have 1 to 50 characters, none of them a control character"))
    if not 1 <= event.number <= MOST_NUMBER:
        return _wrong("number", _("must be from 1 to %(most)d") % {"most": MOST_NUMBER})
    if event.player is not None and event.guest is not None:
        return _wrong("guest", _("must be left out where there is a player"))
    if event.victim is not None and event.victim_guest is not None:
        return _wrong("victim_guest", _("must be left out where there is a victim"))
    has_player = event.player is not None or event.guest is not None
    has_victim = event.victim is not None or event.victim_guest is not None
    if kind in _NEEDS_PLAYER and not has_player:
        return _wrong("player", _("must be given, or a guest"))
    if kind in {"begin", "round", "end"} and has_player:
        return _wrong("player", _("has no place in this event"))
    if kind in _NEEDS_VICTIM and not has_victim:
        return _wrong("victim", _("must be given, or a victim_guest"))
    if has_victim and kind not in _HAS_VICTIM:
        return _wrong("victim", _("has no place in this event"))
    for name in ("player", "victim", "guest", "victim_guest"):
        value = getattr(event, name)
        if value is not None and not _is_text(value, MOST_TEXT[name]):
            return _wrong(
                name, _("must have 1 to 100 characters, none of them a control character")
            )
    return _wrong_figures(event)


def _wrong_figures(event: GivenEvent) -> WrongEventError | None:
    if event.weight is None:
        if event.type == "score":
            return _wrong("weight", _("must be given: how many frags this is worth"))
    elif event.type not in _HAS_WEIGHT:
        return _wrong("weight", _("has no place in this event"))
    elif not 0 < event.weight <= MOST_WEIGHT:
        return _wrong("weight", _("must be above 0, and %(most)d at most") % {"most": MOST_WEIGHT})
    for name, kinds in _TEXTS.items():
        text, most = getattr(event, name), MOST_TEXT[name]
        if text and event.type not in kinds:
            return _wrong(name, _("has no place in this event"))
        if text and not _is_text(text, most):
            words = _("must have %(most)d characters at most, none of them a control character")
            return _wrong(name, words % {"most": most})
    if event.at is not None:
        if event.at.tzinfo is None:
            return _wrong("at", _("must have a time zone, as 2026-12-01T20:15:00Z"))
        if not _YEARS[0] <= event.at.year < _YEARS[1]:
            return _wrong("at", _("must lie between the years 1970 and 9000"))
    return _wrong_scores(event)


def _wrong_scores(event: GivenEvent) -> WrongEventError | None:
    if event.scores is None:
        return None
    if event.type != "end":
        return _wrong("scores", _("has no place in this event"))
    if len(event.scores) > MOST_SCORES:
        return _wrong("scores", _("must have %(most)d members at most") % {"most": MOST_SCORES})
    if not all(_is_text(name, MOST_TEXT["player"]) for name in event.scores):
        words = _(
            "must name teams or players: 1 to 100 characters, none of them a control character"
        )
        return _wrong("scores", words)
    if not all(abs(score) <= HIGHEST_SCORE for score in event.scores.values()):
        return _wrong("scores", _("must be finite numbers"))
    return None


def _wrong(name: str, why: str) -> WrongEventError:
    return WrongEventError(f"{name}: {why}", field=name)


def _is_text(text: str, most: int) -> bool:
    return 1 <= len(text) <= most and text.isprintable()
