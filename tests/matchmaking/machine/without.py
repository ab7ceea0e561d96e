"""The product without one of its defences, in this process only: a machine that finds nothing then proves nothing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from types import ModuleType
from typing import Any

import numpy as np

from matchmaking.parties import lifecycle as parties
from matchmaking.parties.membership import HeldParty
from matchmaking.sweep.proposals import Proposals
from ratings.systems.arrays import Bools

__all__ = ["DEFENCES"]


@contextmanager
def _replaced(place: ModuleType | type, name: str, other: Any) -> Iterator[None]:
    known = getattr(place, name)
    setattr(place, name, other)
    try:
        yield
    finally:
        setattr(place, name, known)


def _without_a_second_look() -> AbstractContextManager[None]:
    def take_all(proposals: Proposals, gone: Sequence[int]) -> Bools:
        return np.ones(len(proposals), dtype=bool)

    return _replaced(Proposals, "whole", take_all)


def _without_ending_searches() -> AbstractContextManager[None]:
    def go_on(_held: HeldParty) -> None:
        pass

    return _replaced(parties, "_stop_search", go_on)


DEFENCES: Mapping[str, Callable[[], AbstractContextManager[None]]] = {
    "look": _without_a_second_look,  # at the tickets, before a sweep writes its offers
    "parties": _without_ending_searches,  # when somebody comes or goes
}
