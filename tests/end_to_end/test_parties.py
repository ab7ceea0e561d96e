"""Friends gather and search together: in real browsers, with scripts and without."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from matchmaking.models import Party, Queue, Ticket
from matchmaking.pages import ongoing, queue_page
from tests.end_to_end.players import (
    Person,
    make_queue,
    open_page,
    overflow_of,
    sign_in,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
QUEUE_PAGE = "/play/in/blitz/"
LOOKS_AT = {"region": {"use": "must"}, "teams": {"roles": "tank 1; healer 1"}}


@pytest.fixture
def queue() -> Queue:
    queue = make_queue(settings=LOOKS_AT, accept_seconds=600, heartbeat_seconds=600)
    queue.ladder.team_size = 2
    queue.ladder.save(update_fields=["team_size"])
    return queue


@pytest.fixture
def pair(
    browser: Browser, live_server: LiveServer, scripts: bool, queue: Queue
) -> Iterator[list[Person]]:
    """Anna at a desk, Bernd on a phone; both are signed in."""
    people = [
        open_page(browser, live_server.url, name, scripts=scripts, width=width)
        for name, width in (("Anna", 1280), ("Bernd", 390))
    ]
    for person in people:
        sign_in(person, queue, live_server.url)
    yield people
    for person in people:
        person.context.close()


@pytest.mark.parametrize(
    "scripts",
    [
        pytest.param(True, id="scripts"),
        pytest.param(False, id="no-scripts", marks=pytest.mark.full),
    ],
)
def test_friends_gather_and_search_together(
    pair: list[Person], scripts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No page asks for itself again while a button is pressed.
    monkeypatch.setattr(ongoing, "_BY_HAND", 600)
    monkeypatch.setitem(queue_page.__dict__["_BY_HAND"], "idle", 600)
    anna, bernd = pair
    anna.goes_to(QUEUE_PAGE)
    anna.press("Open a party")
    expect(anna.page.locator("#party-heading")).to_have_text("Your party")
    link = anna.page.get_by_label("Link to share").input_value()
    bernd.goes_to(link)
    bernd.sees("Play Chess with Anna")
    bernd.press("Join as Bernd")
    bernd.page.wait_for_url(f"**{QUEUE_PAGE}")
    anna.waits_for(anna.page.locator(".party-members", has_text="Bernd"))
    anna.press("Find a match for 2")
    anna.sees("Searching for a match")
    bernd.comes_to_see("Anna is searching for your party")
    ticket = Ticket.objects.get()
    assert ticket.members.count() == 2
    bernd.press("Cancel search")
    anna.comes_to_see("Ready, Anna?")
    bernd.press("Leave party")
    anna.waits_for(anna.page.locator(".party-members", has_not_text="Bernd"))
    assert Party.objects.get().leader.name == "Anna"
    assert anna.errors == bernd.errors == []


@pytest.mark.parametrize("scripts", [True], ids=["scripts"])
def test_options_stay_as_they_are_while_somebody_comes(pair: list[Person], scripts: bool) -> None:
    anna, bernd = pair
    anna.goes_to(QUEUE_PAGE)
    anna.press("Open a party")
    link = anna.page.get_by_label("Link to share").input_value()
    anna.page.get_by_text("Search options").click()
    anna.page.get_by_label("healer").check()
    regions = anna.page.get_by_label("Regions")
    regions.fill("eu, us")
    bernd.goes_to(link)
    bernd.press("Join as Bernd")
    expect(anna.page.locator(".party-members")).to_contain_text("Bernd")
    expect(regions).to_have_value("eu, us")
    expect(regions).to_be_focused()
    expect(anna.page.get_by_label("healer")).to_be_checked()
    bernd.page.get_by_text("What you play as").click()
    assert [overflow_of(person.page) for person in pair] == [0, 0]
    anna.press("Find a match for 2")
    anna.sees("Searching for a match")
    ticket = Ticket.objects.get()
    assert ticket.wishes == {"regions": {"eu": None, "us": None}}
    assert [one.roles for one in ticket.members.order_by("player")] == [["healer"], []]
