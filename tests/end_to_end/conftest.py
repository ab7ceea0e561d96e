"""A real browser on the running site."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from config.embedded.processes import wait_until
from tests.end_to_end.browser import CHROMIUM_OPTIONS, PATIENCE, find_chromium

if TYPE_CHECKING:  # pytest reads this file before Django is ready where the folder is named to it
    from matchmaking.models import Queue
    from tests.end_to_end.players import Person


@dataclass
class BrowserPage:
    """A tab on the site, and what went wrong in it."""

    page: Page
    site: str
    errors: list[str] = field(default_factory=list)

    def open(self, path: str) -> int:
        """Go to a path of the site and wait until it has loaded; the HTTP status."""
        answer = self.page.goto(self.site + path, wait_until="load")
        assert answer is not None
        return answer.status

    def note(self, message: ConsoleMessage) -> None:
        """Keep what the console shows in red: script errors, refused or missing files."""
        if message.type == "error":
            self.errors.append(f"{message.text} ({message.location.get('url', '')})")


@pytest.fixture(autouse=True)
def _leave_no_streams(transactional_db: None) -> Iterator[None]:
    """End the streams that pages left open: what watches over them would read the database after the test."""
    from events.live import end_streams, open_streams

    yield
    end_streams()
    assert wait_until(lambda: open_streams() == 0, seconds=60)


@dataclass
class Chromium:
    """A running browser, and the event loop that Playwright keeps in this thread for it."""

    browser: Browser
    loop: asyncio.AbstractEventLoop | None

    def show_loop(self) -> None:
        """As Playwright has left it."""
        asyncio._set_running_loop(self.loop)

    def hide_loop(self) -> None:
        """Tests without a browser run loops of their own in this thread."""
        asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """One for all tests of a worker: to start it takes as long as a test."""
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=CHROMIUM_OPTIONS, timeout=PATIENCE
        )
        one = Chromium(browser, asyncio._get_running_loop())
        one.hide_loop()
        yield one
        one.show_loop()
        browser.close()


@pytest.fixture(scope="module")
def browser(chromium: Chromium) -> Iterator[Browser]:
    """The browser, for the tests of a module.

    They call the ORM from the thread of Playwright's loop, outside that loop, which Django must be told is meant.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        chromium.show_loop()
        yield chromium.browser
        chromium.hide_loop()


@pytest.fixture
def queue() -> "Queue":
    """One whose offers and searches outlast a test."""
    from tests.end_to_end.players import make_queue

    return make_queue(accept_seconds=600, heartbeat_seconds=600)


@pytest.fixture
def anna(browser: Browser, live_server: LiveServer, queue: "Queue") -> "Iterator[Person]":
    """Signed in, with a player in the game of the queue."""
    from tests.end_to_end.players import open_page, sign_in

    person = open_page(browser, live_server.url, "Anna")
    sign_in(person, queue, live_server.url)
    yield person
    person.context.close()


@pytest.fixture
def browser_page(browser: Browser, live_server: LiveServer) -> Iterator[BrowserPage]:
    """A fresh tab, English and 1280 pixels wide, that notes errors."""
    context = browser.new_context(
        locale="en",
        viewport={"width": 1280, "height": 800},
        reduced_motion="reduce",  # to draw what moves takes a fifth of the processor time
    )
    context.set_default_timeout(PATIENCE)
    tab = BrowserPage(context.new_page(), live_server.url)
    tab.page.on("console", tab.note)
    tab.page.on("pageerror", lambda error: tab.errors.append(str(error)))
    yield tab
    context.close()
