"""Files of games: what is read from them, and what is said of those that cannot be read."""

import json
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest

from ratings.evaluation import FileError, Played, read_games
from ratings.systems import Contests, Duels

TABLE = """\
date,player_a,player_b,score_a,neutral,goals_a,goals_b,place
2024-05-01,Ann,Bo,1,0,3,1,here

2024-05-01T18:00:00+02:00,"Bo",Cy, 0.5 ,1,2,2,"there, or near"
2024-05-02,Cy,Ann,0,0,0,1,
"""
MINUTE = 60_000_000


def table(text: str) -> Played:
    return read_games(text.splitlines(keepends=True))


def lines(*objects: dict[str, Any]) -> Played:
    return read_games(json.dumps(one) + "\n" for one in objects)


def test_a_table_becomes_duels() -> None:
    played = table(TABLE)
    duels = played.results
    assert isinstance(duels, Duels)
    assert list(played.names) == ["Ann", "Bo", "Cy"]
    assert (duels.first.tolist(), duels.second.tolist()) == ([0, 1, 2], [1, 2, 0])
    assert duels.score.tolist() == [1.0, 0.5, 0.0]
    assert duels.side is not None
    assert duels.side.tolist() == [1.0, 0.0, 1.0]
    assert duels.points is not None
    assert duels.points.tolist() == [[3, 1], [2, 2], [0, 1]]
    assert (played.at - played.at[0]).tolist() == [0, 16 * 60 * MINUTE, 24 * 60 * MINUTE]
    assert played.lines is not None
    assert played.lines.tolist() == [2, 4, 5]
    assert played.minutes is None


def test_columns_may_be_left_out_and_stand_in_any_order() -> None:
    played = table(
        "\ufeffScore_A,player_b,player_a,date,minutes,kills_a,kills_b\n1,x,y,2024-01-01,7,3,\n"
    )
    duels = played.results
    assert isinstance(duels, Duels)
    assert duels.side is None
    assert duels.points is None  # one cell is empty: not all is known
    assert played.minutes is not None
    assert played.minutes.tolist() == [[7.0, 7.0]]
    apart = table("date,player_a,player_b,score_a,minutes_a,minutes_b\n2024-01-01,x,y,1,5,9\n")
    assert apart.minutes is not None
    assert apart.minutes.tolist() == [[5.0, 9.0]]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("2024-13-01,a,b,1,0", "line 3: date '2024-13-01' must be an ISO date"),
        ("2024-01-03,a,b,2,0", "line 3: score_a '2' must be 1, 0.5 or 0"),
        ("2024-01-03,a,b,won,0", "line 3: score_a 'won' must be a number"),
        ("2024-01-03,a,b,1,yes", "line 3: neutral 'yes' must be 0"),
        ("2024-01-03,a,a,1,0", "line 3: player_b must be another player"),
        ("2024-01-03,,b,1,0", "line 3: player_a is empty; must be a name"),
        ("2024-01-03,a,b,1", "line 3: has 4 fields; must have 5"),
        ('2024-01-03,"a,b,1,0', "line 3: is not CSV"),
        ("2023-01-03,a,b,1,0", "line 3: is dated before line 2; the oldest game must come first"),
    ],
)
def test_a_faulty_row_is_named(row: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        table(f"date,player_a,player_b,score_a,neutral\n2024-01-01,a,b,1,0\n{row}\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: the file is empty; must hold games"),
        ("date,player_a\n", "line 1: no column player_b, score_a; the first line must name"),
        ("date,player_a,player_b,score_a\n", "no game below its header"),
        ("date,date,player_a,player_b,score_a\n", "column date is there twice"),
        (
            "date,player_a,player_b,score_a,goals_a,goals_b\n2024-01-01,a,b,1,3,x\n",
            "line 2: goals_b 'x' must be a number",
        ),
    ],
)
def test_a_file_that_is_no_table_is_refused(text: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        table(text)


def test_json_lines_become_contests() -> None:
    played = lines(
        {
            "date": "2024-05-01",
            "teams": [["Ann", 7], ["Cy"], ["Di"]],
            "ranks": [1, 0, 1],
            "weights": [[1, 0.5], 1, 1],
            "scores": [[3, 4], [9], [2]],
            "minutes": [20, 10.5, 20],
        },
        {
            "date": "2024-05-02",
            "teams": [["Cy"], ["Ann"]],
            "ranks": [0, 1],
            "weights": [1, 1],
            "scores": [1, 0],
        },
    )
    contests = played.results
    assert isinstance(contests, Contests)
    assert list(played.names) == ["Ann", "7", "Cy", "Di"]
    assert contests.contest.tolist() == [0, 0, 0, 0, 1, 1]
    assert contests.team.tolist() == [0, 0, 1, 2, 0, 1]
    assert contests.player.tolist() == [0, 1, 2, 3, 2, 0]
    assert contests.rank.tolist() == [1, 1, 0, 1, 0, 1]
    assert contests.weight.tolist() == [1, 0.5, 1, 1, 1, 1]
    assert contests.score is not None
    assert contests.score.tolist() == [3, 4, 9, 2, 1, 0]
    assert contests.minutes is None  # the second line leaves it out
    assert played.has_draws
    assert not lines({"date": "2024-05-02", "teams": [["a"], ["b"]], "ranks": [0, 3]}).has_draws


GOOD = {"date": "2024-05-01", "teams": [["a", "b"], ["c"]], "ranks": [0, 1]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"date": 5}, "line 1: date '5' must be an ISO date"),
        ({"teams": [["a", "b"]]}, "teams must be a list of two or more lists"),
        ({"teams": [["a"], []]}, "teams must be a list of two or more lists"),
        ({"teams": [["a", "b"], ["a"]]}, "teams name a player twice"),
        ({"teams": [["a"], [" "]]}, "teams is empty; must be a name"),
        ({"ranks": [0]}, r"ranks '\[0\]' must be 2 whole numbers"),
        ({"ranks": [0, -1]}, "must be 2 whole numbers, one per team; 0 is best"),
        ({"ranks": [0, True]}, "must be 2 whole numbers"),
        ({"weights": [[1], 1]}, "weights .* must have one entry per team"),
        ({"weights": [2, 1]}, "weights '2' must be from 0 to 1"),
        ({"minutes": [3, -1]}, "minutes '-1' must not be negative"),
        ({"scores": [[1, "x"], 1]}, "scores 'x' must be a number"),
    ],
)
def test_a_faulty_line_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(FileError, match=message):
        lines({**GOOD, **change})


def test_what_is_no_object_is_refused() -> None:
    with pytest.raises(FileError, match="line 2: is not JSON"):
        read_games([json.dumps(GOOD), '{"date": '])
    with pytest.raises(FileError, match="line 3: must be an object"):
        read_games([json.dumps(GOOD), "\n", "[1, 2]"])


@pytest.mark.parametrize("form", ["table", "lines"])
def test_what_is_passed_over_takes_no_memory(form: str) -> None:
    """Thirty games, each with a long text that nobody asked for."""

    def told() -> Iterator[str]:
        if form == "table":
            yield "date,player_a,player_b,score_a,log\n"
        for day in range(1, 31):
            date = f"2024-01-{day:02}"
            if form == "table":
                yield f"{date},x,y,1,{'z' * 100_000}\n"
                continue
            one = {"date": date, "teams": [["x"], ["y"]], "ranks": [0, 1], "log": "z" * 900_000}
            yield f"{json.dumps(one)}\n"

    tracemalloc.start()
    try:
        assert len(read_games(told())) == 30
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < (1 << 20 if form == "table" else 8 << 20)
