"""Simulated players are marked: on every page of a demo, and everywhere on every page of a simulated game.

Pages are found through the site's addresses: a new one takes part by itself, or fails here for want of an example.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import LazySettings
from django.template.loader import render_to_string
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.models import User
from demo.models import SimulatedPlayer
from demo.season.season import make_season
from matchmaking.models import Party, Queue
from matchmaking.parties import lifecycle as parties
from matchmaking.preview import jobs
from ratings.models import Game, Ladder, Match, Player
from tests.chance import without_chance
from tests.worlds import shared

pytestmark = pytest.mark.django_db

STRIP = '<aside class="simulated"'
SENTINEL = 765_432.125  # no key of a row, and no count, is as large
STRENGTH = re.compile("765,?432")
# Not pages: they answer programs, files and forms that are posted.
NOT_PAGES = ("i18n/", "metrics", "health/", "admin/jsi18n/", "admin/autocomplete/", "live/")


@pytest.fixture(autouse=True)
def short_previews(monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures of a preview are looked at elsewhere: here it is a page."""
    monkeypatch.setattr(jobs, "BUDGET", 0.05)


@shared
def league() -> Game:
    make_season(players=12, matches=120, days=20.0, seed=2)
    SimulatedPlayer.objects.update(strength=SENTINEL)
    return Game.objects.get(slug="demo")


@shared
def admin(league: Game) -> Client:
    """Somebody who may see every page."""
    client = Client()
    client.force_login(User.objects.create_superuser("ada", "ada@example.org", "difference"))
    return client


def named(patterns: list[URLPattern | URLResolver], space: str = "", at: str = "") -> Iterator[str]:
    """Every address of the site that has a name, filled in with examples."""
    for pattern in patterns:
        here = at + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            if pattern.pattern.regex.groupindex:  # about one passkey, and there is none
                continue
            inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from named(pattern.url_patterns, inner, here)
        elif pattern.name and not here.startswith(NOT_PAGES):
            yield from examples(space + pattern.name, here, pattern)


def examples(name: str, route: str, pattern: URLPattern) -> Iterator[str]:
    wanted = pattern.pattern.regex.groupindex
    if not wanted:
        yield reverse(name)
        return
    if name.startswith("admin:"):
        yield from changed(name, set(wanted))
        return
    if route.startswith("accounts/"):  # a link out of a mail, or a token that nobody has
        numbers = getattr(pattern.pattern, "converters", {})
        yield reverse(name, kwargs={key: 1 if key in numbers else "abc" for key in wanted})
        return
    for given in things(name, set(wanted)):
        yield reverse(name, kwargs=given)


def changed(name: str, wanted: set[str]) -> Iterator[str]:
    """A page of the admin about a thing: of the demo's, where there is one."""
    if wanted == {"object_id"}:
        label = name.removeprefix("admin:").rpartition("_")[0]
        model = {"ratings_game": Game, "ratings_ladder": Ladder, "matchmaking_queue": Queue}
        thing: Any = model.get(label, User)._default_manager.first()
        yield reverse(name, kwargs={"object_id": thing.pk})


def things(name: str, wanted: set[str]) -> list[dict[str, object]]:
    """Values for an address that names a thing of the demo."""
    match = Match.objects.filter(ladder__mode="ranked", state="confirmed").latest("pk")
    player = Player.objects.filter(participations__match=match)[0]
    by_name: dict[str, list[dict[str, object]]] = {
        "game": [{"slug": "demo"}],
        "behaviour": [{"slug": "demo"}],
        "servers": [{"slug": "demo"}],
        "server": [{"slug": "demo", "server": "none"}],
        "statistics": [{"slug": "demo"}],
        "static-ranking": [{"slug": "demo"}],
        "leaderboard": [{"slug": "demo-duel"}, {"slug": "demo-blitz"}],
        "player": [{"pk": player.pk}],
        "match": [{"pk": match.pk}],
        "talk": [{"kind": "match", "pk": match.pk}],
        "desk-queue": [{"queue": "report"}],
        "make-group": [{"slug": "demo"}],
        "found-clan": [{"slug": "demo"}],
        "ladder-clans": [{"slug": "demo-duel"}],
        "choose-suggestions": [{"slug": "demo"}],
        "want-random-group": [{"slug": "demo"}],
        "api:problem": [{"code": "not_found"}],
    }
    if name == "unsubscribe":  # a link out of a mail, and signed
        return [{"token": "abc"}]
    if name.startswith(("api:", "sitemap", "connect")) and name not in by_name:
        return []  # answers in JSON, or for machines
    if wanted == {"slug"} and name not in by_name:
        return [{"slug": queue.slug} for queue in Queue.objects.all()]
    if wanted == {"code"} and name not in by_name:
        party = Party.objects.filter(leader=player).first() or parties.open_party(player=player)
        return [{"code": party.code}]
    if wanted == {"pk"} and name not in by_name:
        return [{"pk": match.pk}]
    assert name in by_name, f"give the address {name!r} an example in {__name__}"
    return by_name[name]


def pages(client: Client) -> Iterator[tuple[str, str]]:
    """Address and text of every page that answers with one."""
    addresses = sorted(set(named(list(get_resolver().url_patterns))))
    assert len(addresses) > 40
    for address in addresses:
        answer = client.get(address)
        if answer.get("Content-Type", "").startswith("text/html") and answer.content:
            yield address, answer.content.decode()


@pytest.mark.full
@pytest.mark.parametrize("who", ["visitor", "admin"])
def test_every_page_of_a_demo_is_marked_and_shows_no_true_strength(
    who: str, admin: Client, settings: LazySettings
) -> None:
    settings.DEMO = True
    client = admin if who == "admin" else Client()
    seen = dict(pages(client))
    assert {"/", "/games/demo/", "/ladders/demo-duel/", "/accounts/password/reset/"} <= set(seen)
    assert len(seen) > 12
    whole = {address: text for address, text in seen.items() if "<html" in text}  # no mere parts
    assert [address for address, text in whole.items() if text.count(STRIP) != 1] == []
    suspects = {address: text for address, text in seen.items() if STRENGTH.search(text)}
    assert [one for one, text in suspects.items() if STRENGTH.search(without_chance(text))] == []


def test_pages_of_errors_are_marked_too(settings: LazySettings) -> None:
    settings.DEMO = True
    assert STRIP in Client().get("/nowhere/").content.decode()
    assert STRIP in render_to_string("500.html")


def test_pages_of_a_simulated_game_are_marked_without_a_demo(league: Game) -> None:
    client = Client()
    for name in ("game", "servers", "leaderboard", "player", "match", "queue"):
        for given in things(name, {"slug"}):
            text = client.get(reverse(name, kwargs=given)).content.decode()
            assert text.count(STRIP) == 1, name
            assert "The players of Lanternfall are simulated." in text
    assert STRIP not in client.get("/search/").content.decode()


def test_the_demo_describes_itself_in_the_language_of_the_visitor(league: Game) -> None:
    german = Client(headers={"Accept-Language": "de"})
    assert "Ein erfundenes Spiel" in german.get("/").content.decode()
    assert "Eins gegen eins auf sechs Karten" in german.get("/ladders/demo-duel/").content.decode()
    Game.objects.update(description="Open")
    assert ">Open</p>" in german.get("/").content.decode()  # a word of ours, but not the demo's


def test_other_games_are_not_marked(league: Game) -> None:
    Game.objects.update(simulated=False)
    for given in things("leaderboard", set()):
        assert STRIP not in Client().get(reverse("leaderboard", kwargs=given)).content.decode()
