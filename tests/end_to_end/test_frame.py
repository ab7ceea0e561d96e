"""What every page has, in a real browser: the bar of what goes on, the account menu, times in the viewer's zone."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from accounts import audit
from accounts.models import User
from config.embedded.processes import wait_until
from foundation import clock
from matchmaking.models import Offer, Queue, Ticket
from matchmaking.offers import answer as offers
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from ratings.matches.report import report
from ratings.matches.start import start_match
from ratings.models import Match, Outcome, Player
from ratings.runs.sequence import sequence_confirmed
from tests.end_to_end.browser import PATIENCE
from tests.end_to_end.players import Person, make_queue, open_page, overflow_of, sign_in
from tests.leaderboards.site import make_site
from tests.ratings.arena import DAY, START, Played

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# The desktop takes notices and keeps them, and a test says whether the tab is looked at.
WATCH = """
window.addEventListener("submit", (event) => { if (!event.defaultPrevented) window.sent += 1; });
window.seen = true; window.sent = 0; window.notes = 0; window.asked = 0; window.told = [];
document.hasFocus = () => window.seen;
const make = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { window.notes += 1; return make.call(this); };
window.Notification = class extends EventTarget {
  static permission = localStorage.getItem("permission") ?? "default";
  static async requestPermission() {
    window.asked += 1;
    localStorage.setItem("permission", "granted");
    return (Notification.permission = "granted");
  }
  constructor(title, options) { super(); window.told.push([title, options.tag]); }
};
"""
PRESS_AGAIN_AND_AGAIN = """async (button) => {
  const buttons = [...button.closest("#ongoing, #stage").querySelectorAll("form button")];
  const asked = buttons.filter((one) => ["Accept", "Decline"].includes(one.textContent.trim()));
  for (let press = 0; press < 3; press += 1) button.click();
  const pause = () => new Promise((resolve) => setTimeout(resolve, 10));
  for (let tries = 0; !button.disabled && tries < 3000; tries += 1) await pause();
  button.click();
  return [asked.map((one) => one.disabled), window.sent];
}"""


@pytest.fixture
def queue() -> Queue:
    return make_queue(accept_seconds=600, heartbeat_seconds=600)


@pytest.fixture
def anna(browser: Browser, live_server: LiveServer, queue: Queue) -> Iterator[Person]:
    """Signed in, on a phone."""
    person = open_page(browser, live_server.url, "Anna", width=390)
    person.page.add_init_script(WATCH)
    sign_in(person, queue, live_server.url)
    yield person
    person.context.close()


def player_of(name: str, queue: Queue) -> Player:
    found, _made = Player.objects.get_or_create(
        game=queue.ladder.game, name=name, defaults={"external_id": name}
    )
    return found


def search(queue: Queue, *names: str) -> list[Ticket]:
    return [lifecycle.join(queue=queue, player=player_of(name, queue)) for name in names]


def offer(queue: Queue) -> tuple[Ticket, Ticket]:
    """Anna and Bernd are asked whether they want to play."""
    anna, bernd = search(queue, "Anna", "Bernd")
    sweep.run_queue(queue.pk)
    return anna, bernd


def bar_of(page: Page) -> Locator:
    return page.locator("#ongoing")


def has_title(page: Page, pattern: str) -> bool:
    """Wait until the tab says so; the words flash for a second at a time."""
    return wait_until(lambda: re.search(pattern, page.title()) is not None, seconds=60)


def test_a_search_and_its_offer_are_told_on_any_page(anna: Person, queue: Queue) -> None:
    page = anna.page
    page.goto("/")
    expect(bar_of(page)).to_have_text("")
    search(queue, "Anna")
    expect(bar_of(page)).to_contain_text("You're searching in Blitz")
    assert has_title(page, r"^\d+:\d\d Fair matches")
    bell = bar_of(page).get_by_role("button", name="Desktop notifications")
    expect(bell).to_have_attribute("aria-pressed", "false")
    bell.click()
    expect(bell).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.asked") == 1
    page.evaluate("window.seen = false")
    search(queue, "Bernd")
    sweep.run_queue(queue.pk)
    expect(bar_of(page)).to_contain_text("Match found")
    expect(bar_of(page).locator("[data-count=down]")).to_have_text(re.compile(r"^(9|10):\d\d$"))
    assert has_title(page, r"^(9|10):\d\d Match found!$")
    ((words, tag),) = page.evaluate("window.told")
    assert words == "Match found!"
    assert tag.startswith("evenmatch-offer-")
    assert page.evaluate("window.notes") == 3
    assert overflow_of(page) == 0
    page.evaluate("window.seen = true; window.dispatchEvent(new Event('focus'))")
    assert has_title(page, r"^(9|10):\d\d Fair matches")
    assert not wait_until(
        lambda: "Match found" in page.title(), seconds=3
    )  # no pause between flashes
    page.goto("/search/")  # on another page it is the same offer, not one more
    expect(bar_of(page).get_by_role("button", name="Accept")).to_be_visible()
    expect(bar_of(page).get_by_role("button", name="Desktop notifications")).to_have_attribute(
        "aria-pressed", "true"
    )
    assert page.evaluate("[window.notes, window.told.length]") == [0, 0]
    assert anna.errors == []


def test_a_queue_shows_the_switches_of_alerts_once(anna: Person, queue: Queue) -> None:
    """The bar has them too, and they come and go with it."""
    page = anna.page
    page.goto(f"/play/in/{queue.slug}/")
    for name in ("Sound", "Desktop notifications"):
        expect(page.get_by_role("button", name=name)).to_have_count(1)
    search(Queue.objects.create(ladder=queue.ladder, slug="rapid", name="Rapid"), "Anna")
    expect(bar_of(page)).to_contain_text("You're searching in Rapid")
    for name in ("Sound", "Desktop notifications"):
        expect(page.get_by_role("button", name=name)).to_have_count(1)
    page.goto("/search/")
    expect(page.get_by_role("button", name="Sound")).to_have_count(1)
    assert anna.errors == []


def test_an_offer_that_passes_is_told_and_no_longer_called_found(
    anna: Person, queue: Queue
) -> None:
    page = anna.page
    page.goto("/search/")
    search(queue, "Anna")
    expect(bar_of(page)).to_contain_text("You're searching in Blitz")
    search(queue, "Bernd")
    sweep.run_queue(queue.pk)
    announced = page.locator("#alert-announcement")
    expect(announced).to_have_text("Match found!")
    past = clock.now() - timedelta(hours=2)
    Offer.objects.update(created_at=past, expires_at=past + timedelta(minutes=10))
    sweep.run_queue(queue.pk)
    words = "Your search has ended: you didn't answer an offer in time."
    expect(bar_of(page)).to_contain_text(words)
    expect(announced).to_have_text(words)
    assert overflow_of(page) == 0
    bar_of(page).get_by_role("link", name="Search again").click()
    anna.sees("Ready, Anna?")
    expect(bar_of(page)).to_have_text("")
    assert anna.errors == []


def test_an_offer_comes_into_view_on_the_page_of_its_queue(anna: Person, queue: Queue) -> None:
    page = anna.page
    page.set_viewport_size({"width": 390, "height": 400})
    page.goto("/play/in/blitz/")
    search(queue, "Anna")
    anna.sees("Searching for an opponent")
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    expect(page.get_by_role("heading", name="Searching for an opponent")).not_to_be_in_viewport()
    search(queue, "Bernd")
    sweep.run_queue(queue.pk)
    expect(page.locator("#stage").get_by_role("button", name="Accept")).to_be_in_viewport()
    assert anna.errors == []


def has_come(page: Page, held: list[Route]) -> bool:
    """A request is told of before it is given to who holds it."""
    page.wait_for_timeout(50)
    return held != []


@pytest.mark.parametrize("place", ["bar", "stage"])
def test_accept_is_sent_once_however_often_it_is_pressed(
    anna: Person, queue: Queue, place: str
) -> None:
    page = anna.page
    held: list[Route] = []
    page.route("**/accept/", lambda route: held.append(route))  # noqa: PLW0108 - it wants a function
    _anna, bernd = offer(queue)
    page.goto("/" if place == "bar" else "/play/in/blitz/")
    part = page.locator("#ongoing" if place == "bar" else "#stage")
    with page.expect_request("**/accept/"):
        # While the answer is on its way nobody can look at the page but its own scripts.
        accept = part.get_by_role("button", name="Accept")
        disabled, sent = accept.evaluate(PRESS_AGAIN_AND_AGAIN)
    assert disabled == [True, True]  # Decline too
    # By the browser itself: each would abort the one before. On the stage it is htmx that sends.
    assert sent == (1 if place == "bar" else 0)
    assert wait_until(lambda: has_come(page, held), seconds=60)
    assert len(held) == 1
    held[0].continue_()
    anna.sees("You accepted")
    assert len(held) == 1
    offers.accept(ticket_id=bernd.pk)
    anna.sees("You're playing Bernd")
    assert anna.errors == []


def test_a_match_and_its_dispute_are_told_on_any_page(anna: Person, queue: Queue) -> None:
    page = anna.page
    page.goto("/search/")
    tickets = offer(queue)
    expect(bar_of(page)).to_contain_text("Match found")
    for ticket in tickets:
        offers.accept(ticket_id=ticket.pk)
    match = Match.objects.get()
    expect(bar_of(page)).to_contain_text("You're playing Bernd")
    report(match_id=match.pk, player_id=player_of("Bernd", queue).pk, outcome=Outcome.WON)
    expect(bar_of(page)).to_contain_text("Bernd reported your match: is that right?")
    report(match_id=match.pk, player_id=player_of("Anna", queue).pk, outcome=Outcome.WON)
    expect(bar_of(page)).to_contain_text("Disputed: your match against Bernd")
    assert overflow_of(page) == 0
    bar_of(page).get_by_role("link", name="See the dispute").click()
    anna.sees("You and Bernd disagree")
    expect(bar_of(page)).to_have_text("")  # the page shows it already
    assert anna.errors == []


def test_the_sentences_of_a_notice_stand_below_each_other(anna: Person, queue: Queue) -> None:
    me = player_of("Anna", queue)
    for name in ("Bernd", "Cem", "Dana"):
        other = player_of(name, queue)
        match = start_match(ladder=queue.ladder, teams=[[me.pk], [other.pk]])
        for player in (me, other):
            report(match_id=match.pk, player_id=player.pk, outcome=Outcome.WON)
    anna.page.goto("/play/in/blitz/")
    why, way_out = (one.bounding_box() for one in anna.page.locator("#stage-barred p").all())
    assert why is not None
    assert way_out is not None
    assert way_out["y"] >= why["y"] + why["height"]
    assert overflow_of(anna.page) == 0
    assert anna.errors == []


def test_the_account_menu_closes(anna: Person) -> None:
    page = anna.page
    page.goto("/search/")
    button, menu = page.locator("details.menu summary"), page.locator("details.menu ul")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 850})
        button.click()
        expect(menu).to_be_visible()
        assert overflow_of(page) == 0
        page.keyboard.press("Tab")
        expect(menu.get_by_role("link").first).to_be_focused()
        page.keyboard.press("Escape")
        expect(menu).to_be_hidden()
        expect(button).to_be_focused()
        page.keyboard.press("Enter")
        expect(menu).to_be_visible()
        page.mouse.click(width / 2, 800)
        expect(menu).to_be_hidden()
        button.click()
        for _link in range(1 + menu.get_by_role("link").count()):
            page.keyboard.press("Tab")
        expect(menu).to_be_hidden()  # the keyboard has gone on to what comes after it
    assert anna.errors == []


def test_the_header_breaks_no_word(anna: Person, live_server: LiveServer) -> None:
    """In German its words are the longest."""
    page = anna.page
    german = {"name": settings.LANGUAGE_COOKIE_NAME, "value": "de", "url": live_server.url}
    anna.context.add_cookies([german])
    for width in (390, 840, 970, 1040, 1280):
        page.set_viewport_size({"width": width, "height": 850})
        page.goto("/search/")
        expect(page.locator("html")).to_have_attribute("lang", "de")
        boxes = [one.bounding_box() for one in page.locator(".site-nav a:visible").all()]
        assert len({box["height"] for box in boxes if box}) == 1 <= len(boxes)
        assert max(box["height"] for box in boxes if box) < 50
        brand = page.locator(".brand-name").bounding_box()
        assert brand is not None
        assert brand["height"] < 40
        assert overflow_of(page) == 0


@pytest.fixture
def page_in(browser: Browser, live_server: LiveServer) -> Iterator[Callable[[str, str], Page]]:
    """Gives a page of somebody in a zone, with a language."""
    contexts: list[BrowserContext] = []

    def open_in(zone: str, locale: str) -> Page:
        context = browser.new_context(base_url=live_server.url, timezone_id=zone, locale=locale)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        return context.new_page()

    yield open_in
    for context in contexts:
        context.close()


ELSEWHERE = [
    ("Asia/Kolkata", "en", "1 Sep 2026, 19:54", "1 Sep 2026, 14:24 UTC", "11:30 17:30"),
    ("Pacific/Auckland", "de", "02.09.2026, 02:24", "01.09.2026, 14:24 UTC", "18:00 00:00"),
]


def test_times_are_the_viewers_with_utc_in_the_title(page_in: Callable[[str, str], Page]) -> None:
    """Two met three times within a day, the last time at 14:24 UTC, and are rated at once."""
    september = (datetime(2026, 9, 1, tzinfo=UTC) - START) / DAY
    site = make_site(players=2, rounds=0, system="elo", days=None)
    *_, latest = site.play(*(Played(september + day, 0, 1, 1.0) for day in (0.1, 0.4, 0.6)))
    site.rate(day=september + 0.7)
    for zone, locale, local, utc, hours in ELSEWHERE:
        page = page_in(zone, locale)
        page.goto(f"/matches/{latest.pk}/")
        when = page.locator("p.page-heading-meta time")
        expect(when).to_have_text(local)
        expect(when).to_have_attribute("title", utc)
        page.goto(f"/players/{site.anna.pk}/")
        expect(page.locator("#player-matches time").first).to_have_text(local)
        ticks = page.locator(".chart-x text").all_text_contents()
        assert " ".join(ticks).startswith(hours)


def test_times_in_sentences_tooltips_and_below_charts_are_the_viewers(
    page_in: Callable[[str, str], Page],
) -> None:
    zone = ZoneInfo("America/Los_Angeles")
    site = make_site(players=2, rounds=20)
    (waits,) = site.play(Played(100_000.0, 0, 1, 1.0))
    with clock.at(START + 100_001 * DAY):  # its rating period has not begun
        sequence_confirmed(site.arena.ladder.pk)
    page = page_in(zone.key, "en")
    page.goto(f"/matches/{waits.pk}/")
    end = page.locator(".match-notice time")
    local = datetime.fromisoformat(end.get_attribute("datetime") or "").astimezone(zone)
    expect(end).to_have_text(f"{local.day} {local:%b %Y, %H:%M}")
    expect(page.locator(".match-notice")).to_contain_text("when its rating period ends, on ")
    page.goto(site.address)
    points = page.locator("th[data-title-time]")
    expect(points).to_have_attribute(
        "title", re.compile(r"^Since \d+ \w+ \d+, 1[67]:00 \(.+, 00:00 UTC\)$")
    )
    page.goto(f"/players/{site.anna.pk}/")
    axis = page.locator(".chart-x")
    start, end_ = (
        datetime.fromisoformat(axis.get_attribute(f"data-{edge}") or "")
        for edge in ("start", "end")
    )
    ticks = axis.locator("text[data-tick=day]").all()
    assert ticks
    for tick in ticks:
        day = datetime.fromisoformat(tick.get_attribute("data-at") or "")
        place = 100 * ((day.replace(tzinfo=zone) - start) / (end_ - start))
        assert tick.get_attribute("x") == f"{place:.2f}%"


def test_the_audit_log_is_read_on_a_phone(
    browser: Browser, live_server: LiveServer, client: Client
) -> None:
    """Its date, and the reason without scrolling aside."""
    ada = User.objects.create_superuser("ada")
    audit.record(actor=ada, action="importedfile.taken_back", target=ada, note="The wrong ladder")
    client.force_login(ada)
    context = browser.new_context(viewport={"width": 390, "height": 850})
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page = context.new_page()
    page.goto(f"{live_server.url}/admin/accounts/auditentry/")
    for part in ("at", "what_changed"):
        box = page.locator(f"#result_list tbody .field-{part}").bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 390
        assert box["height"] < 60
    context.close()
