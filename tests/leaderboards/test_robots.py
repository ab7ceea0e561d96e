"""What search engines, link previews and devices ask for."""

import re
from html import unescape

import pytest
from django.test import Client

from leaderboards.robots import sitemaps
from leaderboards.robots.sitemaps import BLOCK
from ratings.models import Mode, Player
from ratings.players.enrol import add_players
from tests.leaderboards.site import Site, make_site
from tests.worlds import shared

pytestmark = pytest.mark.django_db


@shared
def site() -> Site:
    return make_site()


def read(address: str, status: int = 200) -> str:
    answer = Client().get(address)
    assert answer.status_code == status, (address, answer.status_code)
    return answer.content.decode()


def locations(address: str) -> list[str]:
    return [
        unescape(it) for it in re.findall(r"<loc>http://testserver([^<]*)</loc>", read(address))
    ]


def told_of() -> set[str]:
    """Every page that the sitemaps name; each is there."""
    pages = {page for part in locations("/sitemap.xml") for page in locations(part)}
    for page in pages:
        read(page)
    return pages


def players(site: Site) -> set[str]:
    return {player.get_absolute_url() for player in site.arena.players}


def test_robots_are_told_where_the_sitemap_is() -> None:
    text = read("/robots.txt")
    assert "\nSitemap: http://testserver/sitemap.xml\n" in text
    for path in ("/admin/", "/accounts/", "/api/", "/search/"):
        assert f"\nDisallow: {path}\n" in text


def test_the_sitemap_names_public_pages(site: Site) -> None:
    home = {"/", site.arena.game.get_absolute_url(), site.address}
    assert told_of() == home | players(site)
    add_players(site.arena.game.pk, ["unrated"])
    unrated = Player.objects.get(external_id="unrated").get_absolute_url()
    assert unrated not in told_of()


@pytest.mark.parametrize("rules", [{"mode": Mode.NORMAL}, {"shown": False}])
def test_what_is_hidden_is_in_no_sitemap(rules: dict[str, object]) -> None:
    site = make_site(**rules)  # type: ignore[arg-type]
    assert not told_of() & players(site)
    if "mode" in rules:
        assert told_of() == {"/"}


def test_who_is_hidden_is_in_no_block_of_others() -> None:
    site, hidden = make_site(), make_site(slug="hidden")
    assert players(hidden) <= told_of()
    hidden.arena.ladder.mode = Mode.NORMAL
    hidden.arena.ladder.save()
    assert players(site) <= told_of()
    assert not told_of() & players(hidden)


def test_players_are_told_of_in_blocks_of_bounded_length(
    monkeypatch: pytest.MonkeyPatch,
    site: Site,
) -> None:
    anna = site.anna
    number = anna.pk // BLOCK
    assert locations("/sitemap.xml") == ["/sitemaps/site.xml", f"/sitemaps/players-{number}.xml"]
    read(f"/sitemaps/players-{number + 1}.xml", 404)
    read("/sitemaps/players-99999999999999999999.xml", 404)
    monkeypatch.setattr(sitemaps, "BLOCK", 2)
    files = [locations(part) for part in locations("/sitemap.xml")[1:]]
    assert {len(told) for told in files} <= {1, 2}
    assert sorted(page for told in files for page in told) == sorted(players(site))


def test_devices_find_the_site_s_name_and_icons() -> None:
    answer = Client().get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    assert answer.json()["name"] == "Evenmatch"
    assert [icon["sizes"] for icon in answer.json()["icons"]] == ["any", "192x192", "512x512"]
    icon = Client().get("/favicon.ico")
    assert icon.status_code == 302
    assert icon["Location"].endswith(".ico")


def test_shared_links_show_the_page_s_own_title(site: Site) -> None:
    site.anna.call('Anna "&" <b>')
    site.anna.save()
    text = read(site.anna.get_absolute_url())
    told = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', text))
    assert unescape(told["title"]).startswith('Anna "&" <b>')
    assert told["url"] == f"http://testserver{site.anna.get_absolute_url()}"
    assert told["image"].startswith("http://testserver/static/icons/")
    assert told["description"]
    assert '<link rel="manifest" href="/manifest.webmanifest">' in text
