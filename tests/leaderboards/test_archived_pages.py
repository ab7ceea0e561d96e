"""What is archived is gone from pages, search and the API, says so at its addresses, and comes back as it was."""

import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import ResolverMatch

from accounts.models import User
from foundation import clock, kept_pages
from foundation.archiving import Archivable
from leaderboards.archived import archived_at
from matchmaking.models import Queue
from ratings.archiving import archive, restore
from ratings.models import Game, Match, MatchState, Mode, Player
from tests.leaderboards.own.test_own_matches import owner_of
from tests.leaderboards.site import HTMX, Site, make_site
from tests.shown import as_shown

pytestmark = pytest.mark.django_db


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Site:
    """Pages are kept as in production, and compared each time."""
    made = make_site(system="elo", days=None)
    Queue.objects.create(ladder=made.arena.ladder, slug="lobby", name="Lobby")
    monkeypatch.setattr(settings, "PAGES_KEPT", 1000.0)
    monkeypatch.setattr(settings, "PAGES_TRUSTED", 0.0)
    kept_pages.forget_pages()
    return made


def addresses(site: Site) -> dict[str, str]:
    game, ladder = site.arena.game.slug, site.arena.ladder.slug
    match, anna, api = site.matches[0].pk, site.anna.pk, "/api/v1"
    return {
        f"/games/{game}/": "game",
        f"/players/{anna}/": "game",
        f"{api}/players/{anna}": "game",
        f"{api}/players/{anna}/ratings": "game",
        f"{api}/players/{anna}/matches": "game",
        f"{api}/players/{anna}/history": "game",
        f"/ladders/{ladder}/": "ladder",
        f"/matches/{match}/": "ladder",
        f"{api}/ladders/{ladder}": "ladder",
        f"{api}/ladders/{ladder}/leaderboard": "ladder",
        f"{api}/ladders/{ladder}/matches": "ladder",
        f"{api}/matches/{match}": "ladder",
        "/play/in/lobby/": "queue",
        f"{api}/queues/lobby": "queue",
    }


LISTS = (
    "/", "/search/?q=Anna", "/sitemaps/site.xml", "/play/", "/api/v1/games", "/api/v1/ladders", "/api/v1/queues",
    "/api/v1/players?search=Anna",
)  # fmt: skip


def shown(answer: Any) -> str:
    """A page without the token of its forms."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", as_shown(answer.content.decode()))


# What archiving each concerns.
WITHIN = {"queue": {"queue"}, "ladder": {"queue", "ladder"}, "game": {"queue", "ladder", "game"}}


def thing(site: Site, kind: str) -> Archivable:
    if kind == "queue":
        return Queue.objects.get()
    return site.arena.game if kind == "game" else site.arena.ladder


@pytest.mark.parametrize("kind", ["queue", "ladder", "game"])
def test_it_is_gone_says_so_and_comes_back_as_it_was(site: Site, kind: str) -> None:
    pages = addresses(site)
    before = {address: site.get(address) for address in (*pages, *LISTS)}
    assert {answer.status_code for answer in before.values()} == {200}
    archived = thing(site, kind)
    archive(archived, by=None)
    for address, belongs in pages.items():
        answer = site.get(address)
        if belongs not in WITHIN[kind]:
            assert answer.status_code == 200, address
        elif address.startswith("/api/"):
            problem = answer.json()
            assert (answer.status_code, problem["code"]) == (410, "archived"), address
            assert "has been archived" in problem["detail"]
            if "/players/" in address:  # it is not the player who is
                assert problem["detail"].startswith(f"“{site.arena.game}” has")
        else:
            assert answer.status_code == 410, address
            assert "has been archived" in answer.content.decode()
        if belongs in WITHIN[kind]:  # else browsers keep it for good
            assert "no-store" in answer["Cache-Control"], address
    gone = {address: site.get(address).content.decode() for address in LISTS}
    if kind == "game":
        own = (f"/players/{site.anna.pk}/", f'/players/{site.anna.pk}"')
        assert not [it for it in LISTS if any(page in gone[it] for page in own)]
        assert gone["/api/v1/games"].count('"results":[]') == 1
    if kind != "queue":
        assert site.address not in gone["/sitemaps/site.xml"]
        assert site.address not in gone["/"]
    assert "lobby" not in gone["/play/"] + gone["/api/v1/queues"]
    restore(archived, by=None)
    kept_pages.forget_pages()
    for address, answer in before.items():
        again = site.get(address)
        assert again.status_code == 200
        if address.startswith("/api/"):
            assert again.json() == answer.json()
        else:
            assert shown(again) == shown(answer), address


def test_kept_pages_show_it_no_longer_than_others(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = site.address
    assert site.get(address).status_code == 200
    archive(site.arena.game, by=None)
    monkeypatch.setattr(settings, "PAGES_TRUSTED", 500.0)
    assert site.get(address).status_code == 200  # compared a moment ago
    monkeypatch.setattr(settings, "PAGES_TRUSTED", 0.0)
    assert site.get(address).status_code == 410
    assert site.get(address, HTMX).status_code == 410


@pytest.mark.parametrize("address", ["/players/{}/", "/api/v1/players/{}"])
def test_what_is_restored_while_it_is_looked_for_is_there(
    site: Site, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """Found by no page, and no longer archived when that is asked."""
    archive(site.arena.game, by=None)

    def restore_first(at: ResolverMatch | None) -> object:
        if Game.objects.exclude(archived_at=None).exists():
            restore(site.arena.game, by=None)
        return archived_at(at)

    for module in ("config.web.errors", "api.contract.error_responses"):
        monkeypatch.setattr(f"{module}.archived_at", restore_first)
    assert site.get(address.format(site.anna.pk)).status_code == 200
    assert site.get(address.format(0)).status_code == 404


def test_a_match_that_goes_on_stays_with_its_players(site: Site) -> None:
    client, match = owner_of(site, User.objects.create_user("anna-account")), site.matches[0]
    archive(site.arena.ladder, by=None)
    with clock.at(site.now):
        page = f"/play/matches/{match.pk}/"
        assert client.get(page).status_code == 410
        assert "/matches/" not in client.get("/matches/mine/").content.decode().replace(
            "/matches/mine/", ""
        )
        fields = {"state": MatchState.DISPUTED, "ladder_seq": None, "counts_at": None}
        Match.objects.filter(pk=match.pk).update(**fields)
        assert client.get(page).status_code == 200
        assert Client().get(f"/matches/{match.pk}/").status_code == 404
        assert client.get(f"/matches/{match.pk}/").status_code == 200


def test_an_open_page_of_the_queue_loads_itself_anew(site: Site) -> None:
    archive(site.arena.ladder, by=None)
    answer = site.get("/play/in/lobby/", HTMX)
    assert (answer.status_code, answer.headers["HX-Refresh"]) == (200, "true")


def test_normal_mode_was_never_there(site: Site) -> None:
    site.arena.ladder.mode = Mode.NORMAL
    site.arena.ladder.save()
    archive(site.arena.ladder, by=None)
    for address in (site.address, f"/matches/{site.matches[0].pk}/", "/ladders/nothing/"):
        assert site.get(address).status_code == 404
        assert site.get(f"/api/v1{address[:-1]}").status_code == 404


def test_an_archived_player_is_gone_alone(site: Site) -> None:
    Player.objects.filter(pk=site.anna.pk).update(archived_at=site.now)
    assert site.get(f"/players/{site.anna.pk}/").status_code == 410
    assert site.get(f"/api/v1/players/{site.anna.pk}").json()["code"] == "archived"
    assert site.get("/api/v1/players?search=Anna").json()["results"] == []
    assert site.get(f"/players/{site.arena.players[1].pk}/").status_code == 200
