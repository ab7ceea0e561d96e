"""Whether words name a person who is taken out of the site: by a name, an address, or an id in a game."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from allauth.account.models import EmailAddress
from django.db.models import Q

from accounts.models import User
from ratings.models import FormerName, Player

__all__ = ["REMOVED", "Naming", "naming_of"]

REMOVED = "(removed)"
_SHORTEST_NAME, _SHORTEST_ID = 2, 3
_QUOTES = "\"'`“”„‟‘’‚«»‹›「」"


class Naming:
    """What a person is called: names of players, and ids: the account's name, addresses, ids in games.

    Each is found as a whole word, in capitals or small letters, also in the genitive. A shorter one stands in too many
    words of others, one of punctuation in too many sentences: these are found in quotation marks alone, or where there
    is nothing else.
    """

    def __init__(self, names: Iterable[str], ids: Iterable[str]) -> None:
        shortest = dict.fromkeys(filter(None, ids), _SHORTEST_ID)
        shortest |= dict.fromkeys(filter(None, names), _SHORTEST_NAME)
        self._called = sorted(shortest, key=len, reverse=True)  # a name before a part of it
        patterns = (_pattern_of(word, shortest[word]) for word in self._called)
        self._pattern = re.compile("|".join(patterns), re.IGNORECASE)

    def may_be_in(self, column: str) -> Q:
        """Rows among which all are that name the person in this column, and few others: ask `are_in` of each."""
        return Q(*[(f"{column}__icontains", word) for word in self._called], _connector=Q.OR)

    def are_in(self, text: str) -> bool:
        """Whether the text names the person."""
        return self._pattern.search(text) is not None

    def cut_from(self, text: str) -> str:
        """The text without what names the person."""
        return self._pattern.sub(REMOVED, text)


def naming_of(
    players: Sequence[Player], user: User | None, *, also_unconfirmed: bool = False
) -> Naming:
    """Of players who are one person, and of the account where it is meant, too. Addresses that nobody has confirmed may
    be another's.
    """
    former = FormerName.objects.filter(player__in=[one.pk for one in players])
    names = [*(player.name for player in players), *former.values_list("name", flat=True)]
    ids = [player.external_id for player in players]
    if user is not None:
        addresses = EmailAddress.objects.filter(user=user)
        if not also_unconfirmed:
            addresses = addresses.filter(verified=True)
        ids += [user.username, *addresses.values_list("email", flat=True)]
    return Naming(names, ids)


def _pattern_of(word: str, shortest: int) -> str:
    literal = re.escape(word)
    if len(word) < shortest or not any(map(str.isalnum, word)):
        return rf"(?:\A\s*{literal}\s*\Z|(?<=[{_QUOTES}]){literal}(?=[{_QUOTES}]))"
    before = r"(?<![^\W_])" if _ends_words(word[0]) else ""
    genitive = r"(?:['’]?s)?" if word[-1].isalpha() else ""
    after = rf"{genitive}(?![^\W_])" if _ends_words(word[-1]) else ""
    return f"(?:{before}{literal}{after})"


def _ends_words(sign: str) -> bool:
    """Whether a word can be told to begin or end at this sign. Scripts without capitals (category Lo) may have no
    spaces, or write other words to a name.
    """
    return sign.isalnum() and unicodedata.category(sign) != "Lo"
