"""A language in common."""

from dataclasses import dataclass
from typing import ClassVar

from matchmaking.pairing.condition import Shown
from matchmaking.pairing.conditions.shared import Shared
from matchmaking.pairing.preference import PreferenceDeclaration, PreferenceKind
from matchmaking.pairing.section import Section, after_seconds, use_of, worth_seconds
from ratings.systems.parameters import gettext_noop

__all__ = ["Language"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageSection(Section):
    """A language in common. Whoever names none speaks with everyone."""

    name: ClassVar[str] = "language"
    title: ClassVar[str] = gettext_noop("Language")
    sentence: ClassVar[str] = gettext_noop(
        "Whether players need a language in common. Players who choose none can meet anyone."
    )

    use: str = use_of("off")
    after: float = after_seconds(30)
    seconds: float = worth_seconds(20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Language(Shared):
    """Trait `languages`, int64 bits; 0: speaks with everyone."""

    shown: ClassVar[Shown] = Shown.FIT
    section: ClassVar[type[Section]] = LanguageSection
    preferences: ClassVar[tuple[PreferenceDeclaration, ...]] = (
        PreferenceDeclaration(
            name="languages",
            kind=PreferenceKind.LANGUAGES,
            label=gettext_noop("Languages"),
            ticked=gettext_noop("Languages you speak in a match. None ticked: any."),
            ticket_help="Codes such as `de` or `pt-br`. None: plays with everyone.",
        ),
    )
    bucket_trait: ClassVar[str] = "languages"
    trait: ClassVar[str] = "languages"
