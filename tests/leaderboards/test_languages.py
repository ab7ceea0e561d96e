"""The language switch: pages follow it in words, numbers and dates."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

from foundation import clock
from foundation.templatetags.display import ago, day
from tests.leaderboards.site import Site, make_site

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """What a request activates must not reach other tests."""
    with translation.override("en"):
        yield


def switch(client: Client, language: str, *, back_to: str = "/") -> None:
    """Press the button of a language."""
    answer = client.post("/i18n/setlang/", {"language": language, "next": back_to})
    assert answer.status_code == 302
    assert answer.headers["Location"] == back_to


def text_of(client: Client, address: str, *, site: Site | None = None) -> str:
    if site is None:
        text: str = client.get(address).content.decode()
        return text
    with clock.at(site.now):
        return text_of(client, address)


def test_the_switch_is_on_every_page_and_names_the_languages() -> None:
    text = text_of(Client(), "/")
    for code, _ in settings.LANGUAGES:
        assert f'value="{code}" lang="{code}"' in text


def test_the_home_page_follows_the_switch_and_back() -> None:
    client, site = Client(), make_site()
    assert "Games and ladders" in text_of(client, "/", site=site)
    switch(client, "de")
    german = text_of(client, "/", site=site)
    assert '<html lang="de"' in german
    assert "Spiele und Ranglisten" in german
    assert "<b>4</b> Spieler" in german
    assert "Games and ladders" not in german
    switch(client, "en")
    assert "Games and ladders" in text_of(client, "/", site=site)


def test_a_leaderboard_in_german_has_german_words_and_dates() -> None:
    client, site = Client(), make_site()
    switch(client, "de", back_to=site.address)
    text = text_of(client, site.address, site=site)
    for words in ("Zuletzt gespielt", "S–U–N", "Siege %", "<b>4</b> platzierte Spieler"):
        assert words in text
    with translation.override("de"):
        assert f">{day(site.matches[-1].played_at)}</time>" in text


def test_a_match_in_german_is_explained_in_a_german_sentence() -> None:
    client, site = Client(), make_site()
    switch(client, "de")
    text = text_of(client, f"/matches/{site.matches[0].pk}/", site=site)
    assert "Warum sich die Wertungen geändert haben" in text
    assert "Für Anna war ein Ergebnis von 0,50 zu erwarten; es wurde ein Sieg." in text


def test_a_browser_that_asks_for_german_gets_it_without_a_switch() -> None:
    answer = Client().get("/", headers={"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"})
    assert "Noch keine Wertungen" in answer.content.decode()


def test_a_language_that_is_not_offered_changes_nothing() -> None:
    client = Client()
    switch(client, "xx")
    assert "No ratings yet" in text_of(client, "/")


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (timedelta(seconds=5), "gerade eben"),
        (timedelta(hours=1), "vor 1 Stunde"),
        (timedelta(days=3), "vor 3 Tagen"),
        (timedelta(days=70), "vor 2 Monaten"),
    ],
)
def test_times_ago_are_declined(passed: timedelta, said: str) -> None:
    with translation.override("de"):
        assert ago(NOON - passed, NOON).replace("\xa0", " ") == said
