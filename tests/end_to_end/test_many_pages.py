"""More open pages in one browser than it has connections to a site: each loads, and each comes up to date."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from config.embedded.processes import wait_until
from events.live import open_streams
from matchmaking.models import Queue, Ticket
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from ratings.models import Player
from tests.end_to_end.players import Person, open_page, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HIDE = 'Object.defineProperty(document, "hidden", { get: () => window.seen !== true });'
LOCKS = """navigator.locks.query().then(({ held, pending }) => [...held, ...pending].map((lock) => lock.name))"""
COUNT_CHANNELS = """
window.channels = 0;
window.BroadcastChannel = class extends BroadcastChannel {
  constructor(name) { super(name); window.channels += 1; }
  close() { super.close(); window.channels -= 1; }
};
"""
SHOW = 'window.seen = true; document.dispatchEvent(new Event("visibilitychange"));'


@pytest.fixture
def anna(browser: Browser, live_server: LiveServer, queue: Queue) -> Iterator[Person]:
    """Searches."""
    person = open_page(browser, live_server.url, "Anna")
    lifecycle.join(queue=queue, player=sign_in(person, queue, live_server.url))
    yield person
    person.context.close()


def open_more(anna: Person, number: int, script: str = "") -> list[Page]:
    """Pages of the same browser, all of them loaded."""
    pages = [anna.context.new_page() for _ in range(number)]
    for page in pages:
        page.add_init_script(script)
        page.goto("/play/")
    return pages


def offer(queue: Queue) -> None:
    """Have a match found for Anna."""
    other = Player.objects.create(game=queue.ladder.game, name="Bernd", external_id="bernd")
    lifecycle.join(queue=queue, player=other)
    sweep.run_queue(queue.pk)


def has_streams(number: int) -> bool:
    return wait_until(lambda: open_streams() == number, seconds=60)


def show_an_offer(pages: list[Page]) -> None:
    for page in pages:
        expect(page.locator("#ongoing")).to_contain_text("Match found")


@pytest.mark.full
def test_eight_pages_that_are_seen_share_two_streams(anna: Person, queue: Queue) -> None:
    pages = open_more(anna, 8)
    assert has_streams(2)
    offer(queue)
    show_an_offer(pages)
    pages[7].locator("#ongoing").get_by_role("button", name="Accept").click()
    expect(pages[7].locator("#stage-heading")).to_have_text("You accepted")
    for page in pages[:6]:
        page.close()
    assert has_streams(2)  # those that waited have them now
    assert anna.errors == []


@pytest.mark.full
def test_hidden_pages_leave_room_for_one_that_is_seen(anna: Person, queue: Queue) -> None:
    pages = open_more(anna, 8, HIDE)
    assert has_streams(1)
    pages[7].evaluate(SHOW)
    assert has_streams(2)
    offer(queue)
    show_an_offer(pages)


@pytest.mark.full
def test_a_page_that_is_left_holds_nothing_and_gets_all_back(anna: Person, queue: Queue) -> None:
    (left,) = open_more(anna, 1, COUNT_CHANNELS)
    assert has_streams(1)
    # As on the way to another page, while the browser keeps this one: it is hidden after it has been left.
    left.evaluate(HIDE)
    left.evaluate('window.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }))')
    left.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
    assert left.evaluate(LOCKS) == []
    assert left.evaluate("window.channels") == 0
    assert has_streams(0)
    others = open_more(anna, 2)  # they have both streams
    assert has_streams(2)
    left.evaluate("window.seen = true")
    left.evaluate('window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))')
    assert left.evaluate("window.channels") == 1
    offer(queue)
    show_an_offer([left, *others])
    for page in others:
        page.close()
    assert has_streams(1)  # its own again
    assert anna.errors == []


def test_a_page_without_a_stream_is_told_by_one_that_has_it(anna: Person, queue: Queue) -> None:
    Ticket.objects.all().delete()  # nothing goes on: the bar asks once a minute
    pages = open_more(anna, 3)
    assert has_streams(2)
    lifecycle.join(queue=queue, player=Player.objects.get(name="Anna"))
    for page in pages:
        expect(page.locator("#ongoing")).to_contain_text("You're searching", timeout=30_000)
