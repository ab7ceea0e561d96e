"""The style of play that each wants of the other."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from matchmaking.pairing.condition import Condition, Shown
from matchmaking.pairing.conditions.shared import sets_of
from matchmaking.pairing.preference import PreferenceDeclaration
from matchmaking.pairing.section import Section, WordsSection, words_to_choose_from
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints
from ratings.systems.parameters import gettext_noop

__all__ = ["Style"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StyleSection(WordsSection):
    """The style of play that both want. Whoever names none plays with everyone."""

    name: ClassVar[str] = "style"
    title: ClassVar[str] = gettext_noop("Style of play")
    sentence: ClassVar[str] = gettext_noop(
        "Whether players want the same style of play. Players who choose none can meet anyone."
    )

    names: str = words_to_choose_from(gettext_noop("styles"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Style(Condition):
    """Distance 1 where `other` plays in no style that `one` wants.

    Traits, int64 bits: `styles`, in which a ticket plays, 0: in any; `styles_wanted`, 0: any.
    """

    shown: ClassVar[Shown] = Shown.FIT
    section: ClassVar[type[Section]] = StyleSection
    preferences: ClassVar[tuple[PreferenceDeclaration, ...]] = (
        PreferenceDeclaration(
            name="styles",
            label=gettext_noop("Your style"),
            typed=gettext_noop("How you play, separated by commas: attack, defence."),
            ticked=gettext_noop("How you play."),
            ticket_help="Styles in which the player plays.",
            queue_help="Styles of play to choose from, for `styles` and `styles_wanted`.",
        ),
        PreferenceDeclaration(
            name="styles_wanted",
            label=gettext_noop("Style you're looking for"),
            typed=gettext_noop("Styles of those you would like to play with. Empty: any."),
            ticked=gettext_noop("Styles of those you would like to play with. None ticked: any."),
            ticket_help="Styles in which the others should play.",
        ),
    )
    bucket_trait: ClassVar[str] = "styles"

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        wanted, played = (
            sets_of(tickets, "styles_wanted", one),
            sets_of(tickets, "styles", other),
        )
        apart: Floats = ((wanted & played) == 0).astype(np.float64)
        return apart

    def is_idle(self, tickets: Tickets) -> bool:
        return any(
            name not in tickets.traits or not tickets.traits[name].any()
            for name in ("styles", "styles_wanted")
        )
