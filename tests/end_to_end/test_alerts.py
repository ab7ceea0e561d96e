"""An alert wakes a player: switched on, told, pressed, searched, matched; with scripts and without."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from matchmaking.alerts.send import tell_of_searches
from matchmaking.models import AlertWish, Queue
from matchmaking.pages import ongoing, queue_page
from ratings.models import Match
from tests.end_to_end.players import Person, make_queue, open_page, overflow_of, sign_in, working

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def queue() -> Queue:
    return make_queue(
        accept_seconds=600, heartbeat_seconds=600, settings={"alerts": {"after": 0, "pause": 1}}
    )


@pytest.fixture
def pair(
    browser: Browser, live_server: LiveServer, scripts: bool, queue: Queue
) -> Iterator[list[Person]]:
    """Anna on a phone, Bernd at a desk; both are signed in."""
    people = [
        open_page(browser, live_server.url, name, scripts=scripts, width=width)
        for name, width in (("Anna", 390), ("Bernd", 1280))
    ]
    for person in people:
        sign_in(person, queue, live_server.url)
    yield people
    for person in people:
        person.context.close()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_an_alert_wakes_a_player_who_then_is_matched(
    pair: list[Person], scripts: bool, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_BY_HAND", "_BY_HAND_OFFERED"):
        monkeypatch.setattr(ongoing, name, 600)
    for stage in queue_page.__dict__["_BY_HAND"]:
        monkeypatch.setitem(queue_page.__dict__["_BY_HAND"], stage, 600)
    anna, bernd = pair
    anna.goes_to("/play/in/blitz/")
    anna.page.get_by_role("link", name="Alert me").click()
    anna.page.get_by_label("Their strength").select_option("rather_close")
    anna.page.get_by_label("How long").select_option("tonight")
    with anna.page.expect_navigation():
        anna.page.get_by_role("button", name="Alert me").click()
    expect(anna.page.get_by_role("button", name="Switch alerts off")).to_be_visible()
    if scripts:
        assert overflow_of(anna.page) == 0
    anna.goes_to("/notifications/" if scripts else "/ladders/blitz/")
    assert tell_of_searches() == 0
    bernd.goes_to("/play/in/blitz/")
    bernd.press("Find a match")
    bernd.comes_to_see("Searching for an opponent")
    assert tell_of_searches() == 1
    assert AlertWish.objects.get().told_at is not None
    if scripts:  # by itself: the bell, and the list
        expect(anna.page.locator("#bell")).to_have_accessible_name("Notifications, 1 unread")
    else:
        anna.goes_to("/notifications/")
    words = "Somebody near your strength is searching in Blitz."
    notice = anna.page.locator(".notice-row", has_text=words)
    expect(notice).to_be_visible()
    expect(anna.page.locator("main")).not_to_contain_text("Bernd")
    with anna.page.expect_navigation():
        notice.get_by_role("button", name="Open").click()
    anna.page.wait_for_url("**/play/in/blitz/")
    anna.press("Find a match")
    with working():
        for person in (anna, bernd):
            person.waits_for(person.page.locator("#stage").get_by_role("button", name="Accept"))
            person.press("Accept")
        anna.waits_for(anna.page.locator("#stage", has_text="Bernd"))
    match = Match.objects.get()
    names = match.participants.values_list("player__name", flat=True)
    assert sorted(names) == ["Anna", "Bernd"]
    assert (anna.errors, bernd.errors) == ([], [])
