"""Names on pages: each stands by itself, and names that look alike are marked."""

from html.parser import HTMLParser

import pytest

from api.auth.issue import issue_token
from matchmaking.models import Avoided
from ratings.players.enrol import enrol
from ratings.players.site_ids import name_of_deleted
from tests.leaderboards.site import Site, make_site
from tests.matchmaking.hall import make_hall
from tests.matchmaking.visiting import make_account, meet, queue_page_of
from tests.worlds import shared

pytestmark = pytest.mark.django_db


@shared
def site() -> Site:
    return make_site()


NAME = "דוד אלון"  # from right to left
PLAIN = {"title", "script", "style", "option"}


class Loose(HTMLParser):
    """Collects where `NAME` stands in the text of a page without being isolated."""

    def __init__(self) -> None:
        super().__init__()
        self.inside: list[str] = []
        self.found: list[str] = []
        self.seen = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in PLAIN or tag == "bdi":
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in PLAIN or tag == "bdi":
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if NAME not in data or (self.inside and self.inside[-1] in PLAIN):
            return
        self.seen += 1
        if "bdi" not in self.inside and f"\u2068{NAME}\u2069" not in data:
            self.found.append(data)


def loose_in(text: str) -> Loose:
    page = Loose()
    page.feed(text)
    return page


def test_names_on_public_pages_stand_by_themselves(site: Site) -> None:
    site.anna.call(NAME)
    site.anna.save()
    match = site.matches[0]
    for address in (
        "/",
        site.arena.game.get_absolute_url(),
        site.address,
        f"{site.address}?q=דוד",
        "/search/?q=דוד",
        site.anna.get_absolute_url(),
        site.arena.players[1].get_absolute_url(),
        f"/matches/{match.pk}/",
    ):
        page = loose_in(site.text(address))
        assert page.seen, address
        assert not page.found, (address, page.found)


def test_whoever_was_deleted_is_called_so_in_the_language_of_the_reader(site: Site) -> None:
    name = name_of_deleted(site.anna.pk)
    site.anna.call(name)
    site.anna.save()
    german = f"Gelöschter Spieler {site.anna.pk}"
    match = site.matches[0]
    for address in (site.address, site.anna.get_absolute_url(), f"/matches/{match.pk}/"):
        shown = site.text(address, {"accept-language": "de"})
        assert german in shown, address
        assert name not in shown, address
        assert name in site.text(address), address


def test_names_on_pages_of_players_stand_by_themselves() -> None:
    hall = make_hall()
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    for player in hall.players[:2]:
        player.refresh_from_db()
    hall.players[0].call(NAME)
    hall.players[0].save()
    issue_token(player=hall.players[0], name="bot", scopes=["read"])
    addresses = ["/play/", queue_page_of(hall), "/accounts/tokens/", "/accounts/security/"]
    bernd.post(f"/play/avoided/{hall.players[0].pk}/", {"back": "/play/avoided/"})
    seen = 0
    for client, more in ((anna, []), (bernd, ["/play/avoided/"])):
        for address in [*addresses, *more]:
            page = loose_in(client.get(address).content.decode())
            assert not page.found, (address, page.found)
            seen += page.seen
    Avoided.objects.all().delete()
    match = meet(hall)
    for client in (anna, bernd):
        for address in (queue_page_of(hall), f"/play/matches/{match.pk}/", "/"):
            page = loose_in(client.get(address).content.decode())
            assert not page.found, (address, page.found)
            seen += page.seen
    assert seen >= 4


def test_names_that_look_alike_are_marked(site: Site) -> None:
    anna = site.anna
    assert "look-alike" not in site.text(site.address)
    twin = enrol(game=site.arena.game, external_id="twin", name="Änna")[0]
    for address in (site.address, anna.get_absolute_url(), f"/matches/{site.matches[0].pk}/"):
        assert f">#{anna.pk}</small>" in site.text(address), address
    found = site.text("/search/?q=anna")
    assert f">#{anna.pk}</small>" in found
    assert f">#{twin.pk}</small>" in found
