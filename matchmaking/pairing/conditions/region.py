"""A region in common, and how long messages take to it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from matchmaking.pairing.condition import Condition, Shown, Use
from matchmaking.pairing.conditions.shared import sets_of
from matchmaking.pairing.preference import PreferenceDeclaration, PreferenceKind
from matchmaking.pairing.section import (
    Section,
    added_per_second,
    after_seconds,
    read_words,
    use_of,
    words_to_choose_from,
    worth_seconds,
)
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints
from ratings.systems.parameters import gettext_noop, number

__all__ = ["Region"]

_DROPPED = 1 << 62
_NOWHERE = 1000.0  # ms that no region in common counts for where it is allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionSection(Section):
    """A region in common, and how long messages take to it. Whoever names none plays anywhere."""

    name: ClassVar[str] = "region"
    title: ClassVar[str] = gettext_noop("Region and latency")
    sentence: ClassVar[str] = gettext_noop(
        "Whether players need a region in common, and how high the latency to it may be."
    )

    use: str = use_of("off")
    names: str = words_to_choose_from(gettext_noop("regions"))
    after: float = after_seconds(60)
    start: float = number(
        80,
        0,
        5000,
        unit="ms",
        label=gettext_noop("latency at the start"),
        help=gettext_noop("To the best region in common, as the player's game has measured it."),
    )
    per_second: float = added_per_second(2, 1000, unit="ms")
    cap: float = number(
        250,
        0,
        5000,
        unit="ms",
        label=gettext_noop("at most"),
        help=gettext_noop("Waiting never leads to a higher latency."),
    )
    seconds: float = worth_seconds(
        10, gettext_noop("Seconds that a player would wait to avoid 100 ms.")
    )

    def check_together(self) -> None:
        self.check_not_below("start", "cap")
        read_words("names", self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Region(Condition):
    """Milliseconds to the best region that both accept: there, the larger latency of the two.

    Traits: `regions`, int64 bits, 0: anywhere; `latency`, float64 (n, R), ms to each of the
    first R regions, nan: not measured, which fits, inf: not accepted. Either may be missing.
    """

    is_mutual: ClassVar[bool] = True
    shown: ClassVar[Shown] = Shown.MILLISECONDS
    section: ClassVar[type[Section]] = RegionSection
    widens: ClassVar[bool] = True
    unit: ClassVar[float] = 100.0
    preferences: ClassVar[tuple[PreferenceDeclaration, ...]] = (
        PreferenceDeclaration(
            name="regions",
            kind=PreferenceKind.LATENCIES,
            label=gettext_noop("Regions"),
            typed=gettext_noop(
                "Where you would play, separated by commas: eu, us-east. Empty: anywhere."
            ),
            ticked=gettext_noop("Where you would play. None ticked: anywhere."),
            ticket_help='Milliseconds to each region, `{"eu": 35}`, or a list of regions. None: anywhere.',
            queue_help="Regions to choose from.",
        ),
    )
    bucket_trait: ClassVar[str] = "regions"

    def bound(self, tickets: Tickets) -> "_Measured":
        everyone = np.arange(len(tickets))
        return _Measured(
            use=self.use,
            after=self.after,
            widening=self.widening,
            seconds=self.seconds,
            milliseconds=_latencies(tickets, everyone).T.copy(),
        )

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        slower = np.maximum(_latencies(tickets, one), _latencies(tickets, other))
        nearest: Floats = slower.min(axis=1)
        return nearest

    def cost(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        if not self.seconds:
            return np.zeros(len(one))
        cost: Floats = np.minimum(self.distance(tickets, one, other), _NOWHERE) * self.seconds
        return cost

    def is_idle(self, tickets: Tickets) -> bool:
        if (latency := tickets.traits.get("latency")) is not None and (latency > 0).any():
            return False
        return "regions" not in tickets.traits or not tickets.traits["regions"].any()

    def classes(self, tickets: Tickets) -> Ints | None:
        if self.use is Use.PREFER:
            return None
        accepted = np.isfinite(_latencies(tickets, np.arange(len(tickets))))
        sets: Ints = accepted @ (1 << np.arange(accepted.shape[1]))
        return np.where(self.has_dropped(tickets), sets | _DROPPED, sets)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Measured(Region):
    """With the latencies of all tickets at hand: (R, n) ms, as `_latencies` says."""

    milliseconds: Floats

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        slower = np.maximum(
            self.milliseconds.take(one, axis=1), self.milliseconds.take(other, axis=1)
        )
        nearest: Floats = slower.min(axis=0)
        return nearest


def _latencies(tickets: Tickets, positions: Ints) -> Floats:
    """(m, R) ms for every region that anybody names; 0 where not measured, inf if not accepted."""
    sets = sets_of(tickets, "regions", positions)
    measured = tickets.traits["latency"] if "latency" in tickets.traits else np.empty((1, 0))
    # Regions there are: those with a latency, or up to the last that is named.
    named = int(tickets.traits["regions"].max(initial=0)) if "regions" in tickets.traits else 0
    latency = np.zeros((len(positions), max(measured.shape[1], named.bit_length(), 1)))
    if measured.shape[1]:
        known = measured.take(positions, axis=0)
        latency[:, : known.shape[1]] = np.where(np.isnan(known), 0.0, known)
    is_named = sets[:, np.newaxis] >> np.arange(latency.shape[1]) & 1
    return np.where(is_named, latency, np.inf)
