"""Whether words name a person who is taken out of the site: by a name, an address, or an id in a game."""

import gettext
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from functools import cache
from urllib.parse import unquote

from allauth.account.models import EmailAddress
from django.conf import settings

from accounts.models import User
from ratings.models import FormerName, Player

__all__ = ["REMOVED", "Naming", "naming_of", "strict_naming_of"]


def _ranges(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """First and last of each run."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


REMOVED = "(removed)"
_SHORTEST_NAME, _SHORTEST_ID = 2, 3
_LONGEST_SHARED = 6  # signs of ids with digits that others may have
_QUOTES = "\"'`“”„‟‘’‚«»‹›「」"
_WORD = re.compile(r"[^\W_]+")
# Signs of scripts without capitals (category Lo), which may have no spaces, or write other words to a name: ranges.
_UNCASED = "".join(
    f"{chr(first)}-{chr(last)}"
    for first, last in _ranges(
        sign for sign in range(0x80, 0x30000) if unicodedata.category(chr(sign)) == "Lo"
    )
)
_ENDING_WORD = re.compile(rf"[^\W_{_UNCASED}]+")
# Hosts of links, also of one within another, and of one that is written without what it begins with.
_HOST = re.compile(
    r"(?:https?|ftp)(?:://|%3a%2f%2f)(?:[^\s/?#@]*@)?(?P<host>[^\s/?#%&]+)"
    r"|(?<![^\W_])(?P<bare>(?:[^\W_](?:[^\W_]|-)*\.)+[a-z]{2,})(?=/)"
)
_DIGITS = re.compile(r"(?<![^\W_])\d+(?![^\W_])")
_LONG_NUMBER = re.compile(r"\d{5}")
_LINK = re.compile(r"https?://[^\s/?#]+(?P<path>[/?#]\S*)", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")
# A sign with the accents that some systems write after it; any blanks are one.
_SIGN = re.compile(r"\s+|.[\u0300-\u036f\u3099\u309a]*", re.DOTALL)
# What links and reports are made of, where the site's own pages do not say it.
_REPORTING = """
abuse abused abusive afk aim aimbot ban banned boost boosting bot bots bug chat cheat cheated cheater cheaters cheating
cheats clip clips com demo discord dodge evidence exploit flame going hack hacked hacker hacks harass harassed he him
his html http https imgur insult insulted insults laggy macro moderator mute net offensive org proof quit racist saw
screen screenshot script she slur smurf smurfing spam streamable swear swears swore threat threatened toxic tv twitch
twitter using very video videos voice wallhack wallhacks warn watch www youtu youtube
album albums app apps attachments bilibili catbox cdn channel channels comments discordapp download downloads drive
dropbox embed facebook feature file filedetails files folder folders gallery google image images img index instagram
kick live match matches media message messages onedrive outplayed page pages pastebin photo photos pic pics playlist
post posts profile profiles public redirect reel reels replay replays share shared sharedfiles sharing shorts status
steamcommunity stream streams thread tiktok upload uploads user users usp view wiki
disconnect disconnected esp fake glitch griefing gyazo headshot headshots lag lagged liar lied medal obvious ragequit
reddit speedhack spinbot steam teaming throwing triggerbot vimeo wallhacking
aufnahme beleidigt beleidigung betrogen betrug betrüger beweis cheatet gelogen hackt lügen mogelt sagte schummelt
"""


class Naming:
    """What a person is called: names of players, and ids: the account's name, addresses, ids in games.

    Each is found as a whole word, however it is written in capitals, blanks and accents, also in the genitive. A
    shorter one stands in too many words of others, one of punctuation in too many sentences: these are found in
    quotation marks alone, or where there is nothing else. One of usual words is not found at all: anybody may take such
    a name to have words about others removed. Nor is the host of a link, as many people's links are; what a link says
    below it is found as if it were written out.
    """

    def __init__(
        self,
        names: Iterable[str],
        ids: Iterable[str],
        usual: Set[str] = frozenset(),
        *,
        is_strict: bool = False,
    ) -> None:
        self._usual, self._is_strict = usual, is_strict
        shortest = dict.fromkeys(map(_folded, ids), _SHORTEST_ID)
        shortest |= dict.fromkeys(map(_folded, names), _SHORTEST_NAME)
        called = {word.strip(): least for word, least in shortest.items() if word.strip()}
        self.passed_over = {word for word in called if _is_usual(word, usual)}
        self._shortest = {
            word: least for word, least in called.items() if word not in self.passed_over
        }
        # There may be thousands: only those are looked for whose first word is there, or that may begin within a word.
        self._by_word, self._anywhere = defaultdict[str, list[str]](list), list[str]()
        for one in self._shortest:
            words = _WORD.findall(one)
            if words and all(_ends_words(sign) for word in words for sign in word):
                self._by_word[words[0]].append(one)
            else:
                self._anywhere.append(one)

    @property
    def words(self) -> set[str]:
        """All words of what the person is called."""
        return {word for called in self._shortest for word in _WORD.findall(called)}

    def but_for(self, usual: Set[str]) -> "Naming":
        """The same without what is made of these words, too: but for long ids with digits, which are nobody else's."""
        called = self._shortest.items()
        names = [word for word, least in called if least == _SHORTEST_NAME]
        ids = [word for word, least in called if least == _SHORTEST_ID]
        own = {word for one in ids if _is_own_id(one) for word in _WORD.findall(one)}
        fewer = Naming(names, ids, self._usual | (usual - own))
        fewer.passed_over |= self.passed_over
        return fewer

    def found_in(self, text: str) -> list[str]:
        """Which of these stand in the text, as they are compared."""
        found = self._found(_without_hosts(_folded(text)))
        if "%" in text:
            found |= self._found(_without_hosts(_folded(unquote(text))))
        return sorted(found)

    def are_in(self, text: str) -> bool:
        """Whether the text names the person."""
        return bool(self.found_in(text))

    def cut_from(self, text: str) -> str:
        """The text without what names the person."""
        if "%" in text:
            text = _LINK.sub(self._cut_encoded, text)
        found = self.found_in(text)
        if not found:
            return text
        folded, at = _fold(text)
        for one in reversed(list(self._pattern(found).finditer(_without_hosts(folded)))):
            text = text[: at[one.start()]] + REMOVED + text[at[one.end()] :]
        return text

    def _cut_encoded(self, link: re.Match[str]) -> str:
        """The link without what it says below its host, where that names the person in signs of links."""
        path = link["path"]
        plain = unquote(path)
        if plain == path or not self.are_in(plain):
            return link[0]
        return f"{link[0].removesuffix(path)}/{REMOVED}"

    def _found(self, folded: str) -> set[str]:
        return {one for one in self._may_be_in(folded) if self._pattern([one]).search(folded)}

    def _may_be_in(self, folded: str) -> set[str]:
        words = set(_ENDING_WORD.findall(folded))
        words |= {word.removesuffix("s") for word in words}  # in the genitive
        near = {called for word in words for called in self._by_word.get(word, ())}
        return near | {called for called in self._anywhere if called in folded}

    def _pattern(self, called: Iterable[str]) -> re.Pattern[str]:
        longest = sorted(called, key=len, reverse=True)  # a name before a part of it
        return re.compile("|".join(_pattern_of(one, is_bare=self._is_bare(one)) for one in longest))

    def _is_bare(self, called: str) -> bool:
        """Whether it names the person in a sentence: not a name of one sign, or one that reads as a score, a date or a
        time, of digits and signs with no five digits in a row.
        """
        least = self._shortest[called]
        if len(called) < least or not any(map(str.isalnum, called)):
            return False
        has_letters = any(map(str.isalpha, called))
        is_id = least == _SHORTEST_ID
        return has_letters or is_id or self._is_strict or bool(_LONG_NUMBER.search(called))


def naming_of(players: Sequence[Player], user: User | None) -> Naming:
    """Of players who are one person, and of the account where it is meant, too. Addresses that nobody has confirmed may
    be another's. Usual words name nobody.
    """
    return Naming(*_called(players, user, only_confirmed=True), _usual_words())


def strict_naming_of(players: Sequence[Player], user: User | None) -> Naming:
    """The same of words about this person alone: with usual words, figures, and addresses that nobody has confirmed."""
    return Naming(*_called(players, user, only_confirmed=False), is_strict=True)


def _called(
    players: Sequence[Player], user: User | None, *, only_confirmed: bool
) -> tuple[list[str], list[str]]:
    """Names, and ids."""
    former = FormerName.objects.filter(player__in=[one.pk for one in players])
    names = [*(player.name for player in players), *former.values_list("name", flat=True)]
    ids = [player.external_id for player in players]
    if user is not None:
        addresses = EmailAddress.objects.filter(user=user)
        if only_confirmed:
            addresses = addresses.filter(verified=True)
        ids += [user.username, *addresses.values_list("email", flat=True)]
    return names, ids


@cache
def _usual_words() -> frozenset[str]:
    """Those of the site's own pages, in each of its languages, and of reports."""
    texts = [_REPORTING]
    for language, _ in settings.LANGUAGES:
        for folder in settings.LOCALE_PATHS:
            spoken = gettext.translation("django", folder, [language], fallback=True)
            told: dict[str | tuple[str, int], str] = getattr(spoken, "_catalog", {})
            for asked, text in told.items():
                if asked:  # else it tells of the catalogue itself
                    texts += [asked if isinstance(asked, str) else asked[0], text]
    return frozenset(word for text in texts for word in _WORD.findall(_folded(text)))


def _is_usual(called: str, usual: Set[str]) -> bool:
    words = _WORD.findall(called)
    if not words or "@" in called:  # an address is its owner's, who has confirmed it
        return False
    # Names are found with an “s” after them, too, as in the genitive: “thi” in “this”.
    last_is_usual = words[-1] in usual or f"{words[-1]}s" in usual
    if len(words) == 1:
        return len(words[0]) > 1 and last_is_usual
    # “player 77” is somebody.
    return (
        last_is_usual and all(word in usual for word in words[:-1]) and not _DIGITS.search(called)
    )


def _without_hosts(folded: str) -> str:
    """The text with the hosts of its links blacked out, every other sign where it was."""
    if "/" not in folded and "%2f" not in folded:
        return folded
    kept = list(folded)
    for link in _HOST.finditer(folded):
        start, end = link.span("host" if link["host"] else "bare")
        kept[start:end] = "\0" * (end - start)
    return "".join(kept)


def _folded(text: str) -> str:
    """As words are compared."""
    return _BLANKS.sub(" ", text).lower() if text.isascii() else _fold(text)[0]


def _fold(text: str) -> tuple[str, list[int]]:
    """As words are compared, with the place in the text of each sign, and of the end."""
    folded, at = list[str](), list[int]()
    for sign in _SIGN.finditer(text):
        plain = unicodedata.normalize("NFC", sign[0]).casefold()
        folded.append(" " if plain.isspace() else plain)
        at += [sign.start()] * len(folded[-1])
    return "".join(folded), [*at, len(text)]


def _pattern_of(word: str, *, is_bare: bool) -> str:
    literal = re.escape(word)
    if not is_bare:
        return rf"(?:\A\s*{literal}\s*\Z|(?<=[{_QUOTES}]){literal}(?=[{_QUOTES}]))"
    before = rf"(?<![^\W_{_UNCASED}])" if _ends_words(word[0]) else ""
    genitive = r"(?:['’]?s)?" if word[-1].isalpha() else ""
    after = rf"{genitive}(?![^\W_{_UNCASED}])" if _ends_words(word[-1]) else ""
    return f"(?:{before}{literal}{after})"


def _is_own_id(called: str) -> bool:
    return len(called) >= _LONGEST_SHARED and any(map(str.isdigit, called))


def _ends_words(sign: str) -> bool:
    """Whether a word can be told to begin or end at this sign. Scripts without capitals (category Lo) may have no
    spaces, or write other words to a name.
    """
    return sign.isalnum() and unicodedata.category(sign) != "Lo"
