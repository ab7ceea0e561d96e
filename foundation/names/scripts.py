"""Words of mixed writing: "highly restrictive" as UTS 39 calls it, judged word by word."""

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache

from foundation.names.tables import script_ranges

__all__ = ["mixed_word", "scripts_of"]

# Letters, digits and marks make a word, everything else parts words: "[RU] Вася" is two.
_WORD = re.compile(r"[^\W_]+(?:[^\W_]|(?<=[^\W_])[\u0300-\u036f])*")
# Ways of writing that belong together, beside each script by itself.
_TOGETHER = (
    frozenset({"Latn", "Hani", "Hira", "Kana"}),
    frozenset({"Latn", "Hani", "Bopo"}),
    frozenset({"Latn", "Hani", "Hang"}),
)


def mixed_word(name: str) -> str:
    """Return the first word of `name` whose letters are of scripts that nobody writes together; else nothing.

    Latin goes with Chinese, Japanese and Korean writing; every other script stays by itself.
    """
    if name.isascii():
        return ""
    for word in _WORD.findall(unicodedata.normalize("NFC", name)):
        used = [scripts for sign in word if (scripts := scripts_of(sign))]
        if (
            used
            and not frozenset.intersection(*used)
            and not any(all(scripts & together for scripts in used) for together in _TOGETHER)
        ):
            return str(word)
    return ""


@lru_cache(maxsize=4096)
def scripts_of(sign: str) -> frozenset[str]:
    """Short names of the scripts in which the sign is used; none for one that all of them use."""
    ranges, code = script_ranges(), ord(sign)
    index = bisect_right(ranges, code, key=lambda it: it[0]) - 1
    if index >= 0 and code <= ranges[index][1]:
        return ranges[index][2]
    return frozenset()
