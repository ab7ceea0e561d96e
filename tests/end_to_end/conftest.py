"""A real browser on the running site."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from config.embedded.processes import wait_until
from tests.end_to_end.browser import CHROMIUM_OPTIONS, PATIENCE, find_chromium


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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a module.

    Playwright keeps an event loop in this thread while it runs. The tests call the ORM from the
    same thread, outside that loop, which Django must be told is meant.
    """
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        expect.set_options(timeout=PATIENCE)
        chromium = playwright.chromium.launch(
            executable_path=find_chromium(), args=CHROMIUM_OPTIONS, timeout=PATIENCE
        )
        yield chromium
        chromium.close()


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
