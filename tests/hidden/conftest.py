"""For the tests that ask every address of the site."""

import pytest
from django.db import connection


@pytest.fixture(autouse=True)
def _one_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the session with the database from one request to the next: a new one takes longer than most answers."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", None)
