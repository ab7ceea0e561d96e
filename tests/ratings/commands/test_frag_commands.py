"""`manage.py rate_frags` and `rank_frags`: what they print, what they refuse, no database."""

import io
import json
import signal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from config.command_line import main

LOG = """\
{"at": "2026-11-01T20:00:00Z", "killer": "Ann", "killer_team": "red", "victim": "Ben", "victim_team": "blue"}
{"at": "2026-11-01T20:00:09Z", "killer": "Cat", "killer_team": "red", "victim": "Ben", "killer_role": "medic"}
{"at": "2026-11-01T20:01:00Z", "killer": "Ben", "victim": "Ann", "killer_clan": "Wolves"}
{"at": "2026-11-03T20:00:00Z", "killer": "Ann", "event": "capture"}
{"at": "2026-11-03T20:00:30Z", "victim": "Ben"}
"""
TABLE = "killer,victim,frags\nann,ben,3\nben,ann,1\nben,cat,3\ncat,ben,1\ndan,eve,2\nann,ann,1\n"


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "frags.jsonl"
    path.write_text(LOG, encoding="utf-8")
    return str(path)


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "counts.csv"
    path.write_text("\ufeff" + TABLE, encoding="utf-8")
    return str(path)


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def told(*arguments: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(run(*arguments, "--json"))
    return record


def ratings(record: dict[str, Any]) -> dict[str, float]:
    return {row["name"]: row["rating"] for row in record["ladder"]}


class TestRate:
    def test_the_ladder(self, log: str) -> None:
        lines = run("rate_frags", log).splitlines()
        assert lines[0].split()[:4] == ["#", "Player", "Rating", "Frags"]
        assert [line.split() for line in lines[1:4]] == [
            ["1", "Ann", "149", "1", "1", "0", "0", "1"],
            ["2", "Cat", "20", "1", "0", "0", "0", "0"],
            ["3", "Ben", "1", "1", "2", "1", "0", "0"],
        ]
        assert lines[4] == "Events: 5"

    def test_as_json(self, log: str) -> None:
        record = told("rate_frags", log)
        assert (record["events"], record["skipped"], record["overall"]) == (5, 0, {})
        assert [row["name"] for row in record["ladder"]] == ["Ann", "Cat", "Ben"]
        assert record["ladder"][0]["events"] == 1
        # Ann and Cat 0 → 20, Ben stays at 0; he beats Ann, who is at 0 when she captures against him alone
        ben = 40 * (1 - 1 / (1 + 10 ** (20 / 400)))
        ann = 280 * (1 - 1 / (1 + 10 ** (ben / 400)))
        assert ratings(record) == pytest.approx({"Ann": ann, "Cat": 20, "Ben": ben - 20})

    def test_parameters_and_weights(self, log: str) -> None:
        record = told(
            "rate_frags", log, "--param", "k=10", "--param", "start=100", "--weight", "capture=0"
        )
        assert record["parameters"]["k"] == 10
        assert sum(ratings(record).values()) == pytest.approx(300 - 5)  # but for the suicide

    def test_decay(self, log: str) -> None:
        plain = told("rate_frags", log, "--param", "start=500", "--weight", "capture=0")
        tired = told(
            "rate_frags",
            log,
            *("--param", "start=500", "--param", "decay=7", "--every", "24h"),
            *("--weight", "capture=0"),
        )
        wanted = {name: rating - 14 for name, rating in ratings(plain).items()}
        assert ratings(tired) == pytest.approx(wanted)

    def test_clans(self, log: str) -> None:
        names = {
            row["name"]: row["is_clan"] for row in told("rate_frags", log, "--by", "clan")["ladder"]
        }
        assert names == {"Ann": False, "Ben": False, "Cat": False, "Wolves": True}
        assert "[Wolves]" in run("rate_frags", log, "--by", "clan")

    def test_roles_and_all_of_them_together(self, log: str) -> None:
        record = told("rate_frags", log, "--by", "role")
        roles = {(row["name"], row["role"]) for row in record["ladder"]}
        assert roles == {("Ann", ""), ("Ben", ""), ("Cat", "medic")}
        assert record["overall"]["Ann"]["games"] == 3
        text = run("rate_frags", log, "--by", "role")
        assert "All roles" in text
        assert " ± " in text

    def test_captures_against_nobody_are_told(self, tmp_path: Path) -> None:
        path = tmp_path / "one.jsonl"
        path.write_text('{"killer": "Ann", "event": "capture"}\n', encoding="utf-8")
        assert "Not rated, as nobody was known on another team: 1" in run("rate_frags", str(path))

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--param", "k=many"], "^k = 'many': must be a number from 0 to 1000$"),
            (["--param", "speed=1"], "^speed = '1': unknown; known are"),
            (["--param", "decay=5"], "^Decay needs both"),
            (["--every", "7d"], "^Decay needs both"),
            (["--every", "0s"], "must be from 1s to 36525d"),
            (["--every", "week"], "must be from 1s to 36525d"),
            (["--weight", "capture"], "must be EVENT=FRAGS"),
            (["--weight", "capture=-1"], "must be EVENT=FRAGS"),
            (["--weight", "capture=nan"], "must be EVENT=FRAGS"),
        ],
    )
    def test_wrong_options_are_named(self, log: str, arguments: list[str], message: str) -> None:
        with pytest.raises(CommandError, match=message):
            run("rate_frags", log, *arguments)

    def test_files_that_cannot_be_read(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match=r"none\.jsonl: No such file"):
            run("rate_frags", str(tmp_path / "none.jsonl"))
        path = tmp_path / "x.jsonl"
        path.write_bytes(b'{"victim": "\xff"}')
        with pytest.raises(CommandError, match="must be UTF-8 text"):
            run("rate_frags", str(path))
        path.write_text("{}", encoding="utf-8")
        with pytest.raises(CommandError, match="line 1: killer and victim are missing"):
            run("rate_frags", str(path))

    def test_a_terminal_is_not_obeyed_to(self, tmp_path: Path) -> None:
        path = tmp_path / "x.jsonl"
        path.write_text('{"victim": "\\u001b[31mBen"}', encoding="utf-8")
        assert "\x1b" not in run("rate_frags", str(path))


class TestRank:
    def values(self, record: dict[str, Any]) -> dict[str, float]:
        return {row["name"]: round(row["value"], 9) for row in record["players"]}

    def test_a_table_of_counts(self, table: str) -> None:
        lines = run("rank_frags", table).splitlines()
        assert [line.split() for line in lines[1:6]] == [
            ["1", "ann", "+0.500", "1", "3", "1", "1", "1"],
            ["2", "ben", "+0.000", "2", "4", "4", "0", "1"],
            ["3", "cat", "-0.500", "1", "1", "3", "0", "1"],
            ["1", "dan", "+0.500", "1", "2", "0", "0", "2"],
            ["2", "eve", "-0.500", "1", "0", "2", "0", "2"],
        ]
        assert lines[6].startswith("There are 2 groups that never met")

    def test_options(self, table: str) -> None:
        plain = self.values(told("rank_frags", table))
        assert plain == {"ann": 0.5, "ben": 0, "cat": -0.5, "dan": 0.5, "eve": -0.5}
        assert self.values(told("rank_frags", table, "--shortcut"))["ann"] == 0.25
        assert self.values(told("rank_frags", table, "--suicides", "subtract"))["ann"] == 0.3
        shared = self.values(told("rank_frags", table, "--suicides", "share"))
        assert shared["ann"] - shared["ben"] == pytest.approx(0.2)
        assert self.values(told("rank_frags", table, "--weigh")) == plain

    def test_the_core(self, table: str) -> None:
        record = told("rank_frags", table, "--core", "4")
        assert set(self.values(record)) == {"ann", "ben"}
        assert record["outside_core"] == 3
        assert "outside the core: 3" in run("rank_frags", table, "--core", "4")
        with pytest.raises(CommandError, match="No two players have 5 frags between them"):
            run("rank_frags", table, "--core", "5")
        with pytest.raises(CommandError, match="must be a whole number from 1"):
            run("rank_frags", table, "--core", "0")

    def test_a_log(self, log: str) -> None:
        record = told("rank_frags", log)
        assert record["left_out"] == 1
        assert self.values(record) == pytest.approx(
            {"Ann": -1 / 3, "Ben": -1 / 3, "Cat": 2 / 3}, abs=1e-8
        )
        assert [row["place"] for row in record["players"]] == [1, 2, 2]
        assert "no frags of opponents: 1 events" in run("rank_frags", log)

    def test_counts_too_large(self, tmp_path: Path) -> None:
        path = tmp_path / "x.csv"
        path.write_text("killer,victim,frags\n" + "a,b,999999999\n" * 2, encoding="utf-8")
        with pytest.raises(CommandError, match="add up to 1999999998: must be at most"):
            run("rank_frags", str(path))


def test_no_server_is_started(
    tmp_path: Path,
    log: str,
    table: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As `manage.py` begins where nothing is known of a database, but in this process."""
    for name in ("DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("EVENMATCH_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("EVENMATCH_LOG_LEVEL", "WARNING")
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    for command, file in (("rate_frags", log), ("rank_frags", table)):
        main(["manage.py", command, file])
        assert capsys.readouterr().out.splitlines()[0].split()[:2] == ["#", "Player"]
    assert not (tmp_path / "data").exists()
