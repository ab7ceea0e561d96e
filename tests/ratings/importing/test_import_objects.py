"""Match files of JSON lines: teams, maps and characters, and what is refused."""

import json
import tracemalloc
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import Any

import pytest

from ratings.importing import (
    FileRejectedError,
    ImportReport,
    NewLadder,
    NewTrack,
    OptionError,
    Problem,
    import_matches,
)
from ratings.models import Ladder, Match, Participant
from ratings.runs.run import rate_track
from tests.ratings import match_files
from tests.ratings.match_files import FileRow, counts, file_of

pytestmark = pytest.mark.django_db

GOOD: dict[str, Any] = {
    "date": "2024-05-01",
    "teams": [["Ann", 7], ["Cy", "Di"], ["Eve", "Flo"]],
    "ranks": [3, 0, 3],
    "scores": [[3, 4], 9, [2, 1]],
    "minutes": [20, [20, 10.5], 20],
    "map": "Gorge",
    "characters": [["Mage", None], None, "Monk"],
    "left": ["Di"],
    "neutral": True,
    "patch": {"major": 3},
}
DUEL = {"date": "2020-01-01", "teams": [["Ada"], ["Bo"]], "ranks": [0, 1]}


def take_in(*objects: Any, system: str = "trueskill", **options: Any) -> ImportReport:
    """Import these objects, a line each."""
    create = NewLadder(game="quake", track=NewTrack(system=system, period_days=None))
    text = "\n".join(json.dumps(one, ensure_ascii=False) for one in objects)
    return match_files.take_in(f"\n{text}\n", **{"create": create, **options})


def faults(*objects: Any, **options: Any) -> tuple[Problem, ...]:
    with pytest.raises(FileRejectedError) as caught:
        take_in(*objects, **options)
    return caught.value.problems


def test_a_match_of_teams_has_all_that_the_line_tells() -> None:
    report = take_in(GOOD, {**GOOD, "date": "2024-05-02"})
    assert (report.rows, report.new_matches, report.new_players) == (2, 2, 6)
    ladder = Ladder.objects.get()
    assert (ladder.team_count, ladder.team_size, ladder.last_seq) == (3, 2, 2)
    match = Match.objects.get(ladder_seq=1)
    assert (match.map, match.is_neutral, match.extra) == ("Gorge", True, {"patch": {"major": 3}})
    seats = match.participants.order_by("team", "player__name").values_list(
        "player__name", "team", "rank", "score", "minutes", "character", "left_early"
    )
    assert list(seats) == [
        ("7", 0, 1, 4.0, 20.0, "", False),
        ("Ann", 0, 1, 3.0, 20.0, "Mage", False),
        ("Cy", 1, 0, 9.0, 20.0, "", False),
        ("Di", 1, 0, 9.0, 10.5, "", True),
        ("Eve", 2, 1, 2.0, 20.0, "Monk", False),
        ("Flo", 2, 1, 1.0, 20.0, "Monk", False),
    ]
    assert rate_track(ladder.tracks.get().pk).matches == 2


def test_a_match_is_known_again_in_either_form_and_order() -> None:
    take_in(DUEL, system="elo")
    csv = file_of([FileRow("2020-01-01", "Ada", "Bo", "1")])
    assert match_files.take_in(csv, create=None).new_matches == 0
    assert take_in({**DUEL, "ranks": [4, 5]}, system="elo").new_matches == 0
    take_in(GOOD, ladder="teams")
    other = {**GOOD, "teams": [[" 7", "Ann"], ["Di", "Cy"], ["Eve", "Flo"]], "ranks": [1, 0, 1]}
    assert take_in(other, ladder="teams").new_matches == 0
    assert Match.objects.count() == 2


def test_a_changed_result_is_refused_with_both() -> None:
    take_in(DUEL, {**DUEL, "date": "2020-01-02"}, system="elo")
    before = counts()
    changed = {**DUEL, "date": "2020-01-02", "ranks": [0, 0]}
    (fault,) = faults(DUEL, changed, create=None)
    assert (fault.line, fault.column, fault.value) == (3, "ranks", "[0, 0]")
    assert "known with [0, 1]" in fault.expected
    assert counts() == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"date": None}, "date must be text"),
        ({"date": "yesterday"}, "date = 'yesterday': must be an ISO date"),
        ({"date": "2999-01-01"}, "must not be in the future"),
        ({"teams": [["a"], ["b"]], "ranks": [0, 1]}, "must be 3 teams of 2"),
        (
            {"teams": [["a", "b"], ["c", "d"], ["e", "x" * 101]]},
            "a name of 1 to 100 visible characters",
        ),
        ({"teams": [["a", "b"], ["c", "d"], ["e", "\0"]]}, "a name of 1 to 100 visible characters"),
        ({"ranks": [0, 1]}, "must be 3 whole numbers"),
        ({"map": 5}, "map '5' must be a name"),
        ({"map": "\0"}, "must be a name of at most 100"),
        ({"characters": ["Mage"]}, "characters .* must have one entry per team"),
        ({"characters": [["Mage"], None, None]}, "characters .* must have one entry per team"),
        ({"characters": ["x" * 61, None, None]}, "The names of characters have at most 60"),
        ({"left": ["Nobody"]}, "left .* must be a list of players of the match"),
        ({"neutral": "no"}, "neutral 'no' must be true or false"),
        ({"weights": [1, 1, 1]}, "weights are not kept: give minutes"),
        ({"patch": "\0"}, "must be plain JSON"),
        ({"patch": float("inf")}, "must be plain JSON"),
        ({"patch": "\ud800"}, "must be plain JSON"),
    ],
)
def test_a_faulty_line_is_named_and_nothing_taken_in(change: dict[str, Any], message: str) -> None:
    create = NewLadder(game="quake", track=NewTrack(system="trueskill", period_days=None))
    plain = {name: it for name, it in GOOD.items() if name not in ("scores", "minutes")}
    text = f"{json.dumps(plain)}\n{json.dumps({**plain, **change})}\n"
    with pytest.raises(FileRejectedError, match=f"line 2.*{message}"):
        match_files.take_in(text, create=create)
    assert counts() == (0, 0, 0, 0)


def test_a_line_must_have_the_teams_of_its_ladder() -> None:
    take_in(DUEL, system="elo")
    (fault,) = faults(GOOD, create=None)
    assert (fault.line, fault.expected[:22]) == (2, "must be 2 teams of 1, ")
    with pytest.raises(OptionError, match="rates one against one; the ladder has 3 teams of 2"):
        take_in(GOOD, ladder="teams", system="frags")


def test_figures_must_be_there_where_ratings_are_made_of_them() -> None:
    timeless = {name: it for name, it in GOOD.items() if name != "minutes"}
    bare = {name: it for name, it in GOOD.items() if name != "scores"}
    found = faults(GOOD, timeless, bare, system="zonestats")
    assert [(fault.line, fault.column) for fault in found] == [(4, "scores"), (3, "minutes")]
    absent = {**GOOD, "date": "2024-06-02", "minutes": [20, [20, 0], 20]}
    take_in(GOOD, absent, system="zonestats")
    assert Participant.objects.filter(score=9, minutes=10.5).count() == 1
    assert Participant.objects.filter(minutes=0).count() == 1


def test_memory_is_bounded_by_bytes_not_by_lines() -> None:
    """Fifty lines of nearly a mebibyte: all in one batch by their number."""

    def lines() -> Iterator[str]:
        for day in range(1, 51):
            played = {"date": f"2024-01-01T00:00:{day:02}", "teams": [["Ann"], ["Bo"]]}
            yield json.dumps({**played, "ranks": [0, 1], "log": "x" * 900_000})

    with TemporaryFile() as file:
        file.writelines(f"{line}\n".encode() for line in lines())
        file.seek(0)
        create = NewLadder(game="quake", track=NewTrack(system="elo", period_days=None))
        tracemalloc.start()
        try:
            report = import_matches(file, name="large.jsonl", ladder="duel", create=create)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert report.new_matches == 50
    assert peak < 30 << 20
