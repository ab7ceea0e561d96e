"""A new pool mixes evenly: nobody stays among their likes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from matchmaking.pairing import Tickets
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.pairing.strategies.greedy import mix_evenly
from matchmaking.pairing.tickets import Ties
from ratings.systems.arrays import Ints
from tests.matchmaking.pairing.strategies.pools import POOLS, matches_of, plan_of, pool, ties


def new_pool(strategy: str = "filters") -> Plan:
    return replace(plan_of(strategy, bootstrap={"until": 50}), is_grown=False)


def rounds(players: int, count: int) -> list[Ints]:
    """The pairs, as players, of some rounds in which all search at once and remember each other."""
    met: set[tuple[int, int]] = set()
    found = []
    for number in range(count):
        tickets = Tickets(
            id=np.arange(players) + 1 + number * players,
            player=np.arange(players),
            rating=np.linspace(1000, 2000, players),
            deviation=np.full(players, np.nan),
            waited=np.zeros(players),
            ties={"met": ties(*sorted(met))} if met else {},
        )
        pairs = np.array(matches_of(mix_evenly(tickets, new_pool())))
        met.update(tuple(sorted(pair)) for pair in pairs.tolist())
        found.append(pairs)
    return found


def count_islands(players: int, pairs: Ints) -> int:
    """How many groups of players there are that nobody of has met anybody of another."""
    island = np.arange(players)
    for one, other in pairs.tolist():
        island[island == island[other]] = island[one]
    return len(np.unique(island))


@pytest.mark.parametrize("strategy", ["filters", "buckets", "fcfs"])
def test_a_new_pool_is_mixed_whatever_the_strategy(strategy: str) -> None:
    far = pool([800, 2600])

    assert matches_of(find_matches(far, new_pool(strategy))) == [[0, 1]]
    grown = replace(new_pool("filters"), is_grown=True)
    assert matches_of(find_matches(far, grown)) == []


def test_all_are_connected_after_a_few_rounds() -> None:
    players = 100
    pairs = np.concatenate(rounds(players, 4))

    assert count_islands(players, pairs) == 1
    assert len({tuple(sorted(pair)) for pair in pairs.tolist()}) == len(pairs)  # no two met twice


def test_who_meets_does_not_hang_on_ratings() -> None:
    players, span = 400, 1000.0
    apart = np.abs(np.diff(rounds(players, 1)[0], axis=1)) * span / (players - 1)

    # Two at random of an even spread are a third of it apart; 200 pairs err by 17 points.
    assert apart.mean() == pytest.approx(span / 3, abs=60)


def test_strangers_come_first_but_nobody_waits_for_one() -> None:
    met = ties((0, 1), (0, 2), (1, 3), (2, 3), value=0.5)

    assert matches_of(mix_evenly(pool([1500] * 4, met=met), new_pool())) == [[0, 3], [1, 2]]
    two = pool([1500] * 2, met=ties((0, 1)))
    assert matches_of(mix_evenly(two, new_pool())) == [[0, 1]]


@given(tickets=POOLS())
def test_nobody_meets_whom_they_avoid_and_nobody_else_is_left(tickets: Tickets) -> None:
    found = mix_evenly(tickets, new_pool())
    avoided: Ties = tickets.ties["avoided"]

    assert sorted([*found.ticket.tolist(), *found.left.tolist()]) == list(range(len(tickets)))
    for one, other in matches_of(found):
        assert not avoided.between(np.array([one]), np.array([other])) > 0
    low, high = (found.left[ends] for ends in np.triu_indices(len(found.left), k=1))
    assert (avoided.between(low, high) > 0).all()
