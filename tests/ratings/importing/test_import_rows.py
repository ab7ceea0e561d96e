"""Reading match files: what is taken, and what is refused, with its exact place."""

import hashlib
import io
import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from ratings.evaluation.reading.cells import parse_moment
from ratings.importing.csv_rows import Rows
from ratings.importing.file_lines import LONGEST, Lines
from ratings.importing.problems import FileRejectedError, Problem, Problems
from ratings.importing.reader import Staged

HEADER = "date,player_a,player_b,score_a\n"
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def read(content: str | bytes) -> list[Staged]:
    """Read all rows of a file, or raise what the importer would."""
    problems = Problems()
    source = io.BytesIO(content.encode() if isinstance(content, str) else content)
    rows = list(Rows(Lines(source, problems), problems, now=NOW).staged())
    problems.raise_if_any()
    return rows


def result_of(row: Staged) -> tuple[str, str, float]:
    """Both players, and the score of the first."""
    first, second = json.loads(row.participants)
    assert (first["team"], second["team"]) == (0, 1)
    scores = {(0, 1): 1.0, (0, 0): 0.5, (1, 0): 0.0}
    return first["player"], second["player"], scores[first["rank"], second["rank"]]


def points_of(row: Staged) -> tuple[float | None, ...]:
    """What both players counted."""
    return tuple(one.get("score") for one in json.loads(row.participants))


def faults(content: str | bytes) -> tuple[Problem, ...]:
    """Return what the importer says is wrong with a file."""
    with pytest.raises(FileRejectedError) as caught:
        read(content)
    return caught.value.problems


def only_fault(content: str | bytes) -> Problem:
    found = faults(content)
    assert len(found) == 1, found
    return found[0]


def test_reads_a_row() -> None:
    (row,) = read(HEADER + "1872-11-30,Scotland,England,0.5\n")
    assert row.line == 2
    assert row.played_at == datetime(1872, 11, 30, tzinfo=UTC)
    assert result_of(row) == ("Scotland", "England", 0.5)
    assert row.extra == "{}"


def test_keeps_further_columns_wherever_they_stand() -> None:
    (row,) = read("neutral,Score_A,player_b,date,player_a,Stadt\n1,0,b,2020-01-01,a,Köln\n")
    assert result_of(row) == ("a", "b", 0.0)
    assert (row.neutral, row.extra) == (True, '{"Stadt": "Köln"}')


@pytest.mark.parametrize(
    ("content", "are_objects"),
    [(b'\xef\xbb\xbf\n {"a": 1}\n[]', True), (b"\n\ndate\n{", False), (b"\n", False), (b"", False)],
)
def test_sees_the_form_and_gives_every_line_afterwards(content: bytes, are_objects: bool) -> None:
    lines = Lines(io.BytesIO(content), Problems())
    assert lines.are_objects() is are_objects
    assert "".join(lines) == content.decode("utf-8-sig")
    assert (lines.size, lines.digest) == (len(content), hashlib.sha256(content).hexdigest())


@pytest.mark.parametrize(
    ("text", "neutral"),
    [("1", True), ("TRUE", True), ("yes", True), ("0", False), ("False", False), ("", False)],
)
def test_reads_whether_a_match_is_neutral(text: str, neutral: bool) -> None:
    (row,) = read(f"date,player_a,player_b,score_a,Neutral\n2020-01-01,a,b,1,{text}\n")
    assert (row.neutral, row.extra) == (neutral, "{}")


def test_reads_what_the_players_counted() -> None:
    header = "date,player_a,player_b,score_a,points_b,Points_A\n"
    first, second = read(f"{header}2020-01-01,a,b,1,3,20.5\n2020-01-02,a,b,1,,7\n")
    assert points_of(first) == (20.5, 3.0)
    assert points_of(second) == (7.0, None)


@pytest.mark.parametrize(
    ("column", "value"), [("neutral", "maybe"), ("points_a", "many"), ("points_b", "inf")]
)
def test_names_a_wrong_further_figure(column: str, value: str) -> None:
    fault = only_fault(f"date,player_a,player_b,score_a,{column}\n2020-01-01,a,b,1,{value}\n")
    assert (fault.line, fault.column, fault.value) == (2, column, value)


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + HEADER.encode() + b"2020-01-01,a,b,1\n",
        HEADER.replace("\n", "\r\n").encode() + b"2020-01-01,a,b,1\r\n",
        HEADER.encode() + b"2020-01-01,a,b,1",
        b"\n\n" + HEADER.encode() + b"\n  \n2020-01-01,a,b,1\n,,,\n\n",
        HEADER.encode() + b' 2020-01-01 , "a","b", 1.0\n',
    ],
    ids=["bom", "crlf", "no line end", "empty lines", "quotes and spaces"],
)
def test_reads_what_spreadsheets_write(content: bytes) -> None:
    (row,) = read(content)
    assert result_of(row) == ("a", "b", 1.0)


def test_quoted_names_may_hold_commas_and_quotes() -> None:
    (row,) = read(HEADER + '2020-01-01,"Smith, ""Jo""",b,1\n')
    assert result_of(row)[0] == 'Smith, "Jo"'


def test_one_name_written_in_two_unicode_forms_is_one_name() -> None:
    first, second = read(HEADER + "2020-01-01,Cura\u00e7ao,b,1\n2020-01-01,Curac\u0327ao,b,1\n")
    assert result_of(first)[0] == result_of(second)[0]
    assert first.identity == second.identity


def test_a_quoted_field_over_two_lines_counts_from_its_first() -> None:
    content = "date,player_a,player_b,score_a,note\n2020-01-01,a,b,1,'x\n2020-01-02,a,b,2,\n"
    content = content.replace("'x", '"x\ny"')
    assert only_fault(content).line == 4


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2020-05-31", datetime(2020, 5, 31, tzinfo=UTC)),
        ("2020-05-31T18:30", datetime(2020, 5, 31, 18, 30, tzinfo=UTC)),
        ("2020-05-31 18:30:01.5", datetime(2020, 5, 31, 18, 30, 1, 500_000, tzinfo=UTC)),
        ("2020-05-31T18:30:00Z", datetime(2020, 5, 31, 18, 30, tzinfo=UTC)),
        (
            "2020-05-31T18:30:00+02:00",
            datetime(2020, 5, 31, 18, 30, tzinfo=timezone(timedelta(hours=2))),
        ),
    ],
)
def test_reads_dates_with_and_without_time_and_zone(text: str, moment: datetime) -> None:
    assert parse_moment(text) == moment
    assert parse_moment(text).tzinfo is UTC


@pytest.mark.parametrize(
    ("row", "column", "value", "expected"),
    [
        ("31.05.2020,a,b,1", "date", "31.05.2020", "must be an ISO date or time"),
        ("2020-02-30,a,b,1", "date", "2020-02-30", "must be an ISO date or time"),
        ("0001-01-01T00:00+14:00,a,b,1", "date", "0001-01-01T00:00+14:00", "must be an ISO date"),
        (",a,b,1", "date", "", "must be an ISO date or time"),
        ("2026-11-22,a,b,1", "date", "2026-11-22", "must not be in the future"),
        ("2020-01-01,,b,1", "player_a", "", "must be a name of 1 to 100 visible characters"),
        ("2020-01-01,a,,1", "player_b", "", "must be a name of 1 to 100 visible characters"),
        (f"2020-01-01,a,{'x' * 101},1", "player_b", "x" * 101, "must be a name of 1 to 100"),
        (
            "2020-01-01,a\x07,b,1",
            "player_a",
            "a\x07",
            "must be a name of 1 to 100 visible characters",
        ),
        ("2020-01-01,a,a,1", "player_b", "a", "must be another player than player_a"),
        ("2020-01-01,a,b,2", "score_a", "2", "must be 1, 0.5 or 0"),
        ("2020-01-01,a,b,-1", "score_a", "-1", "must be 1, 0.5 or 0"),
        ("2020-01-01,a,b,nan", "score_a", "nan", "must be 1, 0.5 or 0"),
        ("2020-01-01,a,b,win", "score_a", "win", "must be 1, 0.5 or 0"),
        ("2020-01-01,a,b,", "score_a", "", "must be 1, 0.5 or 0"),
    ],
)
def test_refuses_a_field(row: str, column: str, value: str, expected: str) -> None:
    fault = only_fault(f"{HEADER}2020-01-01,x,y,1\n\n{row}\n2020-01-02,x,y,1\n")
    assert (fault.line, fault.column, fault.value) == (4, column, value)
    assert fault.expected.startswith(expected)


def test_says_line_column_value_and_what_would_be_right() -> None:
    fault = only_fault(HEADER + "2020-01-01,a,b,7\n")
    assert str(fault) == "line 2, score_a = '7': must be 1, 0.5 or 0"


def test_names_every_fault_of_a_row() -> None:
    found = faults(HEADER + "never,,b,x\n")
    assert [fault.column for fault in found] == ["date", "player_a", "score_a"]


@pytest.mark.parametrize(
    ("content", "line", "expected"),
    [
        ("", 1, "the file is empty; must begin with date,player_a,player_b,score_a"),
        ("\n\n", 1, "the file is empty; must begin with date,player_a,player_b,score_a"),
        ("date,player_a,player_b\n", 1, "no column score_a; must be separated by commas"),
        (
            "date;player_a;player_b;score_a\n",
            1,
            "the columns are separated by semicolons; must be by commas",
        ),
        ("\ndate,player_a,player_b,score_a,date\n", 2, "column 'date' is there twice"),
        (",date,player_a,player_b,score_a\n", 1, "column 1 has no name"),
        (HEADER + "2020-01-01,a,b\n", 2, "has 3 fields; must have 4, like the header"),
        (HEADER + "2020-01-01,a,b,1,\n", 2, "has 5 fields; must have 4, like the header"),
        (HEADER + '2020-01-01,a,b,1\n2020-01-01,"a,b,1\n', 3, "is not CSV"),
        (HEADER + '2020-01-01,"a"x,b,1\n', 2, "is not CSV"),
        (HEADER + "2020-01-01,a,b,1\r2020-01-02,a,b,1\n", 2, "is not CSV"),
        (HEADER.encode() + b"2020-01-01,a,b,1\n2020-01-01,Cura\xe7ao,b,1\n", 3, "byte 0xE7 is not"),
        (HEADER.encode("utf-16"), 1, "the file is UTF-16; save it as UTF-8 text"),
        (b"\x1f\x8b\x08\x00rest", 1, "the file is compressed; unpack it first"),
        (HEADER + "2020-01-01,a\0,b,1\n", 2, "contains a NUL character"),
        (HEADER.encode() + b"x" * LONGEST, 2, "the line is too long; must be at most 1 MiB"),
    ],
)
def test_refuses_a_file(content: str | bytes, line: int, expected: str) -> None:
    fault = only_fault(content)
    assert fault.line == line
    assert fault.expected.startswith(expected)


def test_gives_up_at_the_twentieth_fault() -> None:
    with pytest.raises(FileRejectedError) as caught:
        read(HEADER + "2020-01-01,a,b,7\n" * 50)
    assert [fault.line for fault in caught.value.problems] == list(range(2, 22))
    assert caught.value.there_may_be_more


def test_counts_rows_dated_before_the_row_above() -> None:
    problems = Problems()
    days = (3, 1, 2, 2, 1)
    content = HEADER + "".join(f"2020-01-0{day},a,b,1\n" for day in days)
    rows = Rows(Lines(io.BytesIO(content.encode()), problems), problems, now=NOW)
    assert [row.played_at.day for row in rows.staged()] == list(days)
    assert (rows.count, rows.backwards) == (5, 2)


def test_reads_a_long_file_line_by_line() -> None:
    """The source is never read further than the row that is asked for."""
    problems = Problems()
    source = io.BytesIO((HEADER + "2020-01-01,a,b,1\n" * 10_000).encode())
    rows = Rows(Lines(source, problems), problems, now=NOW).staged()
    next(rows)
    assert source.tell() == len(HEADER) + len("2020-01-01,a,b,1\n")


def test_digest_and_size_cover_the_whole_file() -> None:
    content = (HEADER + "2020-01-01,a,b,1\n\n").encode()
    lines = Lines(io.BytesIO(content), Problems())
    assert len(list(lines)) == 3
    assert lines.size == len(content)
    assert lines.digest == hashlib.sha256(content).hexdigest()
