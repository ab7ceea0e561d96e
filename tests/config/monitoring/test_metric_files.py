"""Files of ended processes are folded: no count is lost, no file is left."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from config.monitoring.metric_files import fold_ended

COUNTING = """
from prometheus_client import Counter, Gauge, Histogram
Counter("visits_total", "Visits", ["page"]).labels("home").inc(3)
Histogram("seconds", "Seconds").observe(0.25)
Gauge("open_streams", "Streams", multiprocess_mode="livesum").set(5)
"""


def count(folder: Path) -> None:
    """Let a process count, and end."""
    subprocess.run(
        [sys.executable, "-c", COUNTING],
        env={**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(folder)},
        check=True,
    )


def told(folder: Path) -> list[str]:
    """The lines of the metrics page."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(folder))  # type: ignore[no-untyped-call]
    return generate_latest(registry).decode().splitlines()


@pytest.fixture(autouse=True)
def _counted(tmp_path: Path) -> None:
    for _ in range(3):
        count(tmp_path)


def test_counts_stay_and_the_present_goes(tmp_path: Path) -> None:
    before = told(tmp_path)
    assert 'visits_total{page="home"} 9.0' in before
    assert "open_streams 15.0" in before

    assert fold_ended(tmp_path) == 9

    kept = [line for line in before if "open_streams" not in line]
    assert sorted(kept) == sorted(told(tmp_path))
    assert sorted(file.name for file in tmp_path.glob("*.db")) == [
        "counter_ended.db",
        "histogram_ended.db",
    ]


def test_more_processes_are_added(tmp_path: Path) -> None:
    fold_ended(tmp_path)
    count(tmp_path)
    fold_ended(tmp_path)
    assert 'visits_total{page="home"} 12.0' in told(tmp_path)
    assert fold_ended(tmp_path) == 0


def test_those_that_run_keep_their_files(tmp_path: Path) -> None:
    ours = tmp_path / f"counter_{os.getpid()}.db"
    next(tmp_path.glob("counter_*.db")).rename(ours)
    fold_ended(tmp_path)
    assert ours.exists()


def test_an_empty_file_is_removed(tmp_path: Path) -> None:
    """As a process leaves it that is killed when it has just made it."""
    next(tmp_path.glob("counter_*.db")).write_bytes(b"")
    assert fold_ended(tmp_path) == 9
    assert 'visits_total{page="home"} 6.0' in told(tmp_path)
