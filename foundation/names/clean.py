"""Names as they can be shown: without what cannot be seen, or reorders the text around it."""

import unicodedata

__all__ = ["NAMELESS", "clean_name", "isolate"]

# What is left of a name that has nothing to be seen.
NAMELESS = "?"
# More signs above and below one letter than any language writes would cover the lines around it.
_MOST_MARKS = 3
# Letters, symbols and marks that are drawn as nothing: fillers, selectors, the blank of Braille.
_BLANK = frozenset(
    chr(sign)
    for first, last in (
        (0x034F, 0x034F),
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x2065, 0x2065),
        (0x2800, 0x2800),
        (0x3164, 0x3164),
        (0xFE00, 0xFE0F),
        (0xFFA0, 0xFFA0),
        (0xFFF0, 0xFFF8),
        (0xE0000, 0xE0FFF),
    )
    for sign in range(first, last + 1)
)
_SEPARATES = frozenset("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u2028\u2029")


def clean_name(name: str) -> str:
    """Return `name` composed, in one line, with single spaces and without signs that cannot be seen.

    Those of control, of direction (U+202E), of no width and of private use go; a fourth mark on one letter goes.
    Never empty, and a clean name stays as it is.
    """
    if name.isascii() and name.isprintable():
        return " ".join(name.split()) or NAMELESS
    shown = []
    for sign in name:
        category = unicodedata.category(sign)
        if sign in _SEPARATES or category == "Zs":
            shown.append(" ")
        elif category not in ("Cc", "Cf", "Co", "Cs") and sign not in _BLANK:
            shown.append(sign)
    kept, marks = [], 0
    for sign in unicodedata.normalize("NFC", "".join(shown)):
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        if marks <= _MOST_MARKS:
            kept.append(sign)
    return " ".join(unicodedata.normalize("NFC", "".join(kept)).split()) or NAMELESS


def isolate(name: str) -> str:
    """A name for the middle of a plain sentence: one that is written from right to left stays in its place."""
    turns = any(unicodedata.bidirectional(sign) in ("R", "AL", "AN") for sign in name)
    return f"\u2068{name}\u2069" if turns else name
