"""An optional rule that both want."""

from dataclasses import dataclass
from typing import ClassVar

from matchmaking.pairing.condition import Shown
from matchmaking.pairing.conditions.shared import Shared
from matchmaking.pairing.preference import PreferenceDeclaration
from matchmaking.pairing.section import Section, WordsSection, words_to_choose_from
from ratings.systems.parameters import gettext_noop

__all__ = ["OptionalRules"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesSection(WordsSection):
    """Optional rules that both want. Whoever names none takes any."""

    name: ClassVar[str] = "rules"
    title: ClassVar[str] = gettext_noop("Optional rules")
    sentence: ClassVar[str] = gettext_noop(
        "Whether players want the same optional rules. Players who choose none accept any."
    )

    names: str = words_to_choose_from(gettext_noop("rules"))


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionalRules(Shared):
    """Trait `rules`, int64 bits of the rules wanted; 0: plays by any."""

    shown: ClassVar[Shown] = Shown.FIT
    section: ClassVar[type[Section]] = RulesSection
    preferences: ClassVar[tuple[PreferenceDeclaration, ...]] = (
        PreferenceDeclaration(
            name="rules",
            label=gettext_noop("Rules"),
            typed=gettext_noop("Optional rules you would like, separated by commas. Empty: any."),
            ticked=gettext_noop("Optional rules you would like. None ticked: any."),
            ticket_help="Optional rules that the player wants.",
            queue_help="Optional rules to choose from.",
        ),
    )
    trait: ClassVar[str] = "rules"

    @classmethod
    def record_name(cls) -> str:
        return "rules_wish"  # as older records have it
