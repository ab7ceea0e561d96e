"""Whether players may come into a room: the arrays are made here, and the conditions asked."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from foundation.postgresql.bulk import Column
from matchmaking.pairing.tickets import Members, Tickets, Ties
from matchmaking.queues.own_conditions import own_conditions
from rooms.filters.conditions import Asked, conditions_of
from rooms.filters.travellers import Scale, Traveller

__all__ = ["first_refusals"]

_OTHER = 1 << 61  # words that the room does not ask for
_LISTS = {
    # Of the room's filter, which trait of the room it is, and which trait of those who come it is held against.
    "languages": ("languages", "languages"),
    "rules": ("rules", "rules"),
    "styles": ("styles_wanted", "styles"),
    "regions": ("regions", "regions"),
}

_TOLD = {
    # Of the room's filter, which trait it is, and what of a profile it is held against.
    "tags": ("alike", "tags"),
    "countries": ("country", "country"),
    "age_groups": ("age_group", "age_group"),
}


def first_refusals(
    scale: Scale,
    filters: Mapping[str, Any],
    host: Traveller,
    comers: Sequence[Traveller],
    kept_out: Iterable[int],
) -> list[Asked | None]:
    """Why the room refuses each of these, the first reason of several; None of whoever may come.

    kept_out  those of them who do not come to somebody in the room: see `kept_out_by`
    """
    tickets = _tickets(filters, host, comers, {*kept_out})
    asked = conditions_of(filters, system=scale.system, own=own_conditions())
    found: list[Asked | None] = [None] * len(comers)
    room = np.zeros(len(comers), dtype=np.int64)
    others = np.arange(1, len(comers) + 1)
    for one in asked:
        if one.condition.is_idle(tickets):
            continue
        bound = one.condition.bound(tickets)
        passed = bound.allows(tickets, room, others, one.condition.tolerances(tickets))
        for number in np.flatnonzero(~passed).tolist():
            found[number] = found[number] or one
    return found


def _tickets(
    filters: Mapping[str, Any], host: Traveller, comers: Sequence[Traveller], kept_out: set[int]
) -> Tickets:
    """The room at position 0, as strong as its host, and who would come after it."""
    everyone = [host, *comers]
    number = len(everyone)
    rating = np.array([one.rating for one in everyone])
    deviation = np.array([one.deviation for one in everyone])
    # The host may be among those who are judged anew: numbers of their own keep them apart.
    ids = np.arange(number)
    traits: dict[str, Column] = {
        "established": np.array([1, *(int(one.is_established) for one in comers)]),
        "conduct": np.array([0.0, *(float(one.meets_like) for one in comers)]),
        **_own_numbers(everyone),
    }
    for name, (of_room, of_others) in _LISTS.items():
        if wanted := list(filters.get(name, ())):
            theirs = [_bits(one.wishes.get(of_others, ()), wanted) for one in comers]
            traits[of_room] = np.array([(1 << len(wanted)) - 1, *([0] * len(comers))])
            if of_others == of_room:
                traits[of_room][1:] = theirs
            else:
                traits[of_others] = np.array([0, *theirs])
    for name, (trait, what) in _TOLD.items():
        if wanted := list(filters.get(name, ())):
            theirs = [_bits(one.told.get(what, ()), wanted) for one in comers]
            traits[trait] = np.array([(1 << len(wanted)) - 1, *theirs])
    if wanted := list(filters.get("regions", ())):
        traits["latency"] = _latencies(wanted, comers)
    close = np.array([n for n, one in enumerate(comers, start=1) if one.player in kept_out])
    ties = {}
    if close.size:
        ties["avoided"] = Ties(one=np.zeros_like(close), other=close, value=np.ones(close.size))
    return Tickets(
        id=ids,
        player=ids,
        rating=rating,
        deviation=deviation,
        waited=np.zeros(number),
        traits=traits,
        ties=ties,
        members=Members.alone(ids, rating, deviation),
    )


def _bits(named: Iterable[str], wanted: Sequence[str]) -> int:
    """Words as the room numbers them; those it does not ask for are one, and no words are none."""
    bits = 0
    for word in named:
        bits |= 1 << wanted.index(word) if word in wanted else _OTHER
    return bits


def _latencies(wanted: Sequence[str], comers: Sequence[Traveller]) -> Column:
    """Milliseconds to each region of the room: nan where nobody has measured it."""
    rows = [[0.0] * len(wanted)]
    for one in comers:
        named = one.wishes.get("regions", {})
        measured = named if isinstance(named, Mapping) else {}
        rows.append(
            [
                float("nan") if measured.get(region) is None else float(measured[region])
                for region in wanted
            ]
        )
    return np.array(rows)


def _own_numbers(everyone: Sequence[Traveller]) -> dict[str, Column]:
    """What the game's own conditions read; nan of whoever has not sent it, no trait where nobody has."""
    names = {name for condition in own_conditions() for name in condition.reads}
    traits = {}
    for name in sorted(names):
        values = [one.wishes.get("own", {}).get(name, float("nan")) for one in everyone]
        if not np.isnan(values).all():
            traits[f"own.{name}"] = np.array(values)
    return traits
