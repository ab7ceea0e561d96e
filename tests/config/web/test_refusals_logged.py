"""What is refused is a line in the log; what fails says where."""

import io
import logging

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from config.monitoring.logs import configure_logs

pytestmark = pytest.mark.django_db


def logged(client: Client, path: str) -> str:
    """What the site's log says of a request."""
    configure_logs(level="INFO", as_json=False)
    (handler,) = [one for one in logging.getLogger().handlers if one.get_name() == "stderr"]
    assert isinstance(handler, logging.StreamHandler)
    found = io.StringIO()
    handler.setStream(found)
    client.get(path)
    return found.getvalue()


def test_a_refusal_is_told_without_a_traceback() -> None:
    client = Client()
    client.force_login(get_user_model().objects.create_user("clerk", is_staff=True))
    text = logged(client, "/admin/ratings/match/disputes/")
    assert "Forbidden (Permission denied): /admin/ratings/match/disputes/" in text
    assert "Traceback" not in text
    assert "PermissionDenied" not in text


def test_nobody_fills_the_log_with_too_many_parameters() -> None:
    text = logged(Client(), "/?" + "a&" * 1001)
    assert "TooManyFieldsSent" in text
    assert "Traceback" not in text


@pytest.mark.parametrize(
    "path",
    [
        "/nope/annabella@example.org",
        "/players/annabella/",
        "/api/v1/players/by-external-id/annabella",
    ],
)
def test_no_address_is_told(path: str) -> None:
    text = logged(Client(), path)
    assert "annabella" not in text
    assert "[django.request]" in text


def test_a_failure_is_told_with_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("ratings.admin.of_matches.disputes.count_disputes", fails)
    client = Client(raise_request_exception=False)
    client.force_login(get_user_model().objects.create_superuser("chief"))
    text = logged(client, "/admin/ratings/match/disputes/")
    assert "Traceback" in text
    assert "broken on purpose" in text
    assert "Internal Server Error: /admin/ratings/match/disputes/" in text
