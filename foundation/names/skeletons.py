"""Skeletons: what two names that a person could mistake for each other have in common.

Unicode's own (UTS 39) compares two texts as they stand there. Names are compared whatever their case: "ТОМ" of
Cyrillic capitals looks like "TOM", which is "Tom". So signs that look alike and letters of one sound in two cases are
put into one class, except where that would make one of two different Latin letters or digits ("Ν" looks like N and
its small form "ν" like v): there the capital decides. I, l, 1 and | are one, and so are O and 0.
"""

import unicodedata
from functools import cache

from foundation.names.clean import clean_name
from foundation.names.tables import prototypes

__all__ = ["LONGEST", "fold", "likeness", "plain", "skeleton_of"]

LONGEST = 200
_ALIKE = {"i": "l", "1": "l", "|": "l", "0": "o"}
_VOICING = (
    7,
    8,
    9,
)  # combining classes of marks that make another letter: nukta, voiced kana, virama


def skeleton_of(name: str) -> str:
    """Return what is left of `name` without case, accents, spaces and look-alikes; "Curaçao" and "СURАCA0" meet.

    Never empty for a name that has anything: a name of nothing but combining marks stands for itself.
    """
    wide = _wide()
    found = "".join(wide.get(sign) or likeness(sign) for sign in fold(clean_name(name)))
    return (found.replace(" ", "") or name)[:LONGEST]


def fold(name: str) -> str:
    """The name in small letters without accents; spaces stay."""
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    return text if text.isascii() else _without_accents(text)


def likeness(sign: str) -> str:
    """The one sign that stands for all that look like this one."""
    return _ALIKE.get(sign, sign) if sign.isascii() else _classes().get(sign, sign)


def plain(sign: str) -> str:
    """As `likeness`, with "æ" as "ae": what one letter of a search is compared by."""
    one = likeness(sign)
    return one if one.isascii() else _wide().get(sign, one)


def _without_accents(text: str) -> str:
    kept = []
    for sign in text:
        category = unicodedata.category(sign)
        is_mark = category == "Mn" and unicodedata.combining(sign) not in (0, *_VOICING)
        if not is_mark and category != "Me":
            kept.append(sign)
    return "".join(kept)


@cache
def _wide() -> dict[str, str]:
    """Small letters that look like several: "m" like "rn"."""
    classes, found = _classes(), dict[str, str]()
    for sign, prototype in sorted(prototypes().items(), key=lambda it: it[0] != it[0].casefold()):
        looks, small = fold(prototype), fold(sign)
        several = len(_without_accents(unicodedata.normalize("NFKD", prototype))) > 1
        if several and len(small) == 1 and small != " ":
            spelt = "".join(_ALIKE.get(it, classes.get(it, it)) for it in looks)
            found.setdefault(small, spelt)
    return found | {sign: found[one] for sign, one in classes.items() if one in found}


@cache
def _classes() -> dict[str, str]:
    """The sign that stands for the class of each sign beyond ASCII: of ASCII where one of those is in it."""
    above: dict[str, str] = {}

    def top(sign: str) -> str:
        sign = _ALIKE.get(sign, sign)
        while sign in above:
            sign = above[sign]
        return sign

    def join(one: str, other: str) -> None:
        first, second = sorted((top(one), top(other)), key=lambda it: (not it.isascii(), it))
        if first != second and not second.isascii():
            above[second] = first

    pairs = [
        (sign, looks)
        for sign, prototype in prototypes().items()
        if len(looks := fold(prototype)) == 1 and not sign.isascii()
    ]
    for sign, _looks in pairs:
        small = sign.casefold()
        if len(small) == 1 and small != sign:
            join(sign, small)
    # capitals before small letters: where the two look like different letters, the capital decides
    for sign, looks in sorted(pairs, key=lambda it: (it[0] == it[0].casefold(), it)):
        join(sign, looks)
    return {sign: top(sign) for sign in above}
