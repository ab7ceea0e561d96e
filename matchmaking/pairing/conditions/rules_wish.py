"""An optional rule that both want."""

from dataclasses import dataclass
from typing import ClassVar

from matchmaking.pairing.conditions.shared import Shared

__all__ = ["RulesWish"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesWish(Shared):
    """Trait `rules`, int64 bits of the rules wanted; 0: plays by any."""

    trait: ClassVar[str] = "rules"
