"""Limits for processes that stopped, and processes that get no processor."""

import subprocess
import sys
from collections import deque
from pathlib import Path

import pytest

from config.embedded.paths import PROJECT
from foundation.postgresql import transactions
from foundation.postgresql.transactions import idle_limit

STARVED = """
import os, time
cpu = min(os.sched_getaffinity(0))
os.sched_setaffinity(0, {cpu})
from foundation.postgresql.transactions import clock_seconds_for
clock_seconds_for(2)
hog = os.fork()
if hog == 0:
    while True:
        pass
os.nice(10)
end = time.process_time() + 0.1
while time.process_time() < end:
    pass
found = clock_seconds_for(2)
os.kill(hog, 9)
print(found)
"""


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What Linux says."""
    path = tmp_path / "schedstat"
    monkeypatch.setattr(transactions, "_SCHEDSTAT", path)
    monkeypatch.setattr(transactions, "_seen", deque())
    return path


@pytest.mark.parametrize(
    ("waited", "limit"),
    [(0.0, 2), (1.0, 4), (4.0, 10), (1000.0, 20)],
    ids=["alone", "half", "a fifth", "hardly any"],
)
def test_two_seconds_of_a_process(told: Path, waited: float, limit: int) -> None:
    told.write_text("5000000000 7000000000 99")
    assert transactions.clock_seconds_for(2) == 2
    told.write_text(f"6000000000 {7_000_000_000 + int(waited * 1e9)} 99")
    assert transactions.clock_seconds_for(2) == limit


def test_a_kernel_that_does_not_count(told: Path) -> None:
    assert transactions.clock_seconds_for(2) == 2
    told.write_text("")
    assert transactions.clock_seconds_for(2) == 2


def test_a_process_that_gets_no_processor_has_longer() -> None:
    done = subprocess.run(
        [sys.executable, "-c", STARVED], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) >= 4


def test_a_short_transaction_has_as_long(told: Path) -> None:
    told.write_text("0 0 0")
    assert idle_limit() == "2s"
    told.write_text("1000000000 2000000000 9")
    assert idle_limit() == "6s"
