"""The short form of `python -m tests.clients.fuzz`: the same cases each time, drawn without luck."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.fuzz.sending import Findings, send
from tests.clients.fuzz.telling import tell
from tests.clients.fuzz.world import make_world
from tests.config.web import Web, running

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with running(tmp_path, EVENMATCH_WEB_PROCESSES="1") as web:
        yield web


def test_what_is_described_is_what_is_answered(web: Web) -> None:
    """Without the thousands of cases that cover each rule, which take minutes."""
    world = make_world(f"http://127.0.0.1:{web.port}")
    found = [
        send(world, caller, examples=1, seed=1, phases=("examples", "fuzzing", "stateful"), steps=3)
        for caller in ("key", "token")
    ]
    assert [wrong(findings) for findings in found] == [[], []], "\n".join(tell(found))
    assert all(findings.cases.total() > 60 for findings in found)
    assert {status for findings in found for _, status in findings.statuses} >= {200, 201, 404, 422}


def wrong(findings: Findings) -> list[str]:
    return [*findings.errors, *(kind.example for kind in findings.found.values())]
