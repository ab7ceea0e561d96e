"""The short form of `python -m tests.clients.fuzz`: the same cases each time, drawn without luck."""

import pytest

from tests.clients.fuzz.world import make_world
from tests.config.web.serving import Web

pytestmark = pytest.mark.django_db(transaction=True)


def test_what_is_described_is_what_is_answered(web: Web) -> None:
    """Right and wrong requests to each operation, and a few chains, by the game's server."""
    # Schemathesis loads for seconds, and every worker of a run reads this file.
    from tests.clients.fuzz.sending import send
    from tests.clients.fuzz.telling import tell

    world = make_world(f"http://127.0.0.1:{web.port}")
    found = send(world, "key", examples=2, chains=4, seed=1, phases=("fuzzing", "stateful"))
    said = "\n".join(tell([found]))
    assert not found.errors, said
    assert not found.found, said
    assert found.cases.total() > 60
    assert {status for _, status in found.statuses} >= {200, 201, 404, 422}
