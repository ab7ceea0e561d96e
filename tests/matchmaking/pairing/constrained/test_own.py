"""The conditions of docs/writing-conditions.md, word for word."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from matchmaking.pairing import Rules
from matchmaking.pairing.plan import Plan, conditions_of
from matchmaking.pairing.records import records
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.pairing.strategies.filters import pair_by
from tests.matchmaking.pairing.constrained.pools import accepting, with_traits
from tests.matchmaking.pairing.queues import waiting

PROJECT = Path(__file__).resolve().parents[4]
RULES = Rules(gap_start=400, gap_per_second=0)
NONE = np.nan


@pytest.fixture(scope="module")
def game() -> Iterator[ModuleType]:
    """The page's code as a module."""
    page = (PROJECT / "docs" / "writing-conditions.md").read_text(encoding="utf-8")
    module = ModuleType("game_of_the_page")
    sys.modules[module.__name__] = module  # dataclasses look up the module of their class
    for code in page.split("```python\n")[1:]:
        exec(code.split("```")[0], module.__dict__)  # noqa: S102 - the page's own code
    yield module
    del sys.modules[module.__name__]


def test_clan_mates_do_not_meet(game: ModuleType) -> None:
    tickets = with_traits(
        waiting([1500, 1501, 1600, 1601]), **{"own.clan": [17.0, 17.0, 17.0, NONE]}
    )
    plan = Plan(rules=RULES, extra=(game.other_clan,))
    pairs = pair_by(tickets, conditions_of(plan))
    assert (pairs.first.tolist(), pairs.second.tolist()) == ([0], [3])
    assert len(find_matches(tickets, plan)) == 1


def test_after_a_minute_they_do(game: ModuleType) -> None:
    tickets = with_traits(waiting([1500, 1501], waited=[60, 61]), **{"own.clan": [17.0, 17.0]})
    plan = Plan(rules=RULES, extra=(game.other_clan,))
    found = find_matches(tickets, plan)
    assert found.cost.tolist() == pytest.approx([20.2])
    (record,) = records(tickets, plan, found)
    own = next(each for each in record["conditions"] if each["name"] == "other_clan")
    assert own == {
        "name": "other_clan",
        "use": "drop",
        "distance": 1.0,
        "accepted": None,
        "cost": 20.0,
    }


def test_only_one_of_them_has_waited_enough(game: ModuleType) -> None:
    tickets = with_traits(waiting([1500, 1501], waited=[59, 61]), **{"own.clan": [17.0, 17.0]})
    assert len(find_matches(tickets, Plan(rules=RULES, extra=(game.other_clan,)))) == 0


def test_nobody_sends_the_number(game: ModuleType) -> None:
    tickets = waiting([1500, 1501])
    plan = Plan(rules=RULES, extra=(game.other_clan, game.SamePlatform()))
    assert len(find_matches(tickets, plan)) == 1
    assert game.other_clan.is_idle(tickets)


@pytest.mark.parametrize("n", [40, 600])
def test_platforms_apart(game: ModuleType, n: int) -> None:
    rng = np.random.default_rng(n)
    platform = rng.choice([0.0, 1.0, 2.0, NONE], n, p=[0.5, 0.3, 0.1, 0.1])
    tickets = with_traits(waiting(rng.normal(1500, 300, n)), **{"own.platform": platform})
    conditions = conditions_of(Plan(rules=RULES, extra=(game.SamePlatform(),)))
    pairs = pair_by(tickets, conditions, exact_up_to=100)
    one, other = platform[pairs.first], platform[pairs.second]
    assert ((one == other) | np.isnan(one) | np.isnan(other)).all()
    assert pairs.share > 0.9
    assert not accepting(tickets, conditions)[np.ix_(pairs.left, pairs.left)].any()
