"""Sections of a queue's settings, and the parameters that those of conditions have in common."""

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from ratings.systems.parameters import (
    ParameterError,
    ParameterSet,
    choice,
    gettext_noop,
    number,
    text,
)

__all__ = [
    "LONGEST_WORD",
    "MOST_WORDS",
    "OFF",
    "Section",
    "WordsSection",
    "added_per_second",
    "after_seconds",
    "entries_of",
    "read_words",
    "use_of",
    "words_to_choose_from",
    "worth_seconds",
]

OFF = "off"
# Of what players ask for: letters of a word, and words of a list.
LONGEST_WORD, MOST_WORDS = 40, 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Section(ParameterSet):
    """Parameters of a queue that belong together, declared as fields by the functions of `parameters` and below.

    name      under which a queue keeps it, and the command line knows it: "style"
    title     heading on the page of a queue
    sentence  under the heading: what the section is for
    """

    name: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str]


def use_of(default: str) -> Any:
    """Declare how strictly a condition is meant; `OFF`: not at all."""
    return choice(
        default,
        OFF,
        "must",
        "drop",
        "prefer",
        label=gettext_noop("use"),
        help=gettext_noop(
            "Off; must: never broken; drop: a must until the player has waited for "
            "that long; prefer: forbids nothing, but costs."
        ),
    )


def after_seconds(default: float) -> Any:
    """Declare when a condition is dropped."""
    return number(
        default,
        0,
        3600,
        unit="s",
        label=gettext_noop("dropped after"),
        help=gettext_noop("Seconds of waiting after which a condition is dropped and only costs."),
    )


def worth_seconds(
    default: float,
    help: str = gettext_noop("Seconds that a player would wait to avoid it."),  # noqa: A002
) -> Any:
    """Declare what it costs to break a condition; by default of one that is met or not."""
    return number(default, 0, 3600, unit="s", label=gettext_noop("worth"), help=help)


def added_per_second(default: float, most: float, *, unit: str = "") -> Any:
    """Declare how fast what somebody accepts widens."""
    return number(
        default,
        0,
        most,
        unit=unit,
        label=gettext_noop("added per second"),
        help=gettext_noop("How much more each player accepts for every second of waiting."),
    )


def words_to_choose_from(label: str) -> Any:
    """Declare words that players choose from, see `read_words`."""
    return text(
        "",
        1000,
        label=label,
        help=gettext_noop(
            "What players can choose from, one per line; nothing else is accepted. "
            "Empty: any words."
        ),
    )


def read_words(parameter: str, given: str) -> tuple[str, ...]:
    """Read `eu; us-east`: words that players choose from; none: any. Raises ParameterError."""
    words = entries_of(given)
    for index, word in enumerate(words):
        is_word = len(word) <= LONGEST_WORD and word.isprintable() and word not in words[:index]
        if not is_word or index == MOST_WORDS:
            expected = gettext_noop(
                "must be words of at most %(longest)s letters, each once, %(most)s at most"
            )
            raise ParameterError(parameter, word, expected, longest=LONGEST_WORD, most=MOST_WORDS)
    return tuple(words)


def entries_of(given: str) -> list[str]:
    """Split a list that an operator writes as text: one entry a line, or after a semicolon."""
    return [entry.strip() for entry in re.split(r"[;\n]", given) if entry.strip()]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsSection(Section):
    """Of a condition about words that players choose. A subclass declares `names` anew, to say which words they are."""

    use: str = use_of("off")
    names: str = words_to_choose_from("")
    after: float = after_seconds(30)
    seconds: float = worth_seconds(10)

    def check_together(self) -> None:
        read_words("names", self.names)
