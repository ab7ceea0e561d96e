"""Players who tell the same of themselves."""

from dataclasses import dataclass
from typing import ClassVar

from matchmaking.pairing.condition import Shown
from matchmaking.pairing.conditions.shared import Shared
from matchmaking.pairing.section import Section, after_seconds, use_of, worth_seconds
from ratings.systems.parameters import choice, gettext_noop

__all__ = ["Alike", "AlikeSection"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlikeSection(Section):
    """Whether players meet who tell the same of themselves. Whoever tells nothing meets anyone."""

    name: ClassVar[str] = "alike"
    title: ClassVar[str] = gettext_noop("Profiles")
    sentence: ClassVar[str] = gettext_noop(
        "Whether players who tell the same of themselves meet. Players who tell nothing can meet anyone."
    )

    use: str = use_of("off")
    by: str = choice(
        "tags",
        "country",
        "age_group",
        "plays_for",
        "tags",
        label=gettext_noop("by"),
        help=gettext_noop(
            "What of a profile is compared; of tags one in common is enough. Also what players let "
            "nobody see."
        ),
    )
    after: float = after_seconds(30)
    seconds: float = worth_seconds(10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alike(Shared):
    """Trait `alike`, int64 bits of what the players of a ticket tell; 0: nothing, and that fits any."""

    shown: ClassVar[Shown] = Shown.FIT
    section: ClassVar[type[Section]] = AlikeSection
    trait: ClassVar[str] = "alike"
