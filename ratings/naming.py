"""Comparable names: what two names that a person could mistake for each other have in common."""

import unicodedata

__all__ = ["skeleton_of"]

# Digits and letters that look alike in most typefaces, after case folding.
_LOOK_ALIKES = str.maketrans(
    {
        "0": "o",
        "1": "l",
        "i": "l",
        "|": "l",
        "і": "l",
        "а": "a",
        "е": "e",
        "о": "o",
        "р": "p",
        "с": "c",
        "х": "x",
        "у": "y",
    }
)


def skeleton_of(name: str) -> str:
    """Return `name` without accents, case, spaces and look-alike signs; "Curaçao" and "CURACA0" meet.

    Never empty for a name that has any visible sign: a name of nothing but combining marks stands for itself.
    """
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    kept = (sign for sign in decomposed if unicodedata.category(sign)[0] in "LNPS")
    return ("".join(kept).translate(_LOOK_ALIKES) or name)[:200]
