"""Lines of Half-Life, Source and Source 2: when they were written, and what of a player they can be read as.

A line of a player is `"name<number><id><team>"` and what it did. Names and chat hold whatever their players type, so
the same line can often be read in several ways, of which one was made up by somebody: all of them are found here, and
`source.py` takes the one whose players it knows.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Literal, NamedTuple

__all__ = ["Acts", "Reading", "Someone", "clean", "player_id", "read_player", "split_stamp"]

_STAMP = re.compile(
    r"(?:L )?(\d\d/\d\d/\d{4} - \d\d:\d\d:\d\d)(\.\d{1,3})?(?:: | - )(.*)", re.DOTALL
)
# How a player's name ends. Team and id have no such signs.
_TAIL = re.compile(r'<(\d{1,9})><([^<>"\n]{0,64})>(?:<([^<>"\n]{0,64})>)?"')
_AT = r"(?: \[[-\d. ]{1,60}\])?"
_END = r"(?: \(.*\))?\s*\Z"
_KILLED = re.compile(_AT + ' killed "')
_WITH = re.compile(_AT + r' with "([^"\n]*)"' + _END)
_SUICIDE = re.compile(_AT + r' committed suicide with "([^"\n]*)"' + _END)
_JOINED = re.compile(r' joined team "([^"\n]*)"\s*\Z')
_SWITCHED = re.compile(r" switched from team <[^<>\n]*> to <([^<>\n]*)>\s*\Z")
_ENTERED = re.compile(r" entered the game\s*\Z")
_CONNECTED = re.compile(r' connected, address "[^"\n]*"\s*\Z')
_RENAMED = re.compile(r' changed name to "(.*)"\s*\Z', re.DOTALL)
_LEFT = re.compile(r' disconnected(?: \(reason ".*"\))?\s*\Z', re.DOTALL)
_TRIGGERED = re.compile(r' triggered "([^"\n]*)"(.*)\Z', re.DOTALL)
# What somebody says, and all else that counts for nothing: a way to read a line, too.
_OTHER = re.compile(
    _AT
    + r" (?:say(?:_team)? \"|(?:attacked|assisted|flash-assisted|killed other|purchased|threw|picked|dropped|left"
    r"|blinded|validated|STEAM|spawned|changed role|was|tell|money|Got|Dropped)\b)"
)
_STEAM_2 = re.compile(r"STEAM_[0-5]:([01]):(\d{1,10})")
_STEAM_3 = re.compile(r"\[U:1:(\d{1,10})\]")
_STEAM_64 = re.compile(r"7656119\d{10}")
_FIRST_STEAM = 76561197960265728
_MOST_TAILS = 40  # in one line; more are somebody's joke

Acts = Literal[
    "killed",
    "suicide",
    "joined",
    "entered",
    "connected",
    "renamed",
    "left",
    "triggered",
    "other",
]


class Someone(NamedTuple):
    """A player as a line names it. `id`: Steam's, or `BOT`; `team`: None where the line has none."""

    name: str
    number: str
    id: str
    team: str | None


class Reading(NamedTuple):
    """One way to read a line. `word`: the weapon, the team, the new name, or what was triggered; `rest` behind it."""

    act: Acts
    who: Someone
    whom: Someone | None = None
    word: str = ""
    rest: str = ""


def split_stamp(line: str) -> tuple[datetime, str] | None:
    """The time of a line by its server's clock, which tells no zone, and its words. None: it is no line of a log."""
    found = _STAMP.match(line)
    if found is None:
        return None
    try:
        at = datetime.strptime(found[1], "%m/%d/%Y - %H:%M:%S")  # noqa: DTZ007 - there is no zone
    except ValueError:
        return None
    thousandths = (found[2] or ".0")[1:].ljust(3, "0")
    return at.replace(microsecond=int(thousandths) * 1000), found[3].replace("\0", "").rstrip(
        "\r\n"
    )


def clean(text: str, most: int = 100) -> str:
    """A text without signs that cannot be shown."""
    shown = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(shown.split())[:most].strip()


def player_id(text: str) -> str | None:
    """The 64-bit Steam id that an id of any generation stands for; None where it is no player's."""
    if (found := _STEAM_2.fullmatch(text)) is not None:
        number = int(found[2]) * 2 + int(found[1])
    elif (found := _STEAM_3.fullmatch(text)) is not None:
        number = int(found[1])
    elif _STEAM_64.fullmatch(text):
        return text
    else:
        return None
    # Number 0 is what a server without Steam says of everybody.
    return str(_FIRST_STEAM + number) if number else None


def read_player(words: str) -> list[Reading]:
    """All ways in which the words of a line can be read as those of a player."""
    tails = list(_TAIL.finditer(words))
    if not words.startswith('"') or len(tails) > _MOST_TAILS:
        return []
    return [
        reading
        for index, tail in enumerate(tails)
        for reading in _acts(words, _someone(words, 1, tail), tail.end(), tails[index + 1 :])
    ]


def _someone(words: str, start: int, tail: re.Match[str]) -> Someone:
    return Someone(words[start : tail.start()], tail[1], tail[2], tail[3])


def _acts(words: str, who: Someone, at: int, tails: list[re.Match[str]]) -> Iterator[Reading]:
    """Ways to read what stands behind a player's name."""
    if (found := _KILLED.match(words, at)) is not None:
        for tail in tails:
            if (weapon := _WITH.match(words, tail.end())) is not None:
                yield Reading("killed", who, _someone(words, found.end(), tail), weapon[1])
    elif (found := _SUICIDE.match(words, at)) is not None:
        yield Reading("suicide", who, None, found[1])
    elif (found := _JOINED.match(words, at) or _SWITCHED.match(words, at)) is not None:
        yield Reading("joined", who, None, found[1])
    elif _ENTERED.match(words, at):
        yield Reading("entered", who)
    elif _CONNECTED.match(words, at):
        yield Reading("connected", who)
    elif (found := _RENAMED.match(words, at)) is not None:
        yield Reading("renamed", who, None, found[1])
    elif _LEFT.match(words, at):
        yield Reading("left", who)
    elif (found := _TRIGGERED.match(words, at)) is not None:
        yield Reading("triggered", who, None, found[1], found[2])
    elif _OTHER.match(words, at):
        yield Reading("other", who)
