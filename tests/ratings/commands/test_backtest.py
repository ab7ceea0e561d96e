"""`manage.py backtest` and `tune` on files and on ladders, and that both agree with the ledger."""

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ratings.ledger.predictions import read_predictions
from ratings.management.trials import played_of
from ratings.models import RatingTrack
from ratings.systems import create
from tests.ratings.arena import START, Played, make_arena, random_history

FIGURES = ("games", "draws", "accuracy", "log_loss", "brier")
RULES = ("--param=established_after=3", "--param=pool_minimum=4")


def told(command: str, *arguments: object) -> dict[str, Any]:
    """What the command answers as JSON."""
    out = StringIO()
    call_command(command, *map(str, arguments), "--json", stdout=out)
    record: dict[str, Any] = json.loads(out.getvalue())
    return record


def shown(command: str, *arguments: object) -> str:
    """What the command shows on a terminal."""
    out = StringIO()
    call_command(command, *map(str, arguments), stdout=out)
    return out.getvalue()


@pytest.fixture
def history() -> list[Played]:
    return random_history(260, 12, days=120, skip=9)


@pytest.fixture
def table(tmp_path: Path, history: list[Played]) -> Path:
    """The history as a file."""
    rows = [
        f"{(START + timedelta(days=one.day)).isoformat()},p{one.first},p{one.second},{one.score}"
        for one in history
    ]
    path = tmp_path / "games.csv"
    path.write_text("\n".join(["date,player_a,player_b,score_a", *rows]), encoding="utf-8")
    return path


@pytest.fixture
def teams(tmp_path: Path) -> Path:
    """Free-for-alls of three in which the first always beats the second, and he the third."""
    names = [["a"], ["b"], ["c"]]
    path = tmp_path / "games.jsonl"
    with path.open("w") as file:
        for day in range(1, 29):
            file.write(
                json.dumps(
                    {"date": f"2024-02-{day:02}", "teams": names, "ranks": [0, 1, 1 + day % 2]}
                )
                + "\n"
            )
    return path


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("system", "days"),
    [
        ("elo", None),
        ("elo", 10),
        ("elo_normal", None),
        ("glicko", 10),
        ("glicko2", 10),
        ("trueskill", None),
    ],
)
def test_file_ladder_and_ledger_agree(
    system: str, days: int | None, history: list[Played], table: Path
) -> None:
    arena = make_arena(12, pool_minimum=4)
    track = arena.track(system, days=days)
    arena.play(*history)
    arena.rate(track)
    ledger = told("backtest", "--ladder=go", "--from=0.3")
    period = () if days is None else (f"--period={days}d",)
    of_file = told("backtest", table, f"--system={system}", "--from=0.3", *RULES, *period)
    of_ladder = told("backtest", "--ladder=go", f"--system={system}", "--from=0.3", *period)
    for figure in FIGURES:
        assert of_file[figure] == pytest.approx(ledger[figure], abs=1e-9), figure
        assert of_ladder[figure] == pytest.approx(ledger[figure], abs=1e-9), figure
    assert of_file["players"] == of_ladder["players"] == 12
    assert 0.4 < of_file["log_loss"] < 1.2
    assert len(read_predictions(track)) == len(history)


@pytest.mark.django_db
def test_a_ladder_is_judged_without_writing() -> None:
    arena = make_arena(6)
    arena.play(*random_history(60, 6, days=30))
    arena.rate(arena.track())
    before = RatingTrack.objects.count()
    arena.ladder.refresh_from_db()
    assert len(played_of(arena.ladder, create("glicko"))) == 60
    told("backtest", "--ladder=go", "--system=glicko")
    told("tune", "--ladder=go", "--system=elo", "--vary", "k_new", "--runs=5")
    assert RatingTrack.objects.count() == before


def test_what_is_given_is_used(table: Path) -> None:
    plain = told("backtest", table, "--system=elo")
    other = told("backtest", table, "--system=elo", "--param=k_new=5", "--param", "k_provisional=5")
    assert plain["games"] == len(table.read_text().splitlines()) // 2
    assert other["parameters"] == {"k_new": 5.0, "k_provisional": 5.0}
    assert other["log_loss"] != plain["log_loss"]
    week, month = (told("backtest", table, "--system=glicko", f"--period={n}d") for n in (7, 30))
    assert (week["period_days"], month["period_days"]) == (7, 30)
    assert told("backtest", table, "--system=glicko")["log_loss"] == month["log_loss"]
    assert week["log_loss"] != month["log_loss"]
    assert sum(place["count"] for place in week["calibration"]) == week["games"]
    assert week["seconds"] > 0


def test_figures_are_shown(table: Path, teams: Path) -> None:
    text = shown("backtest", table, "--system=elo")
    for word in ("elo", "Log loss", "Accuracy", "Mean reached"):
        assert word in text
    assert "Pair accuracy" in shown("backtest", teams, "--system=trueskill")


def test_teams_are_judged_by_pairs(teams: Path) -> None:
    found = told("backtest", teams, "--system=trueskill")
    assert (found["games"], found["pairs"], found["draws"]) == (14, 42, 7)
    assert found["pair_accuracy"] == 1.0
    assert "accuracy" not in found
    assert found["log_loss"] < 0.5
    in_elo = told("backtest", teams, "--system=elo")
    assert (in_elo["games"], in_elo["pairs"], in_elo["draws"]) == (14, 42, 7)
    assert in_elo["pair_accuracy"] == 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Give a file and --system, or --ladder"),
        (("--system=elo",), "Give either a file or --ladder"),
        (("TABLE", "--ladder=go", "--system=elo"), "Give either a file or --ladder"),
        (("TABLE",), "Give a file and --system"),
        (("--ladder=go", "--period=7d"), "--period is of a system that is tried"),
        (("TABLE", "--system=elo", "--track=3"), "--track judges what a track did"),
        (("TABLE", "--system=chess"), "rating system 'chess': must be one of elo"),
        (("TABLE", "--system=elo", "--param=k"), "parameter 'k': must be name=value"),
        (("TABLE", "--system=elo", "--param=k=1"), "parameter 'k': must be one of .*k_new"),
        (("TABLE", "--system=elo", "--param=k_new=x"), "k_new = 'x': must be a number from 0"),
        (("TABLE", "--system=glicko", "--period=none"), "glicko needs rating periods"),
        (("TABLE", "--system=elo", "--period=7w"), "period '7w': must be from 1s"),
        (("TABLE", "--system=frags"), "frags needs the points of both players"),
        (("TABLE", "--system=zonestats", "--minutes=9"), "zonestats needs a score"),
        (("TABLE", "--system=elo", "--minutes=0"), "must be a positive number of minutes"),
        (("TABLE", "--system=elo", "--from=1"), "must be from 0 up to"),
        (("TEAMS", "--system=frags"), "frags needs the points of both players"),
        (("/no/such/file", "--system=elo"), "'/no/such/file': No such file"),
        (("WRONG", "--system=elo"), r"wrong.csv, line 2: score_a 'x' must be a number"),
        (("BYTES", "--system=elo"), "is not UTF-8"),
    ],
)
def test_what_cannot_be_is_said(
    arguments: tuple[str, ...], message: str, table: Path, teams: Path, tmp_path: Path
) -> None:
    wrong, raw = tmp_path / "wrong.csv", tmp_path / "bytes.csv"
    wrong.write_text("date,player_a,player_b,score_a\n2024-01-01,a,b,x\n")
    raw.write_bytes(b"date,player_a,player_b,score_a\n2024-01-01,\xff,b,1\n")
    places = {"TABLE": table, "TEAMS": teams, "WRONG": wrong, "BYTES": raw}
    with pytest.raises(CommandError, match=message):
        call_command("backtest", *(str(places.get(one, one)) for one in arguments))


def test_tune_reports_the_rest(table: Path) -> None:
    found = told("tune", table, "--system=glicko", "--period=10d", "--until=0.6", "--runs=15")
    assert list(found["varied"]) == ["days_to_forget"]
    assert found["varied"]["days_to_forget"]["before"] == 10_000
    value = found["varied"]["days_to_forget"]["after"]
    assert found["parameters"] == {"days_to_forget": value}
    assert found["searched"]["log_loss_after"] <= found["searched"]["log_loss_before"]
    assert 1 <= found["runs"] <= 15
    again = told(
        "backtest", table, "--system=glicko", "--period=10d", "--from=0.6",
        f"--param=days_to_forget={value!r}",
    )  # fmt: skip
    assert {name: found[name] for name in FIGURES} == {name: again[name] for name in FIGURES}
    untuned = told("backtest", table, "--system=glicko", "--period=10d", "--from=0.6")
    assert found["untuned"]["log_loss"] == untuned["log_loss"]


def test_tune_shows_what_to_write(table: Path) -> None:
    text = shown("tune", table, "--system=elo", "--vary", "k_new", "k_provisional", "--runs=12")
    assert "Found" in text
    assert "--system elo --param k_new=" in text
    period = told("tune", table, "--system=glicko", "--vary", "period", "--runs=6")
    assert period["varied"]["period"]["before"] == 30
    assert period["period_days"] == period["varied"]["period"]["after"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--system=elo", "--vary", "height"), "height = None: unknown; known are"),
        (("--system=elo", "--until=0"), "There is nothing to tune"),
        (("--system=elo", "--runs=0"), "must be from 1 to 100000"),
        (("--system=elo", "--warm-up=1"), "must be from 0 up to"),
        ((), "--system"),
    ],
)
def test_tune_says_what_cannot_be(arguments: tuple[str, ...], message: str, table: Path) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("tune", str(table), *arguments)


def test_draws_and_sides_are_estimated_from_the_results(tmp_path: Path) -> None:
    strengths = [0, 1, 2, 3]
    path = tmp_path / "sides.csv"
    with path.open("w") as file:
        file.write("date,player_a,player_b,score_a,neutral\n")
        for day in range(400):
            one, other = strengths[day % 4], strengths[(day + 1 + day // 4 % 3) % 4]
            score = (1, 0.5, 1, 0)[day // 12 % 4]  # whoever is at home does better
            file.write(f"{2000 + day // 12}-{1 + day % 12:02}-01,p{one},p{other},{score},0\n")
    found = told("tune", path, "--system", "elo", "--estimate", "--vary", "k_new", "--runs", 3)
    assert found["parameters"]["side_gamma"] < 0.9
    assert 0.2 < found["parameters"]["draw_nu"] < 2
    with pytest.raises(CommandError, match=r"for elo, game by game, not for glicko"):
        told("tune", path, "--system", "glicko", "--estimate", "--vary", "start", "--runs", 3)
