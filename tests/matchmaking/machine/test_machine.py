"""Many runs of the machine; and that it finds what goes wrong without a defence."""

from contextlib import closing

import pytest
from django.db import connection

from ratings.models import Rating, RatingChange
from tests.emptying import rows_by_table
from tests.forms import is_full, often
from tests.matchmaking.machine.deeds import Deed
from tests.matchmaking.machine.play import BrokenPromiseError, Machine, run
from tests.matchmaking.machine.promises import Watcher
from tests.matchmaking.machine.without import DEFENCES
from tests.matchmaking.machine.world import make_world

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.full
def test_promises_hold_in_many_runs() -> None:
    runs = often(30, 100)
    run(runs=runs, steps=10)
    assert Machine.runs >= runs
    assert Machine.counts["tickets matched"] > 0
    assert Machine.counts["calls ended on their way"] > 0
    if is_full():  # a deed among many; it comes up after more runs
        assert Machine.counts["ratings changed"] > 0


_A_RATED_GAME = (
    Deed("search", 0, queue=1),
    Deed("search", 1, queue=1),
    Deed("sweep", queue=1),
    Deed("report", 0, taste=0),
    Deed("report", 1, taste=2),
    Deed("rate"),
)


@pytest.mark.full
def test_a_run_leaves_nothing_to_the_next() -> None:
    world = make_world()
    for deed in _A_RATED_GAME:
        assert deed.do(world) == ""
    assert RatingChange.objects.count() == 2
    assert rows_by_table() != world.rows
    world.clean()
    assert rows_by_table() == world.rows


def test_ratings_that_nothing_has_changed_are_noticed() -> None:
    world = make_world()
    for deed in _A_RATED_GAME:
        deed.do(world)
    with closing(Watcher(connection.get_connection_params())) as watcher:
        told: dict[str, list[int]] = {"cancelled": [], "matched": [], "joined": [], "since": []}
        assert watcher.broken(told) == []
        Rating.objects.update(value=1500)
        (words,) = watcher.broken(told)
    assert words.startswith("a rating")


# With seeds that come upon it soon.
@pytest.mark.parametrize(
    ("defence", "seed"), [("look", 5), pytest.param("parties", 11, marks=pytest.mark.full)]
)
def test_without_a_defence_a_promise_breaks(defence: str, seed: int) -> None:
    with DEFENCES[defence](), pytest.raises(BrokenPromiseError):
        run(runs=100, steps=15, number=seed, shrinks=False)


def test_every_defence_is_tried() -> None:
    assert set(DEFENCES) == {"look", "parties"}
