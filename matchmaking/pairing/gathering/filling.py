"""Filling the teams of one match around a ticket, parties whole."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from matchmaking.pairing.gathering.demands import Demands
from matchmaking.pairing.plan import Plan

__all__ = ["fill", "fits"]

# So many are considered for one match; in vain, then so many.
_WINDOWS = (48, 192)


def fill(
    seeker: int, others: Iterable[int], sizes: Sequence[int], plan: Plan, demands: Demands
) -> list[int] | None:
    """The seeker and the first of `others` who fill a match together; None if they do not.

    sizes  players of each ticket
    """
    if plan.is_duel:
        partner = demands.first_agreed(seeker, others)
        return None if partner is None else [seeker, partner]
    for window in demands.windows(others, _WINDOWS):
        if (group := _fill_from([seeker, *window], sizes, plan, demands)) is not None:
            return group
    return None


def _fill_from(
    window: list[int], sizes: Sequence[int], plan: Plan, demands: Demands
) -> list[int] | None:
    """The first of the window and those after it who still find room, until the match is full."""
    agreed, chosen = demands.all_agree(window), [0]
    places = plan.team_count * plan.team_size - sizes[window[0]]
    for index, ticket in enumerate(window[1:], start=1):
        if not places:
            break
        if sizes[ticket] <= places and agreed[index, chosen].all():
            taken = (*(sizes[window[one]] for one in chosen), sizes[ticket])
            if fits(tuple(sorted(taken, reverse=True)), plan.team_count, plan.team_size):
                chosen.append(index)
                places -= sizes[ticket]
    return None if places else [window[index] for index in chosen]


@lru_cache(maxsize=10_000)
def fits(parties: tuple[int, ...], team_count: int, team_size: int) -> bool:
    """Whether parties of these sizes, largest first, find room in the teams, each whole in one."""
    return _pack(parties, (team_size,) * team_count)


def _pack(parties: tuple[int, ...], free: tuple[int, ...]) -> bool:
    if not parties:
        return True
    largest, rest = parties[0], parties[1:]
    if largest == 1:  # who is alone fits anywhere
        return len(parties) <= sum(free)
    for place in sorted(set(free), reverse=True):
        if place >= largest:
            index = free.index(place)
            if _pack(rest, (*free[:index], place - largest, *free[index + 1 :])):
                return True
    return False
