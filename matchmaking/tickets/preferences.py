"""What a player asks of a match: checked against what the queue knows, and brought into the form that is kept.

Kept in `Ticket.wishes`, without whatever is not asked for; what there is, the built-in conditions declare:

    {"languages": ["de", "en"], "regions": {"eu": 35.0, "us": null}, "styles": ["attack"], "styles_wanted": [],
     "rules": ["no items"], "maps": {"veto": ["River"], "like": []}, "own": {"mood": 3.0}}

A region's number is the latency to it in milliseconds, null where nobody has measured it.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from matchmaking.pairing.conditions import BUILT_IN, PREFERENCES
from matchmaking.pairing.preference import PreferenceKind
from matchmaking.pairing.section import LONGEST_WORD, MOST_WORDS
from matchmaking.pairing.settings import Settings

__all__ = [
    "HIGHEST_LATENCY",
    "HIGHEST_OWN",
    "InvalidPreferences",
    "Wrong",
    "looked_at",
    "read_character",
    "read_preferences",
    "read_roles",
]

HIGHEST_LATENCY = 5000.0
HIGHEST_OWN = 1e9
_LANGUAGE = re.compile(r"[a-z]{2,8}(-[a-z0-9]{1,8}){0,3}")
_LONGEST_CHARACTER = 60

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Wrong:
    """One thing that is wrong: where it stands in what was given, and what would be right."""

    path: Path
    words: str

    @property
    def pointer(self) -> str:
        """The path as a JSON pointer, such as `#/maps/veto/0`."""
        steps = (str(step).replace("~", "~0").replace("/", "~1") for step in self.path)
        return "#" + "".join(f"/{step}" for step in steps)


class InvalidPreferences(ValueError):  # noqa: N818 - several errors at once
    """What was given cannot be asked for; `wrong` names each thing."""

    def __init__(self, wrong: Sequence[Wrong]) -> None:
        super().__init__(" ".join(one.words for one in wrong))
        self.wrong = tuple(wrong)


def read_preferences(given: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """Check what somebody asks for in a queue with these settings, and bring it into the form that is kept.

    Raises InvalidPreferences, which names everything that is wrong.
    """
    reading = _Reading([])
    kept = {name: reading.part(name, value, settings) for name, value in given.items()}
    if reading.wrong:
        raise InvalidPreferences(reading.wrong)
    return {name: value for name, value in kept.items() if value}


def looked_at(settings: Settings) -> list[str]:
    """Which preferences matter in a queue with these settings: of the search, and of each player."""
    asked = (condition for condition in BUILT_IN if settings.uses(condition))
    names = [preference.name for condition in asked for preference in condition.preferences]
    return names + (["roles"] if settings.roles else [])


def read_roles(given: Any, settings: Settings, path: Path = ("roles",)) -> list[str]:
    """Check which roles of the queue somebody would take. Raises InvalidPreferences."""
    reading = _Reading([])
    roles = reading.known(
        path,
        given,
        list(settings.roles),
        none=_("This queue has no roles to choose from. Leave them out."),
        other=_("“%(given)s” is not a role of this queue. Its roles are %(names)s."),
    )
    if reading.wrong:
        raise InvalidPreferences(reading.wrong)
    return roles


def read_character(given: Any, path: Path = ("character",)) -> str:
    """Check the name of a character; empty for none. Raises InvalidPreferences."""
    if isinstance(given, str) and len(given) <= _LONGEST_CHARACTER and (given or " ").isprintable():
        return given.strip()
    words = _("%(given)s is not a character. Use at most %(most)d printable characters.")
    raise InvalidPreferences(
        [Wrong(path, words % {"given": _short(given), "most": _LONGEST_CHARACTER})]
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    """What was found wrong so far."""

    wrong: list[Wrong]

    def part(self, name: str, value: Any, settings: Settings) -> Any:
        if name == "own":
            return self._own(value)
        if name not in PREFERENCES:
            known = ", ".join((*PREFERENCES, "own"))
            return self._note(
                (name,),
                _("There is no such preference; the known ones are %(names)s."),
                names=known,
            )
        vocabulary = settings.vocabulary.get(name, ())
        match PREFERENCES[name].kind:
            case PreferenceKind.WORDS:
                words = self._words((name,), value, vocabulary)
                return list(dict.fromkeys(text for _index, text in words))
            case PreferenceKind.LANGUAGES:
                codes = []
                for index, text in self._words((name,), value):
                    codes.append(code := text.lower().replace("_", "-"))
                    if not _LANGUAGE.fullmatch(code):
                        wrong = _(
                            "“%(given)s” is not a language code. Use one such as de or pt-br."
                        )
                        self._note((name, index), wrong, given=text)
                return list(dict.fromkeys(codes))
            case PreferenceKind.LATENCIES:
                return self._latencies(name, value, vocabulary)
            case PreferenceKind.MAPS:
                return self._maps(name, value, [one.name for one in settings.game_maps])

    def known(
        self, path: Path, value: Any, names: Sequence[str], *, none: str, other: str
    ) -> list[str]:
        """Words of a list that all are among `names`, each once; what to say where there are none, and of others."""
        found = []
        for index, text in self._words(path, value):
            if text not in names:
                words = other % {"given": text, "names": ", ".join(names)} if names else none
                self._note((*path, index), words)
            found.append(text)
        return list(dict.fromkeys(found))

    def _latencies(
        self, name: str, value: Any, vocabulary: Sequence[str]
    ) -> dict[str, float | None]:
        if isinstance(value, list | tuple):
            return {text: None for _index, text in self._words((name,), value, vocabulary)}
        if not isinstance(value, Mapping):
            words = _(
                "%(given)s is neither a list of regions nor milliseconds by region, such as "
                '{"eu": 35}.'
            )
            self._note((name,), words, given=_short(value))
            return {}
        if not self._check_number((name,), value):
            return {}
        found = {}
        for word, latency in value.items():
            for text in self._word((name, word), word, vocabulary):
                if latency is None or (_is_number(latency) and 0 <= latency <= HIGHEST_LATENCY):
                    found[text] = None if latency is None else float(latency)
                    continue
                words = _("%(given)s is not a latency. Give milliseconds from 0 to %(most)d.")
                self._note((name, word), words, given=_short(latency), most=HIGHEST_LATENCY)
        return found

    def _maps(self, name: str, value: Any, names: Sequence[str]) -> dict[str, list[str]]:
        if not isinstance(value, Mapping) or set(value) - {"veto", "like"}:
            words = _("Maps are an object with “veto” and “like”, each a list of names.")
            self._note((name,), words)
            return {}
        none = _("This queue has no maps to choose from. Leave them out.")
        other = _("“%(given)s” is not a map of this queue. Its maps are %(names)s.")
        found = {
            kind: self.known((name, kind), value.get(kind, []), names, none=none, other=other)
            for kind in ("veto", "like")
        }
        if names and set(names) <= set(found["veto"]):
            self._note((name, "veto"), _("At least one map has to be left to play on."))
        for index, liked in enumerate(found["like"]):
            if liked in found["veto"]:
                words = _("“%(map)s” is both vetoed and liked. Choose one.")
                self._note((name, "like", index), words, map=liked)
        return {kind: maps for kind, maps in found.items() if maps}

    def _own(self, value: Any) -> dict[str, float]:
        if not isinstance(value, Mapping):
            self._note(("own",), _("The game's own preferences are an object of numbers by name."))
            return {}
        if not self._check_number(("own",), value):
            return {}
        found = {}
        for name, number in value.items():
            if not _is_number(number) or abs(number) > HIGHEST_OWN:
                words = _("%(given)s is not a number from %(least)d to %(most)d.")
                self._note(
                    ("own", name), words, given=_short(number), least=-HIGHEST_OWN, most=HIGHEST_OWN
                )
                continue
            for text in self._word(("own", name), name):
                found[text] = float(number)
        return found

    def _words(
        self, path: Path, value: Any, names: Sequence[str] = ()
    ) -> Iterator[tuple[int, str]]:
        """The words of a list with their indexes; notes whatever is none, or not among `names` if there are any."""
        if not isinstance(value, Sequence) or isinstance(value, str):
            self._note(path, _("This must be a list of words."))
            return
        self._check_number(path, value)
        for index, text in enumerate(value[:MOST_WORDS]):
            for word in self._word((*path, index), text, names):
                yield index, word

    def _word(self, path: Path, text: Any, names: Sequence[str] = ()) -> Iterator[str]:
        word = text.strip() if isinstance(text, str) else ""
        if not (1 <= len(word) <= LONGEST_WORD and word.isprintable()):
            words = _("%(given)s is not a word. Use 1 to %(most)d printable characters.")
            self._note(path, words, given=_short(text), most=LONGEST_WORD)
        elif names and word not in names:
            words = _("This queue does not know “%(given)s”. It knows %(names)s.")
            self._note(path, words, given=word, names=", ".join(names))
        else:
            yield word

    def _check_number(self, path: Path, value: Sequence[Any] | Mapping[str, Any]) -> bool:
        if len(value) <= MOST_WORDS:
            return True
        words = _("%(number)d are too many: %(most)d at most.")
        self._note(path, words, number=len(value), most=MOST_WORDS)
        return False

    def _note(self, path: Path, words: str, **values: object) -> None:
        self.wrong.append(Wrong(path, words % values if values else words))


def _is_number(value: Any) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return not isinstance(value, float) or math.isfinite(value)  # asked of 10**400, it raises


def _short(value: Any) -> str:
    """What was given, no longer than a line."""
    text = f"“{value}”" if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
