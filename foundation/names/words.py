"""Names cut into words, so that a search finds those in the middle too."""

import re
import unicodedata

from foundation.names.clean import clean_name
from foundation.names.scripts import scripts_of
from foundation.names.skeletons import fold, plain

__all__ = ["LONGEST_QUERY", "search_keys", "search_words"]

LONGEST_QUERY = 100
_MOST_KEYS = 16
# Where a word ends and the next begins without anything between: "TomFarthing", "farthing99", "v2Tom".
_BORDER = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
# Writings without spaces, where every sign may begin a word.
_UNSPACED = frozenset({"Hani", "Hira", "Kana", "Thai", "Laoo", "Khmr", "Mymr"})


def search_keys(name: str) -> list[str]:
    """Return the key of the whole name, then of what begins at each further word: of "Tom Farthing" "tomfarthing"
    and "farthing". Beginnings of these are found.
    """
    words = search_words(name)
    keys = ["".join(words[index:])[:LONGEST_QUERY] for index in range(min(len(words), _MOST_KEYS))]
    return list(dict.fromkeys(keys))


def search_words(text: str) -> list[str]:
    """The words of a name, as searches compare them: small letters without accents and signs between, look-alikes
    made one. None where it has neither letter nor digit nor symbol.
    """
    words = []
    for run in re.split(r"[\s_]+", clean_name(text)):
        # Cut before capitals, at signs, and everywhere where words are not parted in writing.
        marked, before = [], ""
        for sign in unicodedata.normalize("NFC", run):
            begins = (
                (before and before.islower() and sign.isupper())
                or not (sign.isalnum() or unicodedata.category(sign)[0] in "MS")
                or (sign.isalpha() and scripts_of(sign) & _UNSPACED)
            )
            marked.append(f" {sign}" if begins else sign)
            before = sign
        for piece in _BORDER.sub(" ", "".join(marked)).split():
            kept = (sign for sign in fold(piece) if unicodedata.category(sign)[0] in "LNMS")
            if key := "".join(map(plain, kept)):
                words.append(key)
    return words
