"""Small queues whose answer can be seen."""

import numpy as np
import pytest

from matchmaking.pairing import Rules, Tickets, find_matches, records
from tests.matchmaking.pairing.queues import by_rating, pair_by_rating, waiting

RULES = Rules(gap_start=100, gap_per_second=5, gap_cap=400)


def met(tickets: Tickets, rules: Rules = RULES) -> set[frozenset[float]]:
    """The pairs, by rating."""
    pairs = pair_by_rating(tickets, rules)
    both = zip(tickets.rating[pairs.first], tickets.rating[pairs.second], strict=True)
    return {frozenset((float(one), float(other))) for one, other in both}


def test_nobody() -> None:
    pairs = pair_by_rating(waiting([]), RULES)
    assert (len(pairs), pairs.left.tolist(), pairs.share) == (0, [], 1.0)
    nobody, plan = waiting([]), by_rating(RULES)
    assert records(nobody, plan, find_matches(nobody, plan)) == []


def test_one_waits() -> None:
    pairs = pair_by_rating(waiting([1500]), RULES)
    assert (len(pairs), pairs.left.tolist(), pairs.share) == (0, [0], 0.0)


def test_two_meet() -> None:
    pairs = pair_by_rating(waiting([1600, 1500], waited=[0, 3]), RULES)
    assert (pairs.first.tolist(), pairs.second.tolist(), pairs.gap.tolist()) == ([1], [0], [100.0])
    assert pairs.share == 1.0


def test_the_border_belongs_to_it() -> None:
    assert len(pair_by_rating(waiting([1500, 1600]), RULES)) == 1
    assert len(pair_by_rating(waiting([1500, np.nextafter(1600, 2000)]), RULES)) == 0


def test_one_tolerance_is_not_enough() -> None:
    tickets = waiting([1500, 1650], waited=[60, 0])
    assert RULES.tolerances(tickets.waited).tolist() == [400.0, 100.0]
    assert len(pair_by_rating(tickets, RULES)) == 0


def test_why() -> None:
    tickets = waiting([1500, 1540, 1900], waited=[12, 3, 0])
    found = find_matches(tickets, by_rating(RULES))
    assert found.left.tolist() == [2]
    (why,) = records(tickets, by_rating(RULES), found)
    assert (why["gap"], sorted(why["waited"])) == (40.0, [3.0, 12.0])
    (gap,) = why["conditions"]
    assert (gap["name"], gap["distance"], gap["accepted"]) == ("rating_gap", 40.0, 115.0)


def test_neighbours_meet() -> None:
    assert met(waiting([1500, 1700, 1510, 1690])) == {
        frozenset((1500, 1510)),
        frozenset((1690, 1700)),
    }


def test_whoever_has_waited_least_waits_on() -> None:
    tickets = waiting([1500, 1510, 1520], waited=[1, 9, 5])
    assert pair_by_rating(tickets, RULES).left.tolist() == [0]


def test_of_equal_waits_the_later_ticket_waits_on() -> None:
    assert pair_by_rating(waiting([1510, 1500, 1500]), RULES).left.tolist() == [2]


def test_equal_ratings_meet() -> None:
    pairs = pair_by_rating(waiting([1500.0] * 1001), Rules(gap_start=0, gap_per_second=0))
    assert (len(pairs), pairs.left.tolist(), pairs.gap.max()) == (500, [1000], 0.0)


def test_older_takes_the_place_of_the_nearer_younger() -> None:
    # 1540 is nearer to 1500 than 1400 is, but has waited less.
    tickets = waiting([1400, 1500, 1540], waited=[30, 20, 10])
    assert met(tickets, Rules(gap_start=100, gap_per_second=0)) == {frozenset((1400, 1500))}


def test_both_ends_find_someone() -> None:
    # 1490 and 1510 are the best pair; apart, they match 1400 and 1600 as well.
    assert met(waiting([1400, 1490, 1510, 1600])) == {
        frozenset((1400, 1490)),
        frozenset((1510, 1600)),
    }


def test_patient_meet_over_the_heads_of_the_impatient() -> None:
    between = (1020.0 + 20 * np.arange(18)).tolist()  # each too far from the next
    tickets = waiting([1000, *between, 1380], waited=[80, *[0] * 18, 80])
    assert met(tickets, Rules(gap_start=10, gap_per_second=5)) == {frozenset((1000, 1380))}


def test_path_through_two_pairs() -> None:
    # By tolerance: 1 accepts 2 accepts 3 accepts 4 accepts 5 accepts 6, and nobody else.
    tickets = waiting([0, 100, 200, 300, 400, 500])
    assert len(pair_by_rating(tickets, RULES)) == 3


def test_waiting_widens() -> None:
    ratings = [1000.0, 1150, 1300, 1450, 1700, 2100]
    counts = [
        len(pair_by_rating(waiting(ratings, waited=[s] * 6), RULES)) for s in (0, 10, 20, 30, 60)
    ]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, 3)


def test_cap_ends_the_widening() -> None:
    tickets = waiting([1000, 1401], waited=[1e9, 1e9])
    assert len(pair_by_rating(tickets, RULES)) == 0
    assert len(pair_by_rating(tickets, Rules(gap_start=100, gap_per_second=5))) == 1


def test_any_wait_has_an_answer() -> None:
    tickets = waiting([-1e9, 1e9, 0], waited=[1e308, 1e308, 1e308])
    pairs = pair_by_rating(tickets, Rules(gap_start=0, gap_per_second=1e5))
    assert (len(pairs), pairs.left.tolist()) == (1, [2])


@pytest.mark.parametrize("n", [1_000, 100_000])
def test_many(n: int) -> None:
    rng = np.random.default_rng(3)
    tickets = waiting(rng.normal(1500, 300, n), rng.exponential(20, n))
    pairs = pair_by_rating(tickets, RULES)
    assert pairs.share > 0.99
    waited = tickets.waited[np.stack((pairs.first, pairs.second), axis=1)]
    assert (pairs.gap[:, np.newaxis] <= RULES.tolerances(waited)).all()
