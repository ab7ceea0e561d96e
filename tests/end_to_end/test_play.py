"""Two people play: in real browsers, with scripts and without."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from config.embedded.processes import wait_until
from foundation import clock
from matchmaking.models import Queue, Ticket, TicketState
from matchmaking.offers import answer as offers
from matchmaking.pages import ongoing, queue_page
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from ratings.matches.decide import resolve_dispute
from ratings.matches.report import report
from ratings.matches.result import Result
from ratings.models import Match, MatchState, Outcome, RatingChange
from tests.end_to_end.players import (
    PASSWORD,
    Person,
    make_queue,
    open_page,
    overflow_of,
    sign_in,
    working,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
QUEUE_PAGE = "/play/in/blitz/"
both_ways = pytest.mark.parametrize(
    "scripts",
    [
        pytest.param(True, id="scripts"),
        pytest.param(False, id="no-scripts", marks=pytest.mark.full),
    ],
)


@pytest.fixture
def queue() -> Queue:
    return make_queue(accept_seconds=600, heartbeat_seconds=600)


@pytest.fixture
def worker(queue: Queue) -> Iterator[None]:
    with working():
        yield


@pytest.fixture
def anna(browser: Browser, live_server: LiveServer, scripts: bool) -> Iterator[Person]:
    """At a desk."""
    person = open_page(browser, live_server.url, "Anna", scripts=scripts)
    yield person
    person.context.close()


@pytest.fixture
def pair(
    browser: Browser, live_server: LiveServer, scripts: bool, anna: Person
) -> Iterator[list[Person]]:
    """Anna, and Bernd on a phone."""
    bernd = open_page(browser, live_server.url, "Bernd", scripts=scripts, width=390)
    yield [anna, bernd]
    bernd.context.close()


@pytest.fixture(autouse=True)
def _reload_where_nothing_is_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without scripts: a page that asks for itself again while a button is pressed on it would lose that.

    Nothing is pressed on those that do so often.
    """
    monkeypatch.setattr(ongoing, "_BY_HAND", 600)
    monkeypatch.setattr(ongoing, "_BY_HAND_OFFERED", 600)
    rarely = dict.fromkeys(["idle", "match.playing"], 600)
    for stage, seconds in {**rarely, "match.reported": 2, "match.confirmed": 2}.items():
        monkeypatch.setitem(queue_page.__dict__["_BY_HAND"], stage, seconds)


def sign_up(person: Person) -> None:
    """From the page of the queue to an account, and back to the queue."""
    page = person.page
    page.goto(QUEUE_PAGE)
    page.locator("#stage").get_by_role("link", name="Sign up").click()
    page.get_by_label("Username").fill(person.name.lower())
    page.locator("input[name=password1]").fill(PASSWORD)
    page.locator("input[name=password2]").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.wait_for_url(f"**{QUEUE_PAGE}")
    person.sees("Play Chess as …")
    page.get_by_label("Your name in this game").fill(person.name)
    person.press("Use this name")
    person.sees(f"Ready, {person.name}?")


def start_match(queue: Queue, pair: list[Person], site: str) -> Match:
    """Let both be in a match, without their browsers."""
    players = [sign_in(person, queue, site) for person in pair]
    tickets = [lifecycle.join(queue=queue, player=player) for player in players]
    sweep.run_queue(queue.pk)
    matches = [offers.accept(ticket_id=ticket.pk).match for ticket in tickets]
    assert matches[-1] is not None
    return matches[-1]


def start_search(person: Person, queue: Queue, site: str) -> None:
    """Sign in and look for a match."""
    sign_in(person, queue, site)
    person.goes_to(QUEUE_PAGE)
    person.press("Find a match")
    person.sees("Searching for an opponent")


@both_ways
@pytest.mark.usefixtures("worker")
def test_from_sign_up_to_the_leaderboard(pair: list[Person], scripts: bool) -> None:
    anna, bernd = pair
    for person in pair:
        sign_up(person)
        person.press("Find a match")
    for person in pair:
        person.comes_to_see("Match found")
        expect(person.page.locator("#stage")).not_to_contain_text("Rating")
    anna.press("Accept")
    anna.sees("You accepted")
    # Not while the button is being replaced: a press on what goes away is lost.
    bernd.waits_for(bernd.page.locator(".stage-answers", has_text="1 of 2 have accepted"))
    bernd.press("Accept")
    anna.comes_to_see("You're playing Bernd")
    bernd.sees("You're playing Anna")
    anna.press("I won")
    anna.sees("Waiting for Bernd's report")
    bernd.waits_for(bernd.page.locator("#stage", has_text="“I won.”"))
    bernd.press("I lost")
    bernd.sees("You lost against Anna")
    anna.sees("You won against Bernd")
    expect(anna.page.locator(".effect-after")).to_be_visible()
    for person in pair:
        if scripts:
            assert overflow_of(person.page) == 0
        assert person.errors == []
    anna.goes_to("/ladders/blitz/")
    rows = anna.page.locator("#standings tbody tr")
    anna.reloads_until(rows)  # that the page follows by itself is tested below
    expect(rows.first).to_contain_text("Anna")
    expect(rows.last).to_contain_text("Bernd")


@pytest.mark.full
@both_ways
@pytest.mark.usefixtures("worker")
def test_who_declines_leaves_the_other_waiting(
    pair: list[Person], queue: Queue, live_server: LiveServer
) -> None:
    anna, bernd = pair
    for person in pair:
        sign_in(person, queue, live_server.url)
        person.goes_to(QUEUE_PAGE)
        person.press("Find a match")
    bernd.comes_to_see("Match found")
    anna.comes_to_see("Match found")
    before = Ticket.objects.get(members__player__name="Bernd").waiting_since
    anna.press("Decline")
    anna.is_told("You declined, so your search in Blitz has ended.")
    anna.sees("Ready, Anna?")
    bernd.comes_to_see("Searching for an opponent")
    assert Ticket.objects.get(members__player__name="Bernd").waiting_since == before
    bernd.press("Cancel search")
    bernd.sees("Ready, Bernd?")
    assert anna.errors == bernd.errors == []


@pytest.mark.full
@both_ways
def test_a_disagreement_is_explained_and_not_rated(
    pair: list[Person], queue: Queue, live_server: LiveServer
) -> None:
    match = start_match(queue, pair, live_server.url)
    anna, bernd = pair
    for person in pair:
        person.goes_to(QUEUE_PAGE)
        person.press("I won")
    for person, other in ((anna, "Bernd"), (bernd, "Anna")):
        person.sees(f"You and {other} disagree")
        expect(person.page.locator("#stage")).to_contain_text("isn't rated")
        expect(person.page.locator(".words li")).to_have_count(2)
    match.refresh_from_db()
    assert match.state == MatchState.DISPUTED
    assert not RatingChange.objects.exists()
    anna.press("Find another match")
    anna.sees("Searching for an opponent")
    assert anna.errors == bernd.errors == []


@both_ways
def test_a_search_survives_that_the_page_was_closed_and_who_comes_back_too_late_is_told(
    anna: Person, queue: Queue, live_server: LiveServer
) -> None:
    start_search(anna, queue, live_server.url)
    ticket = Ticket.objects.get()
    reopen = anna.close_page()
    reopen("/play/")
    anna.page.get_by_role("link", name="Back to your search").click()
    anna.sees("Searching for an opponent")
    assert Ticket.objects.get() == ticket
    reopen = anna.close_page()

    def is_over() -> bool:
        # A request that was under way when the page closed is a sign of life still, and may be answered after this.
        Ticket.objects.update(seen_at=clock.now() - timedelta(seconds=2 * queue.heartbeat_seconds))
        sweep.run_queue(queue.pk)
        return Ticket.objects.get().state == TicketState.EXPIRED

    assert wait_until(is_over, seconds=30, every=0.5)
    reopen(QUEUE_PAGE)
    anna.sees("Ready, Anna?")
    anna.is_told("no page of this site was open")


@pytest.mark.full
@pytest.mark.parametrize("scripts", [True])
def test_a_keyboard_is_enough_and_keeps_its_place(
    pair: list[Person], queue: Queue, live_server: LiveServer
) -> None:
    """Focus follows from state to state, also when the offer comes by itself; two tabs show the same."""
    anna, bernd = pair
    sign_in(anna, queue, live_server.url)
    other = sign_in(bernd, queue, live_server.url)
    page = anna.page
    page.goto(QUEUE_PAGE)
    page.get_by_role("button", name="Find a match").focus()
    page.keyboard.press("Enter")
    anna.sees("Searching for an opponent")
    expect(page.locator("#stage-heading")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#stage-cancel")).to_be_focused()
    tab = page.context.new_page()
    tab.goto(QUEUE_PAGE)
    lifecycle.join(queue=queue, player=other)
    sweep.run_queue(queue.pk)
    anna.sees("Match found")
    expect(tab.locator("#stage-heading")).to_have_text("Match found")
    expect(page.locator("#stage-heading")).to_be_focused()
    expect(page.locator("#announcement")).to_contain_text("A match was found.")
    page.keyboard.press("Tab")
    expect(page.locator("#stage-accept")).to_be_focused()
    page.keyboard.press("Enter")
    anna.sees("You accepted")
    expect(tab.locator("#stage-heading")).to_have_text("You accepted")
    assert anna.errors == []


# What htmx says when it begins to exchange the bar, in the moment in which the stage has been exchanged.
BAR_AT_ONCE = """
document.addEventListener("htmx:afterSwap", (event) => {
  if (!event.target.closest("#stage")) return;
  const bar = document.getElementById("ongoing");
  bar.dispatchEvent(new CustomEvent("htmx:beforeSwap", { bubbles: true, detail: { target: bar } }));
});
"""


@pytest.mark.parametrize("scripts", [True], ids=["scripts"])
def test_a_notice_goes_with_the_state_that_it_was_told_in(
    pair: list[Person], queue: Queue, live_server: LiveServer
) -> None:
    match = start_match(queue, pair, live_server.url)
    for player in match.participants.all():
        report(match_id=match.pk, player_id=player.player_id, outcome=Outcome.WON)
    page = pair[0].page
    page.goto(f"/play/matches/{match.pk}/")
    page.get_by_role("button", name="Call an admin").click()
    expect(page.locator(".notices")).to_contain_text("An admin has been called")
    resolve_dispute(
        match_id=match.pk,
        result=Result(ranks=(0, 1)),
        by=User.objects.create_superuser("judge"),
        note="",
    )
    expect(page.locator("#stage")).to_have_attribute("data-stage", re.compile("confirmed"))
    expect(page.locator(".notices")).to_have_count(0)


@pytest.mark.parametrize("scripts", [True])
def test_what_was_saved_far_below_is_told_where_one_sees_it(
    pair: list[Person], queue: Queue, live_server: LiveServer
) -> None:
    words = "; ".join(f"region{number}" for number in range(20))
    Queue.objects.update(settings={"region": {"use": "must", "names": words}})
    sign_in(pair[0], queue, live_server.url)
    page = pair[0].page
    page.set_viewport_size({"width": 390, "height": 600})
    page.goto(QUEUE_PAGE)
    page.locator("#search-options summary").click()
    page.get_by_role("button", name="Save without searching").click()
    said = page.locator("#stage .notices")
    expect(said).to_contain_text("Your options are saved")
    expect(said).to_be_in_viewport()
    expect(page.locator("#stage-heading")).to_be_focused()


@pytest.mark.parametrize("scripts", [True])
def test_the_focus_is_kept_when_the_bar_changes_in_the_same_moment(
    pair: list[Person], queue: Queue, live_server: LiveServer
) -> None:
    start_search(pair[0], queue, live_server.url)
    page = pair[0].page
    page.evaluate(BAR_AT_ONCE)
    page.locator("#stage-cancel").focus()
    lifecycle.join(queue=queue, player=sign_in(pair[1], queue, live_server.url))
    sweep.run_queue(queue.pk)
    pair[0].sees("Match found")
    expect(page.locator("#stage-heading")).to_be_focused()


@pytest.mark.full
@pytest.mark.parametrize("scripts", [True])
def test_a_lost_connection_is_told_and_found_again(
    anna: Person, queue: Queue, live_server: LiveServer
) -> None:
    Queue.objects.update(heartbeat_seconds=6)  # a page in touch asks three times as often
    start_search(anna, queue, live_server.url)
    anna.context.set_offline(True)
    expect(anna.page.locator("[data-offline]")).to_be_visible()
    anna.context.set_offline(False)
    expect(anna.page.locator("[data-offline]")).to_be_hidden()
    anna.sees("Searching for an opponent")


@pytest.mark.parametrize("scripts", [True])
def test_a_page_from_before_signing_in_again_begins_anew(
    anna: Person, queue: Queue, live_server: LiveServer
) -> None:
    """Its forms carry a token that holds no longer."""
    sign_in(anna, queue, live_server.url)
    anna.goes_to(QUEUE_PAGE)
    anna.sees("Ready, Anna?")
    anna.context.clear_cookies(name="csrftoken")
    with anna.page.expect_event("load"):
        anna.press("Find a match")
    anna.press("Find a match")
    anna.sees("Searching for an opponent")


@pytest.mark.full
@pytest.mark.parametrize("scripts", [True])
def test_the_leaderboard_follows(pair: list[Person], queue: Queue, live_server: LiveServer) -> None:
    """A board that is looked at shows new standings by itself, and keeps what is being typed."""
    anna, bernd = pair
    match = start_match(queue, pair, live_server.url)
    page = anna.page
    page.goto("/ladders/blitz/")
    assert page.locator("#standings tbody tr").count() == 0
    search = page.locator(".board-tools input[type=search]")
    search.fill("ber")
    bernd.goes_to(QUEUE_PAGE)
    bernd.press("I won")
    bernd.sees("Waiting for Anna's report")
    tab = page.context.new_page()
    tab.goto(f"/play/matches/{match.pk}/")
    tab.locator("#report-lost").click()
    first = page.locator("#standings tbody tr").first
    with working():
        expect(first).to_contain_text("Bernd")
    expect(search).to_have_value("ber")
    assert anna.errors == []
