"""The public pages in a real browser: on a phone and a desk, with and without scripts."""

import re

import pytest
from django.conf import settings
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from foundation import clock
from leaderboards.boards import refresh
from ratings.models import Rating
from tests.end_to_end.browser import PATIENCE
from tests.end_to_end.conftest import BrowserPage
from tests.end_to_end.players import overflow_of, too_wide
from tests.leaderboards.cast import Cast, make_cast
from tests.leaderboards.site import Site, make_site

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def fill_board() -> Cast:
    """Sixty listed players: two pages."""
    cast = make_cast(60)
    cast.values([3000.0 - n for n in range(60)], last_played_at=clock.now())
    refresh.refresh(cast.track.pk)
    return cast


def addresses(site: Site) -> list[str]:
    """Every kind of page."""
    return [
        "/",
        "/games/go/",
        site.address,
        f"{site.address}?everyone=1",
        f"/players/{site.anna.pk}/",
        f"/matches/{site.matches[0].pk}/",
        "/search/?q=an",
    ]


def test_pages_fit_and_have_no_errors(browser_page: BrowserPage) -> None:
    """On a phone and at a desk: one page is opened there, the next here, and each is held to the width of the other."""
    site = make_site()
    page = browser_page.page
    widths = [390, 1280]
    for address in addresses(site):
        for width in widths:
            page.set_viewport_size({"width": width, "height": 800})
            if width == widths[0]:
                assert browser_page.open(address) == 200
            assert overflow_of(page) == 0, (address, width, too_wide(page))
        widths.reverse()
    assert browser_page.errors == []


def test_the_facts_of_a_player_wrap_on_a_phone_in_german(browser_page: BrowserPage) -> None:
    """Games left early and a performance of few games stand beside each other."""
    site = make_site(players=4, rounds=6, system="elo", days=None)
    Rating.objects.filter(player=site.anna).update(leaves=5)
    page = browser_page.page
    page.set_viewport_size({"width": 390, "height": 800})
    page.context.add_cookies(
        [{"name": settings.LANGUAGE_COOKIE_NAME, "value": "de", "url": browser_page.site}]
    )
    assert browser_page.open(f"/players/{site.anna.pk}/") == 200
    facts = page.locator(".player-facts").first
    expect(facts).to_contain_text("wenige Spiele")
    expect(facts).to_contain_text("vorzeitig")
    assert overflow_of(page) == 0, too_wide(page)


def test_the_board_is_turned_without_loading_the_page(browser_page: BrowserPage) -> None:
    fill_board()
    page = browser_page.page
    browser_page.open("/ladders/blitz/")
    page.evaluate("window.loadedOnce = true")
    page.get_by_role("link", name="Next").click()
    expect(page.locator("td.rank").first).to_have_text("51")
    expect(page).to_have_url(re.compile("after="))
    assert page.evaluate("window.loadedOnce") is True
    expect(page.locator("#announcement")).to_have_text("Ranks 51 to 60")
    page.go_back()
    expect(page.locator("td.rank").first).to_have_text("1")
    expect(page.get_by_role("banner")).to_have_count(1)
    assert browser_page.errors == []


def test_a_player_is_found_while_typing(browser_page: BrowserPage) -> None:
    cast = fill_board()
    page = browser_page.page
    browser_page.open("/search/")
    page.get_by_role("searchbox", name="Beginning of the name").press_sequentially("Player 42")
    # The answer to "Player 4", if it came to that, has made way: nothing takes the link's place any more.
    expect(page.get_by_role("link", name="Player 4")).to_have_count(1)
    page.get_by_role("link", name="Player 42").click()
    page.wait_for_url(f"**/players/{cast.players[42].pk}/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Player 42")
    assert browser_page.errors == []


def test_everything_works_without_scripts(browser: Browser, live_server: LiveServer) -> None:
    fill_board()
    context = browser.new_context(java_script_enabled=False, locale="en")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{live_server.url}/ladders/blitz/")
    page.get_by_role("link", name="Next").click()
    expect(page.locator("td.rank").first).to_have_text("51")
    page.get_by_label("Go to rank").fill("7")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.locator("td.rank").first).to_have_text("7")
    page.get_by_role("searchbox", name="Find a player on this ladder").fill("player 5")
    page.locator(".board-tools").get_by_role("button", name="Find").click()
    expect(page.locator(".board-found a")).to_have_count(11)
    page.get_by_role("link", name="Player 57", exact=True).first.click()
    expect(page.locator("tr#found")).to_contain_text("Player 57")
    expect(page.locator("tr#found")).to_be_in_viewport()
    context.close()


def test_who_was_found_on_a_phone_is_in_sight_and_not_shown_as_oneself(
    browser_page: BrowserPage,
) -> None:
    cast = fill_board()
    page = browser_page.page
    page.set_viewport_size({"width": 390, "height": 700})
    browser_page.open("/ladders/blitz/?q=player+57")
    page.locator(".board-found").get_by_role("link", name="Player 57", exact=True).click()
    found = page.locator("tr#found")
    expect(found).to_contain_text("Player 57")
    expect(found).to_be_in_viewport()
    expect(page.locator("tr[aria-current]")).to_have_count(0)
    page.goto("about:blank")
    browser_page.open(f"/players/{cast.players[57].pk}/")
    page.locator(".player-facts a").first.click()
    expect(found).to_contain_text("Player 57")
    expect(found).to_be_in_viewport()
    assert browser_page.errors == []


def test_a_rating_change_can_be_followed(browser_page: BrowserPage) -> None:
    site = make_site()
    page = browser_page.page
    browser_page.open(f"/players/{site.anna.pk}/")
    page.locator("#player-matches tbody tr td.fold-end a").first.click()
    expect(page.get_by_role("heading", name="Why the ratings changed")).to_be_visible()
    page.get_by_text("Games of the rating period").first.click()
    expect(page.get_by_text("Change in the whole period").first).to_be_visible()
    assert re.search(r"/matches/\d+/$", page.url)
    assert browser_page.errors == []
