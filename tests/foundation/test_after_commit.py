"""Nothing that follows a commit makes it look as if it had failed."""

import logging
import re

import pytest
from django.db import OperationalError, transaction

from config.embedded.paths import PROJECT
from foundation.postgresql.transactions import after_commit

pytestmark = pytest.mark.django_db(transaction=True)


def note(done: list[str], word: str) -> None:
    done.append(word)


def fail(word: str) -> None:
    raise OperationalError(word)


def test_one_that_fails_keeps_no_other_from_being_done(caplog: pytest.LogCaptureFixture) -> None:
    done: list[str] = []
    with caplog.at_level(logging.ERROR), transaction.atomic():
        after_commit(note, done, "first")
        after_commit(fail, "no time is left")
        after_commit(note, done, word="last")
        assert done == []
    assert done == ["first", "last"]
    assert "Error calling fail in on_commit()" in caplog.text


def test_nothing_else_is_done_after_a_commit() -> None:
    applications = "accounts api config demo events foundation leaderboards matchmaking ratings"
    found = {
        str(path.relative_to(PROJECT))
        for name in applications.split()
        for path in (PROJECT / name).rglob("*.py")
        if re.search(r"\bon_commit\(", path.read_text())
    }
    assert found == {"foundation/postgresql/transactions.py"}
