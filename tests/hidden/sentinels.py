"""Numbers that nobody may see, and finding them again however they are written."""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from math import floor
from urllib.parse import unquote

from tests.chance import without_chance

__all__ = ["Secret", "find_secrets", "written_forms"]

_MOST_PLACES = 15
# A number of so many significant digits stands in a page by chance only once in many thousands of pages.
_DIGITS = 5
_DIGITS_OF_FRACTIONS = 4
# Numbers as programs write them, as people do, and with thin or plain spaces between thousands.
_TOKENS = [
    re.compile(r"\d+(?:\.\d+)?"),
    re.compile(r"\d+(?:,\d+)?"),
    re.compile(r"\d+(?:[.,'’_\u00a0\u202f\u2009 ]\d+)+"),
]
_NO_DIGIT = re.compile(r"\D")
# Most lines of a page have too few digits for any secret, and nothing that is looked for goes on in the next line.
_ENOUGH_DIGITS = re.compile(rf"(?:\D*+\d){{{min(_DIGITS, _DIGITS_OF_FRACTIONS)}}}")


@dataclass(frozen=True, slots=True)
class Secret:
    """A number and what it says."""

    name: str
    value: float


def written_forms(value: float) -> set[str]:
    """The digits of a number with 0 to 15 decimals, rounded or cut off, and as a percentage.

    Only forms with so many digits that they are no chance; signs, points and commas are left out.
    """
    size = abs(value)
    forms = set(_forms(size))
    if 0 < size < 1:
        forms |= set(_forms(100 * size))
    return forms


def find_secrets(text: str, secrets: Iterable[Secret]) -> list[str]:
    """Say which of the secrets stand in a text, and as what."""
    named = _named(tuple(secrets))
    lines = unquote(html.unescape(text)).split("\n")
    plain = without_chance("\n".join(filter(_ENOUGH_DIGITS.match, lines)))
    found = {
        f"{named[digits]} as {token!r}"
        for token in _numbers(plain)
        if (digits := _NO_DIGIT.sub("", token)) in named
    }
    return sorted(found)


@cache
def _named(secrets: tuple[Secret, ...]) -> dict[str, str]:
    return {form: secret.name for secret in secrets for form in written_forms(secret.value)}


def _forms(size: float) -> Iterator[str]:
    for places in range(_MOST_PLACES + 1):
        cut = floor(size * 10**places) / 10**places
        for text in (f"{size:.{places}f}", f"{cut:.{places}f}"):
            digits = text.replace(".", "")
            least = _DIGITS_OF_FRACTIONS if places else _DIGITS
            if len(digits.strip("0")) >= least:
                yield digits
    whole = _NO_DIGIT.sub("", repr(size))
    if len(whole.strip("0")) >= _DIGITS:
        yield whole


def _numbers(text: str) -> Iterator[str]:
    for pattern in _TOKENS:
        yield from pattern.findall(text)
