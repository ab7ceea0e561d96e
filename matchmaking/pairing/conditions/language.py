"""A language in common."""

from dataclasses import dataclass
from typing import ClassVar

from matchmaking.pairing.conditions.shared import Shared

__all__ = ["Language"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language(Shared):
    """Trait `languages`, int64 bits; 0: speaks with everyone."""

    trait: ClassVar[str] = "languages"
