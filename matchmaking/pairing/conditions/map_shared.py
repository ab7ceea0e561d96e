"""A map to play on."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from matchmaking.pairing.condition import Condition, Shown
from matchmaking.pairing.preference import PreferenceDeclaration, PreferenceKind
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints
from ratings.systems.parameters import gettext_noop

if TYPE_CHECKING:
    from matchmaking.pairing.plan import Plan
    from matchmaking.pairing.settings import Settings

__all__ = ["MapShared"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MapShared(Condition):
    """Distance 1 where the two together have vetoed every map.

    maps  how many the queue has, 1..62; trait `maps_vetoed`: int64 bits, map 0 is the lowest

    On where the queue's section `maps` names some.
    """

    is_mutual: ClassVar[bool] = True
    label: ClassVar[str] = gettext_noop("A map in common")
    shown: ClassVar[Shown] = Shown.FIT
    is_always_held: ClassVar[bool] = True
    preferences: ClassVar[tuple[PreferenceDeclaration, ...]] = (
        PreferenceDeclaration(
            name="maps",
            kind=PreferenceKind.MAPS,
            parts=(
                PreferenceDeclaration(
                    name="veto",
                    label=gettext_noop("Maps you veto"),
                    ticked=gettext_noop(
                        "You'll never be matched on these. At least one has to be left."
                    ),
                    ticket_help="Never on these. One map at least must be left.",
                ),
                PreferenceDeclaration(
                    name="like",
                    label=gettext_noop("Maps you like"),
                    ticked=gettext_noop("These are preferred."),
                    ticket_help="Rather on these.",
                ),
            ),
        ),
    )

    maps: int

    @classmethod
    def is_on(cls, settings: "Settings") -> bool:
        return bool(settings.game_maps)

    @classmethod
    def of(cls, plan: "Plan") -> Self:
        return cls(maps=len(plan.settings.game_maps))

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        if "maps_vetoed" not in tickets.traits:
            return np.zeros(len(one))
        vetoed = tickets.traits["maps_vetoed"]
        left = ~(vetoed.take(one) | vetoed.take(other)) & ((1 << self.maps) - 1)
        nothing: Floats = (left == 0).astype(np.float64)
        return nothing

    def is_idle(self, tickets: Tickets) -> bool:
        return "maps_vetoed" not in tickets.traits or not tickets.traits["maps_vetoed"].any()
