"""Live parts in a real browser: told by the stream, polled without it, quiet in hidden tabs; and alerts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from config.embedded.processes import wait_until
from events.live import broadcast, end_streams, open_streams
from tests.end_to_end.conftest import BrowserPage
from tests.end_to_end.live_pages import PART
from tests.events.listening import wait_for_subscriptions

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NEVER = 'hx-trigger="live, every 600s"'
OFTEN = 'hx-trigger="live, every 200ms" data-live-rarely="600"'
# Counts what the scripts do, and lets a test say whether the tab is seen.
WATCH = """
window.seen = true; window.notes = 0; window.heldBack = 0;
Object.defineProperty(document, "hidden", { get: () => !window.seen });
document.hasFocus = () => window.seen;
const make = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { window.notes += 1; return make.call(this); };
window.addEventListener("htmx:confirm", (event) => { window.heldBack += event.defaultPrevented; });
"""

NOTE_WORDS = """
window.shown = 0;
new MutationObserver((found) => { window.shown += found.some((one) => !one.target.hidden); })
  .observe(document.querySelector("[data-offline]"), { attributes: true });
"""
COUNT_CLICKS = """
window.clicks = 0;
document.addEventListener("click", (event) => { window.clicks += Boolean(event.target.closest("#part button")); });
"""


@pytest.fixture
def tab(browser_page: BrowserPage, settings: Settings) -> Iterator[BrowserPage]:
    """A tab of a site with a live part."""
    settings.ROOT_URLCONF = "tests.end_to_end.live_pages"
    settings.LIVE_KEEPALIVE = 0.5
    PART.alert, PART.fetched = "", 0
    PART.held.set()
    browser_page.page.add_init_script(WATCH)
    yield browser_page
    browser_page.page.close()
    end_streams()
    assert wait_until(lambda: open_streams() == 0, seconds=60)


def show(tab: BrowserPage, attributes: str) -> Page:
    """Open the page whose part has these attributes."""
    PART.attributes = attributes
    assert tab.open("/part/") == 200
    return tab.page


def listening(page: Page) -> None:
    """Wait until the page's stream has begun, as the page sees it."""
    assert wait_until(lambda: open_streams() == 1, seconds=60)
    wait_for_subscriptions(1)


def shows_the_latest(page: Page) -> bool:
    """Whether the part is the one fetched last. A stream that was cut off and came back has it fetched once more."""
    return page.locator("#part output").text_content() == str(PART.fetched)


def hold_back(page: Page, number: int = 3) -> None:
    """Wait until so many polls have been held back from now on."""
    page.evaluate("window.heldBack = 0")
    assert wait_until(lambda: page.evaluate("window.heldBack") >= number, seconds=60)


def look(page: Page, *, away: bool) -> None:
    """Turn to another tab, or back."""
    page.evaluate(f"window.seen = {'false' if away else 'true'}")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


@pytest.mark.full
def test_a_part_is_fetched_when_something_is_told(tab: BrowserPage) -> None:
    page = show(tab, f'data-live="site" {NEVER}')
    listening(page)
    fetched = PART.fetched
    broadcast(["ladder:1"], "not.for.us")
    broadcast(["site"], "board.changed")
    assert wait_until(lambda: PART.fetched > fetched, seconds=60)
    assert wait_until(lambda: shows_the_latest(page), seconds=60)
    fetched = PART.fetched
    broadcast(["site"], "board.changed")  # the part that took its place follows too
    assert wait_until(lambda: PART.fetched > fetched, seconds=60)
    assert tab.errors == []


def test_what_is_told_while_an_answer_is_on_its_way_is_not_missed(tab: BrowserPage) -> None:
    page = show(tab, f'data-live="site" hx-sync="this:drop" {NEVER}')
    listening(page)
    fetched = PART.fetched
    PART.held.clear()
    broadcast(["site"], "board.changed")
    assert wait_until(lambda: PART.fetched > fetched, seconds=60)
    on_its_way = PART.fetched
    broadcast(["site"], "board.changed")  # what is on its way does not show this
    PART.held.set()
    assert wait_until(lambda: PART.fetched > on_its_way, seconds=60)
    assert wait_until(lambda: shows_the_latest(page), seconds=60)


@pytest.mark.parametrize("calm", ["", "data-live-calm "], ids=["lively", "calm"])
@pytest.mark.parametrize("by", ["mouse", pytest.param("keyboard", marks=pytest.mark.full)])
def test_a_press_is_not_lost_to_news_that_come_before_its_release(
    tab: BrowserPage, calm: str, by: str
) -> None:
    page = show(tab, f'data-live="site" {calm}{NEVER}')
    listening(page)
    page.evaluate(COUNT_CLICKS)
    button = page.locator("#part").get_by_role("button", name="Sound")
    if by == "mouse":
        button.hover()
        page.mouse.down()
    else:
        button.focus()
        page.keyboard.down("Space")
    with page.expect_event("requestfinished", lambda one: one.url.endswith("/part/")):
        broadcast(["site"], "board.changed")
    before = PART.fetched
    page.evaluate("new Promise((done) => setTimeout(done, 100))")  # what came is dealt with
    assert page.locator("#part output").text_content() == "0"
    page.mouse.up() if by == "mouse" else page.keyboard.up("Space")
    assert page.evaluate("window.clicks") == 1
    if calm:
        page.mouse.click(5, 5)  # it waits for the focus to leave, as ever
        broadcast(["site"], "board.changed")
    assert wait_until(lambda: PART.fetched > before, seconds=60)
    assert wait_until(lambda: shows_the_latest(page), seconds=60)
    broadcast(["site"], "board.changed")  # nothing is pressed any more
    assert wait_until(lambda: PART.fetched > before + 1, seconds=60)
    assert wait_until(lambda: shows_the_latest(page), seconds=60)
    assert tab.errors == []


def test_a_press_elsewhere_holds_nothing_back(tab: BrowserPage) -> None:
    page = show(tab, f'data-live="site" {NEVER}')
    listening(page)
    page.mouse.move(5, 5)
    page.mouse.down()
    broadcast(["site"], "board.changed")
    expect(page.locator("#part output")).not_to_have_text("0")


def test_polls_are_rare_while_the_stream_is_open_and_come_back_without_it(
    tab: BrowserPage, settings: Settings
) -> None:
    page = show(tab, f'data-live="site" {OFTEN}')
    listening(page)
    hold_back(page)
    settings.LIVE_STREAMS = 0  # refused from now on
    end_streams()
    fetched = PART.fetched
    assert wait_until(lambda: PART.fetched > fetched + 2, seconds=60)


@pytest.mark.full
def test_a_page_says_that_the_site_is_away_and_takes_it_back(tab: BrowserPage) -> None:
    page = show(tab, f'data-live="site" {NEVER}')
    listening(page)
    note = page.locator("[data-offline]")
    expect(note).to_be_hidden()
    page.route("**", lambda route: route.abort("connectionrefused"))
    end_streams()
    expect(note).to_be_visible()
    expect(note).to_contain_text("Connection lost")
    page.unroute("**")
    broadcast(["site"], "board.changed")
    expect(note).to_be_hidden()
    assert wait_until(lambda: shows_the_latest(page), seconds=60)


def test_a_page_that_lost_its_stream_alone_says_nothing(tab: BrowserPage) -> None:
    page = show(tab, f'data-live="site" {NEVER}')
    listening(page)
    page.evaluate(NOTE_WORDS)
    page.route("**/live/**", lambda route: route.abort("connectionrefused"))
    fetched = PART.fetched
    end_streams()
    assert wait_until(lambda: PART.fetched > fetched, seconds=60)  # the page has found out
    assert wait_until(lambda: shows_the_latest(page), seconds=60)
    assert page.evaluate("window.shown") == 0
    expect(page.locator("[data-offline]")).to_be_hidden()


def test_it_polls_where_it_may_not_listen(tab: BrowserPage) -> None:
    show(tab, f'data-live="player" {OFTEN}')
    assert wait_until(lambda: PART.fetched > 2, seconds=60)
    assert open_streams() == 0


def test_a_hidden_tab_is_quiet_until_it_is_seen_again(tab: BrowserPage) -> None:
    page = show(tab, f'data-live="site" {OFTEN}')
    listening(page)
    look(page, away=True)
    assert wait_until(lambda: open_streams() == 0, seconds=60)
    hold_back(page)
    fetched = PART.fetched
    look(page, away=False)
    assert wait_until(lambda: PART.fetched > fetched, seconds=60)
    listening(page)


def test_a_search_goes_on_in_a_hidden_tab(tab: BrowserPage) -> None:
    page = show(tab, f'data-live="site" data-live-always {NEVER}')
    listening(page)
    look(page, away=True)
    fetched = PART.fetched
    broadcast(["site"], "offer.made")
    assert wait_until(lambda: PART.fetched > fetched, seconds=60)
    assert open_streams() == 1


def test_an_alert_sounds_once_and_flashes_until_it_is_seen(tab: BrowserPage) -> None:
    page = show(tab, f'data-live="site" data-live-always {OFTEN}')
    listening(page)
    title = page.title()
    page.locator("main").click()  # browsers let only pages sound that were touched
    look(page, away=True)
    PART.alert = "Match found"
    broadcast(["site"], "offer.made")
    assert wait_until(lambda: page.title() == "Match found", seconds=60)
    assert page.evaluate("window.notes") == 3
    fetched = PART.fetched
    broadcast(["site"], "offer.made")  # the same alert once more
    assert wait_until(lambda: PART.fetched > fetched, seconds=60)
    page.evaluate("window.seen = true; window.dispatchEvent(new Event('focus'))")
    assert wait_until(lambda: page.title() == title, seconds=60)
    assert page.evaluate("window.notes") == 3


def test_the_sound_can_be_switched_off_for_good(tab: BrowserPage) -> None:
    page = show(tab, f'data-live="site" {NEVER}')
    button = page.get_by_role("button", name="Sound")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    PART.alert = "Match found"
    page.reload()
    expect(page.locator("[data-alert]")).to_be_visible()
    expect(button).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("window.notes") == 0
