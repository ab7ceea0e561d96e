"""`manage.py simulate_queue`."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.core.management import CommandError, call_command

from matchmaking.models import Queue

BRIEF = ("--seconds", "60")


def simulated(capsys: pytest.CaptureFixture[str], *options: str) -> list[dict[str, Any]]:
    call_command("simulate_queue", *BRIEF, "--json", *options)
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_it_needs_no_database(capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = simulated(capsys)

    assert found["strategy"] == "filters"
    assert found["teams"] == [2, 1]
    assert found["system"] == "elo"
    assert found["rules"] == {"gap_start": 100.0, "gap_per_second": 5.0, "gap_cap": None}
    assert 30 < found["tickets"] < 90
    assert {"mean", "p50", "p95", "p99", "max"} == set(found["waits"])


def test_strategies_are_compared_for_each_number_of_arrivals(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = simulated(capsys, "--compare", "--arrivals", "0.5", "2")

    assert [(one["crowd"]["arrivals"], one["strategy"]) for one in found] == [
        (0.5, "filters"),
        (0.5, "buckets"),
        (0.5, "fcfs"),
        (2.0, "filters"),
        (2.0, "buckets"),
        (2.0, "fcfs"),
    ]
    assert len({one["tickets"] for one in found[:3]}) == 1


def test_some_strategies_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    found = simulated(capsys, "--compare", "fcfs", "buckets")

    assert [one["strategy"] for one in found] == ["fcfs", "buckets"]


@pytest.mark.full
def test_filters_are_widened_to_the_waits_of_the_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = simulated(capsys, "--compare", "--equal-waits", "--arrivals", "4")

    waits = {one["strategy"]: one["waits"]["mean"] for one in found[:3]}
    for one in found[3:]:
        assert one["strategy"] == "filters"
        assert one["waits"]["mean"] == pytest.approx(waits[one["beside"]], rel=0.1)


def test_settings_of_the_command_line_count(capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = simulated(
        capsys,
        *("--strategy", "buckets", "--set", "buckets.levels=skill: 5; anyone", "--teams", "2x3"),
        *("--gap-start", "40", "--gap-per-second", "1", "--gap-cap", "90", "--parties", "70,20,10"),
    )

    assert found["settings"] == {"buckets": {"levels": "skill: 5; anyone"}}
    assert found["teams"] == [2, 3]
    assert found["rules"] == {"gap_start": 40.0, "gap_per_second": 1.0, "gap_cap": 90.0}
    assert found["crowd"]["parties"] == [70.0, 20.0, 10.0]


def test_each_cap_is_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    found = simulated(capsys, "--gap-cap", "0", "150")
    assert [one["rules"]["gap_cap"] for one in found] == [None, 150.0]

    call_command("simulate_queue", *BRIEF, "--gap-cap", "0", "150")
    rows = capsys.readouterr().out.splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == ["filters", "filters up to 150"]


def test_the_table_has_a_row_a_run_and_a_band(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("simulate_queue", *BRIEF, "--compare", "--bands", "--languages", "3")

    shown = capsys.readouterr().out
    assert [line.split(",")[0] for line in shown.splitlines()[1:4]] == [
        "filters",
        "buckets",
        "fcfs",
    ]
    assert shown.count("below 900") == shown.count("from 2100") == 3


@pytest.mark.parametrize("chart", ["trade", "stays", "gaps"])
def test_a_chart_is_written(chart: str, tmp_path: Path) -> None:
    name = tmp_path / "chart.svg"
    call_command(
        "simulate_queue",
        *BRIEF,
        "--compare",
        "--bands",
        "100",
        "--svg",
        str(name),
        "--chart",
        chart,
    )

    root = ET.fromstring(name.read_text(encoding="utf-8"))  # noqa: S314 - our own
    assert root.findtext("{http://www.w3.org/2000/svg}title")
    assert len(root.findall("{http://www.w3.org/2000/svg}polyline")) == 6  # a line and its key


@pytest.mark.django_db
def test_a_queue_lends_its_settings(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("add_ladder", "squads", "--game", "pong", "--size", "3")
    set_ = ("--set", "buckets.borders=1500")
    call_command("add_queue", "squads", "--ladder", "squads", "--strategy", "buckets", *set_)
    Queue.objects.update(gap_start=30.0)
    capsys.readouterr()

    (found,) = simulated(capsys, "--queue", "squads", "--set", "buckets.filters_inside=yes")
    assert found["teams"] == [2, 3]
    assert found["system"] == "trueskill"
    assert found["strategy"] == "buckets"
    assert found["rules"]["gap_start"] == 30.0
    assert found["settings"]["buckets"] == {"borders": "1500", "filters_inside": True}
    assert (found["crowd"]["rating"], found["crowd"]["spread"]) == (25.0, 6.4)  # on its scale


@pytest.mark.django_db
def test_a_queue_that_is_not_there_is_named() -> None:
    with pytest.raises(CommandError, match="queue 'nowhere': does not exist"):
        call_command("simulate_queue", "--queue", "nowhere")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--strategy", "lottery"], "must be one of filters, buckets, fcfs"),
        (["--set", "exchange"], "must be SECTION.NAME=VALUE"),
        (["--set", "exchange.points_per_second=0"], "from 0.01 to 10000"),
        (["--gap-start", "-1"], "gap_start is -1.0"),
        (["--teams", "5"], "must look like 2x5"),
        (["--arrivals", "0"], "arrivals is 0.0: must be a number above 0"),
        (["--languages", "a,b"], "must be numbers such as 60,30,10"),
        (["--runs", "0"], "must be from 1 to 1000"),
        (["--bands", "0.5"], "must be from 1 to 10000 rating points"),
        (["--equal-waits"], "give --compare too"),
        (["--svg", "/nowhere/at/all.svg"], "No such file or directory"),
    ],
)
def test_what_cannot_be_is_refused(options: list[str], told: str) -> None:
    with pytest.raises(CommandError, match=told):
        call_command("simulate_queue", *BRIEF, *options)
