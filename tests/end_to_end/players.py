"""A game to play in, people with browsers, and the work that workers do."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import connection
from django.test import Client
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    expect,
)

from accounts.models import User
from config.embedded.processes import wait_until
from events.outbox import deliver
from leaderboards.boards.refresh import refresh_due
from matchmaking.models import Queue
from matchmaking.sweep import run as sweep
from ratings.models import Game, Ladder, Player
from ratings.players.claim import make_player
from ratings.tracks.parameters import create_track
from tests.end_to_end.browser import PATIENCE

__all__ = [
    "PASSWORD",
    "Person",
    "is_wrong",
    "let_in",
    "make_queue",
    "open_page",
    "overflow_of",
    "sign_in",
    "working",
]

PASSWORD = "quite-Good-enough-7"
# What is said of a navigation that made way for another.
_OVERTAKEN = ("net::ERR_ABORTED", "interrupted by another navigation")


@dataclass
class Person:
    """Somebody at a browser of their own, and what went wrong in it."""

    name: str
    page: Page
    errors: list[str]
    scripts: bool

    @property
    def context(self) -> BrowserContext:
        return self.page.context

    def close_page(self) -> Callable[[str], None]:
        """Close the page, not the browser; gives what opens an address in a new one."""
        context = self.context
        self.page.close()

        def reopen(address: str) -> None:
            self.page = context.new_page()
            self.page.goto(address)

        return reopen

    def goes_to(self, address: str) -> None:
        """Open an address. A page without scripts asks for itself again at times, maybe just now: then once more."""
        for _attempt in range(5):
            try:
                self.page.goto(address)
                return
            except Error as error:
                if not any(reason in error.message for reason in _OVERTAKEN):
                    raise
        raise AssertionError(f"{address} was overtaken five times")

    def sees(self, heading: str) -> None:
        """Wait until the page of the queue or match says so."""
        expect(self.page.locator("#stage-heading")).to_have_text(heading)

    def comes_to_see(self, heading: str) -> None:
        """Wait until the page of the queue or match says so by what another does."""
        self.waits_for(self.page.locator("#stage-heading", has_text=heading))
        self.sees(heading)

    def waits_for(self, what: Locator) -> None:
        """Wait for what another does. Without scripts by asking again: the page would do so too late for a test."""
        if not self.scripts:
            self.reloads_until(what)
        expect(what).to_be_visible()

    def reloads_until(self, what: Locator) -> None:
        """Ask for the page again and again until it shows something."""

        def is_there() -> bool:
            if not what.count():
                self.page.reload()
            return what.count() > 0

        assert wait_until(is_there, seconds=PATIENCE / 1000, every=0.2), self.page.content()

    def is_told(self, words: str) -> None:
        """Wait for a notice."""
        notice = self.page.locator("main .notice", has_text=words)
        expect(notice).to_be_visible()

    def press(self, button: str) -> None:
        """Press a button of it, once it is there."""
        found = self.page.locator("#stage").get_by_role("button", name=button, exact=True)
        if self.scripts:
            found.click()
            return
        with self.page.expect_navigation():  # a page of its own answers
            found.click()


def make_queue(**queue: Any) -> Queue:
    """A game with a ranked ladder whose matches count at once, and a queue."""
    game = Game.objects.create(slug="chess", name="Chess")
    ladder = Ladder.objects.create(
        game=game, slug="blitz", name="Blitz", lists_provisional=True, pool_minimum=0
    )
    create_track(ladder=ladder, system="elo", parameters={}, period_days=None, shown=True)
    return Queue.objects.create(ladder=ladder, slug="blitz", name="Blitz", **queue)


def open_page(
    browser: Browser, site: str, name: str, *, scripts: bool = True, width: int = 1280
) -> Person:
    """Open a browser for somebody who is not signed in."""
    context = browser.new_context(
        java_script_enabled=scripts,
        locale="en",
        reduced_motion="reduce",  # to draw what moves takes a fifth of the processor time
        base_url=site,
        viewport={"width": width, "height": 850},
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda told: errors.append(told.text) if is_wrong(told) else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return Person(name, page, errors, scripts)


def is_wrong(told: ConsoleMessage) -> bool:
    """Whether the console shows an error; that a poll made way for a form, htmx writes there too."""
    made_way = ("htmx:afterRequest", "htmx:sendAbort")
    return told.type == "error" and not told.text.startswith(made_way)


def sign_in(person: Person, queue: Queue, site: str) -> Player:
    """Give somebody an account with a player in the game of the queue, signed in already."""
    user = User.objects.create_user(person.name.lower(), password=PASSWORD)
    let_in(person, user, site)
    return make_player(game=queue.ladder.game, user=user, name=person.name)


def let_in(person: Person, user: User, site: str) -> None:
    """Let somebody be signed in to an account."""
    client = Client()
    client.force_login(user)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    person.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": site}]
    )


def overflow_of(page: Page) -> int:
    """How many pixels the page is wider than its window, once it is drawn as wide as it is now. Needs scripts."""
    # Folded parts keep their old width until the next frame, which a busy machine draws late.
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    root = "document.documentElement"
    return int(page.evaluate(f"{root}.scrollWidth - {root}.clientWidth"))


def too_wide(page: Page) -> str:
    """The elements that reach beyond the window: name, class, position, and where each ends on the right."""
    found = page.evaluate(
        """() => [...document.querySelectorAll("body *")]
            .map(one => [one, one.getBoundingClientRect().right, getComputedStyle(one).position])
            .filter(([_, right]) => right > document.documentElement.clientWidth)
            .map(([one, right, position]) => `${one.tagName}.${one.className} ${position} ${right}`)
            .join("; ")"""
    )
    return str(found)


@contextmanager
def working() -> Iterator[None]:
    """Run the queues, deliver what happened and follow it up, again and again in the background, as a worker does."""
    stop = threading.Event()
    failures: list[BaseException] = []
    thread = threading.Thread(target=_work, args=(stop, failures), name="worker")
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
    assert failures == []


def _work(stop: threading.Event, failures: list[BaseException]) -> None:
    try:
        while not stop.wait(0.3):
            for queue_id in sweep.queues_with_work():
                sweep.run_queue(queue_id)
            deliver()
            refresh_due()  # events wait for every transaction of the cluster, other databases' too
    except Exception as failure:  # told to the test, which fails by it
        failures.append(failure)
    finally:
        connection.close()
