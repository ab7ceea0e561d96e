"""Columns come out of PostgreSQL as they went in."""

from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from django.db import connection, transaction
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from foundation.postgresql.bulk import (
    NULL,
    copy_in,
    copy_lines,
    escaped,
    fetch_columns,
    moment,
    real,
    to_micros,
    whole,
)
from foundation.postgresql.prepared import prepared

pytestmark = pytest.mark.django_db
SCANS = "SELECT seq_scan, idx_scan FROM pg_stat_xact_user_tables WHERE relname = 'skewed'"
WHOLE = st.integers(min_value=-(2**63), max_value=2**63 - 1)
ROWS = st.lists(st.tuples(WHOLE, st.floats(), st.integers(-(2**15), 2**15 - 1)))


@given(ROWS)
def test_columns_make_the_round_trip(rows: list[tuple[int, float, int]]) -> None:
    columns: dict[str, NDArray[Any]] = {
        "number": np.array([row[0] for row in rows], dtype=np.int64),
        "share": np.array([row[1] for row in rows], dtype=np.float64),
        "team": np.array([row[2] for row in rows], dtype=np.int16),
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMP TABLE IF NOT EXISTS bulk (number int8, share float8, team int2)"
        )
        cursor.execute("DELETE FROM bulk")
    copy_in("bulk", columns)
    wanted = {"number": whole("number"), "share": real("share"), "team": whole("team")}
    found = fetch_columns(wanted, "bulk", {})
    for name, column in columns.items():
        np.testing.assert_array_equal(found[name], column)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))))
def test_texts_make_the_way_in(texts: list[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE IF NOT EXISTS words (number int, word text)")
        cursor.execute("DELETE FROM words")
        rows = list(enumerate([*texts, "\\N", "\\.", "a\tb\r\nc"]))
        lines = [f"{number}\t{escaped(word)}" for number, word in rows]
        copy_lines("words", ("number", "word"), [*lines, f"{len(rows)}\t{NULL}"])
        cursor.execute("SELECT number, word FROM words ORDER BY number")
        assert cursor.fetchall() == [*rows, (len(rows), None)]


def test_moments_are_counted_from_2000() -> None:
    early = datetime(1872, 11, 30, 15, tzinfo=UTC)
    found = fetch_columns(
        {"at": moment("at")}, "(VALUES (%(at)s::timestamptz)) AS t (at)", {"at": early}
    )
    assert found["at"].tolist() == [-4_010_374_800_000_000]
    assert to_micros(early) == -4_010_374_800_000_000


def test_a_null_is_refused_by_the_name_of_its_column() -> None:
    source = "(VALUES (1, 2.0::float8), (2, NULL)) AS t (number, share)"
    with pytest.raises(ValueError, match="column share holds NULL"):
        fetch_columns({"number": whole("number"), "share": real("share")}, source, {})


@pytest.mark.django_db(transaction=True)
def test_a_read_is_planned_for_its_values_where_statements_are_prepared() -> None:
    with prepared() as cursor:
        cursor.execute("SELECT current_setting('plan_cache_mode')")
        assert cursor.fetchone() == ("force_generic_plan",)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMP TABLE skewed ON COMMIT DROP AS SELECT (n < 3)::int AS kind FROM generate_series(0, 29999) n"
        )
        cursor.execute("CREATE INDEX ON skewed (kind)")
        cursor.execute("ANALYZE skewed")
        scans = []
        for kind in (1, 0):
            found = fetch_columns(
                {"kind": whole("kind")}, "skewed WHERE kind = %(kind)s", {"kind": kind}
            )
            cursor.execute(SCANS)
            scans.append((len(found["kind"]), *cursor.fetchone()))
    # The few by the index, the many without.
    (few, seq_before, by_index), (many, seq_after, by_index_still) = scans
    assert (few, many) == (3, 29_997)
    assert (by_index, by_index_still, seq_after - seq_before) == (1, 1, 1)


@pytest.mark.django_db(transaction=True)
def test_no_text_is_kept_where_statements_are_prepared() -> None:
    """Values stand in it: each is another, and as long as what is asked for."""
    with prepared() as cursor:
        cursor.execute("SELECT 1")
    before = len(connection.connection._prepared._counts)
    for number in range(3):
        asked = list(range(number, 1000))
        found = fetch_columns({"n": whole("n")}, "unnest(%(asked)s) AS n", {"asked": asked})
        assert found["n"].tolist() == asked
    assert len(connection.connection._prepared._counts) == before
