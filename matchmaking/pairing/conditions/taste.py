"""Who is likely to enjoy playing together meets first."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from matchmaking.pairing.condition import Condition, Shown, Use
from matchmaking.pairing.section import OFF, Section
from matchmaking.pairing.taste.factors import scores_of
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints
from ratings.systems.parameters import choice, gettext_noop, number

if TYPE_CHECKING:
    from matchmaking.pairing.plan import Plan

__all__ = ["Taste", "TasteSection"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TasteSection(Section):
    """Who is likely to enjoy playing together meets first. Never a must: nobody is kept from anybody by it."""

    name: ClassVar[str] = "taste"
    title: ClassVar[str] = gettext_noop("Feedback")
    sentence: ClassVar[str] = gettext_noop(
        "Players who are likely to enjoy playing together, by what they said after matches, are brought together "
        "where it costs little else. Nobody sees what others said, not even you."
    )

    use: str = choice(
        "prefer",
        OFF,
        "prefer",
        label=gettext_noop("use"),
        help=gettext_noop("Off; prefer: forbids nothing, but counts."),
    )
    seconds: float = number(
        10,
        0,
        20,
        unit="s",
        label=gettext_noop("worth"),
        help=gettext_noop(
            "Seconds that a player would wait for somebody they surely enjoy instead of somebody they surely don't. "
            "The more, the easier players could guess what others said of them."
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Taste(Condition):
    """From 0, both surely enjoy it, over 0.5, nobody knows, to 1, neither does; the mean of both directions.

    Ties `taste`, -1..1, of the pairs of which something is known; of others traits `taste_author` and `taste_subject`,
    float64 (n, f), the learned vectors of a ticket: how much one leans to another is their product, in both directions.
    There only where the game has any feedback.
    """

    is_mutual: ClassVar[bool] = True
    shown: ClassVar[Shown] = Shown.SHARE
    section: ClassVar[type[Section]] = TasteSection

    @classmethod
    def of(cls, plan: "Plan") -> Self | None:
        if not plan.has_feedback:
            return None
        return cls.from_section(plan.settings.section(TasteSection))

    @classmethod
    def from_section(cls, section: Any, **further: Any) -> Self:
        return cls(use=Use.PREFER, seconds=section.seconds / cls.unit, **further)

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        score = np.zeros(len(one))
        if "taste_author" in tickets.traits:
            score = 0.5 * (_leaning(tickets, one, other) + _leaning(tickets, other, one))
        if "taste" in tickets.ties:
            known = tickets.ties["taste"].between(one, other)
            score = np.where(np.isnan(known), score, known)
        far: Floats = np.clip(0.5 - 0.5 * score, 0.0, 1.0)
        return far

    def is_idle(self, tickets: Tickets) -> bool:
        is_tied = "taste" in tickets.ties and bool((tickets.ties["taste"].value != 0).any())
        return not is_tied and "taste_author" not in tickets.traits


def _leaning(tickets: Tickets, one: Ints, other: Ints) -> Floats:
    """-1..1, factor by factor, so that it is the same to the bit whatever else is asked."""
    wants, offers = tickets.traits["taste_author"], tickets.traits["taste_subject"]
    total = np.zeros(len(one))
    for factor in range(wants.shape[1]):
        total += wants[:, factor].take(one) * offers[:, factor].take(other)
    return scores_of(total)
