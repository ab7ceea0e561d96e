"""What a collector reads of the web server is JSON from the first line to the last."""

import json
from pathlib import Path

import pytest

from tests.config.web.serving import running


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_every_line_is_an_object_where_that_is_asked_for(tmp_path: Path) -> None:
    with running(tmp_path, EVENMATCH_LOG_FORMAT="json", EVENMATCH_WEB_PROCESSES="1") as web:
        assert web.get("/health/live").status_code == 200
    lines = [json.loads(line) for line in web.log().splitlines()]
    assert {line["logger"] for line in lines} >= {"gunicorn.error", "evenmatch.requests"}
    assert any("Booting worker" in line["event"] for line in lines)
