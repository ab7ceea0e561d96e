"""Which levels, and which of their buckets, each ticket has entered by now."""

from dataclasses import dataclass

import numpy as np

from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.settings.text_lists import Level
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Ints

__all__ = ["Entered", "enter_levels", "named_criteria"]

# The traits that say in bits what a ticket names; no bit: nothing in particular.
_TRAITS = {"language": "languages", "region": "regions", "style": "styles"}


@dataclass(frozen=True, slots=True, eq=False)
class Entered:
    """Who is in which bucket of one level, long format, a row for each ticket in each bucket.

    ticket  int64, positions
    bucket  int64, 0..b-1, in no order that means anything
    """

    ticket: Ints
    bucket: Ints


def enter_levels(tickets: Tickets, plan: Plan) -> list[Entered]:
    """The buckets of each level, strictest first.

    A ticket starts at the first level of which it names every criterion: who speaks any language
    need not wait in the buckets of languages. It enters a level when the time of those since its
    start is over, and stays in all it has entered. There, a ticket that names nothing is in the
    bucket of everything that anybody names.
    """
    levels = plan.settings.levels
    named = named_criteria(tickets, plan)
    is_in = _has_entered(tickets, levels, named)
    return [
        _enter(level, np.flatnonzero(is_in[:, index]), named) for index, level in enumerate(levels)
    ]


def named_criteria(tickets: Tickets, plan: Plan) -> dict[str, Ints]:
    """What each ticket names of every criterion, as bits; of the skill its class."""
    nothing = np.zeros(len(tickets), dtype=np.int64)
    named = {
        criterion: np.asarray(tickets.traits.get(trait, nothing), dtype=np.int64)
        for criterion, trait in _TRAITS.items()
    }
    classes = np.searchsorted(plan.settings.borders, tickets.rating, side="right")
    return {**named, "skill": classes + 1}


def _has_entered(tickets: Tickets, levels: tuple[Level, ...], named: dict[str, Ints]) -> Bools:
    """(n, levels) whether each ticket has entered each level."""
    begins = np.cumsum([0.0, *(level.seconds for level in levels[:-1])])
    fits = np.ones((len(tickets), len(levels)), dtype=np.bool_)
    for index, level in enumerate(levels):
        for criterion in level.by:
            fits[:, index] &= named[criterion] != 0
    start = fits.argmax(axis=1)  # the first level where nothing fits: no level does without
    since_start = begins - begins[start][:, np.newaxis]
    is_due = tickets.waited[:, np.newaxis] >= since_start
    entered: Bools = is_due & (np.arange(len(levels)) >= start[:, np.newaxis])
    return entered


def _enter(level: Level, ticket: Ints, named: dict[str, Ints]) -> Entered:
    """Spread tickets over the buckets of a level: one for each combination of what they name."""
    key = np.zeros((len(ticket), 0), dtype=np.int64)
    for criterion in level.by:
        value = named[criterion][ticket]
        if criterion == "skill":
            key = np.column_stack((key, value))
        else:
            row, bit = _bits_of(value)
            ticket, key = ticket[row], np.column_stack((key[row], bit))
    if not level.by:
        return Entered(ticket, np.zeros(len(ticket), dtype=np.int64))
    _keys, bucket = np.unique(key, axis=0, return_inverse=True)
    return Entered(ticket, bucket.reshape(-1))


def _bits_of(value: Ints) -> tuple[Ints, Ints]:
    """A row for each bit that is set; whoever has none has all that anybody has."""
    known = int(np.bitwise_or.reduce(value)) if value.size else 0
    everything = known or 1
    filled = np.where(value == 0, everything, value)
    bits = np.array([bit for bit in range(63) if everything >> bit & 1], dtype=np.int64)
    row, place = np.nonzero(filled[:, np.newaxis] >> bits & 1)
    return row, bits[place]
