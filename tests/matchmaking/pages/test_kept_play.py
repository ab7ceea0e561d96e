"""Play is rendered once for all who are signed out, and nobody is shown another's, or what is long past."""

import html
import re

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from foundation import kept_pages
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.visiting import HTMX, accounts, search, text_of, words_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("keep_pages")]
PLAY = "/play/"


@pytest.fixture
def hall() -> Hall:
    return make_hall()


def queries_of(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as found:
        text_of(client, address)
    return len(found)


def searching(client: Client) -> str:
    found = re.search(r"Searching (\d+)", words_of(client, PLAY))
    assert found is not None
    return found[1]


def test_what_somebody_has_just_seen_asks_the_database_nothing(hall: Hall) -> None:
    assert queries_of(Client(), PLAY) > 2
    assert queries_of(Client(), PLAY) == 0
    assert queries_of(Client(), f"{PLAY}?invented=1") == 0
    assert len(kept_pages._pages) == 1


def test_what_has_changed_is_shown_once_it_is_compared(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "PAGES_TRUSTED", 0.0)
    assert searching(Client()) == "0"
    search(hall, 0)
    assert searching(Client()) == "1"


def test_an_open_page_asks_and_is_told(hall: Hall) -> None:
    asks = re.search(r'id="queues" hx-get="([^"]+)"', text_of(Client(), PLAY))
    assert asks is not None
    again = html.unescape(asks[1])
    assert Client().get(again, headers=HTMX).status_code == 204
    search(hall, 0)
    part = Client().get(again, headers=HTMX)
    assert part.status_code == 200
    assert "<html" not in part.content.decode()


def test_nobody_is_shown_what_is_anothers(hall: Hall) -> None:
    (anna,) = accounts(hall, "anna")
    assert "You play as" in words_of(anna, PLAY)
    visitor = words_of(Client(), PLAY)
    assert "Sign in to play" in visitor
    assert "Anna" not in visitor
    own = words_of(anna, PLAY)
    assert "You play as" in own
    assert "Sign in to play" not in own


def test_every_language_has_its_own(hall: Hall) -> None:
    assert "Sign in to play" in words_of(Client(), PLAY)
    german = words_of(Client(), PLAY, **{"Accept-Language": "de"})
    assert "Sign in to play" not in german
    assert "Sign in to play" in words_of(Client(), PLAY)


def test_who_has_it_already_is_told_so(hall: Hall) -> None:
    client = Client()
    tag = client.get(PLAY)["ETag"]
    assert client.get(PLAY, headers={"If-None-Match": tag}).status_code == 304
    search(hall, 0)
    kept_pages.forget_pages()
    assert client.get(PLAY, headers={"If-None-Match": tag}).status_code == 200
