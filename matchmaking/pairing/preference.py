"""What a player may ask for with a search, as the condition that heeds it declares it."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["PreferenceDeclaration", "PreferenceKind"]


class PreferenceKind(StrEnum):
    """How something that a player may ask for is given, checked, kept and handed to a sweep.

    WORDS      a list of words; where the condition's section has `names`, of these. Trait of the same name: int64
               bits. The words of one condition's preferences are numbered together
    LANGUAGES  the same, of codes of languages
    LATENCIES  milliseconds by word, None where not measured, or a list of words; of `names` likewise. Trait of the
               same name: int64 bits, and `latency`: float64 (n, words), nan where not measured, inf where not named
    MAPS       lists `veto` and `like` of maps of the queue. Traits `maps_vetoed` and `maps_liked`: int64 bits
    """

    WORDS = "words"
    LANGUAGES = "languages"
    LATENCIES = "latencies"
    MAPS = "maps"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceDeclaration:
    """Something that a player may ask for; whoever does not is content with anything.

    name          in what is kept of a ticket, in the API, and in the search form
    kind          how it is given
    label         of its field in the search form
    typed         help text of the field where words are typed, as the queue knows none
    ticked        help text of the field where they are ticked
    ticket_help   what the API's description says of it in a ticket
    queue_help    what it says of the list of the queue's words under the same name; empty: there is no such list
    parts         the lists that it is made up of, if several
    """

    name: str
    kind: PreferenceKind = PreferenceKind.WORDS
    label: str = ""
    typed: str = ""
    ticked: str = ""
    ticket_help: str = ""
    queue_help: str = ""
    parts: tuple["PreferenceDeclaration", ...] = ()
