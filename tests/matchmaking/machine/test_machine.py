"""200 runs of the machine; and that it finds what goes wrong without a defence."""

import pytest

from tests.matchmaking.machine.play import Machine, run

pytestmark = pytest.mark.django_db(transaction=True)


def test_promises_hold_in_200_runs() -> None:
    run(runs=200, steps=12)
    assert Machine.runs >= 200
