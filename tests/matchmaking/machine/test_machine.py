"""200 runs of the machine; and that it finds what goes wrong without a defence."""

import pytest

from tests.matchmaking.machine.play import BrokenPromiseError, Machine, run
from tests.matchmaking.machine.without import DEFENCES

pytestmark = pytest.mark.django_db(transaction=True)


def test_promises_hold_in_200_runs() -> None:
    run(runs=200, steps=10)
    assert Machine.runs >= 200
    assert Machine.counts["tickets matched"] > 0
    assert Machine.counts["calls ended on their way"] > 0


# With seeds that come upon it soon.
@pytest.mark.parametrize(("defence", "seed"), [("look", 5), ("parties", 11)])
def test_without_a_defence_a_promise_breaks(defence: str, seed: int) -> None:
    with DEFENCES[defence](), pytest.raises(BrokenPromiseError):
        run(runs=100, steps=15, number=seed, shrinks=False)


def test_every_defence_is_tried() -> None:
    assert set(DEFENCES) == {"look", "parties"}
