"""Two friends write to each other in their party: in real browsers, with scripts and without."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from matchmaking.models import Party, Queue
from matchmaking.pages import ongoing, queue_page
from matchmaking.parties import lifecycle as parties
from ratings.models import Player
from talk.models import TalkRules
from tests.end_to_end.players import Person, make_queue, open_page, overflow_of, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HOSTILE = "<img src=x onerror=\"document.title='taken'\"> & <b>bold</b>"


@pytest.fixture
def queue() -> Queue:
    queue = make_queue(heartbeat_seconds=600)
    queue.ladder.team_size = 2
    queue.ladder.save(update_fields=["team_size"])
    TalkRules.objects.create(game=queue.ladder.game)
    return queue


@pytest.fixture
def pair(
    browser: Browser, live_server: LiveServer, scripts: bool, queue: Queue
) -> Iterator[list[Person]]:
    """Anna at a desk, Bernd on a phone; both are signed in, and in a party."""
    people = [
        open_page(browser, live_server.url, name, scripts=scripts, width=width)
        for name, width in (("Anna", 1280), ("Bernd", 390))
    ]
    for person in people:
        sign_in(person, queue, live_server.url)
    anna, bernd = (Player.objects.get(name=person.name) for person in people)
    party = parties.open_party(player=anna)
    parties.join_party(player=bernd, code=party.code)
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
def test_friends_write_to_each_other(
    pair: list[Person], scripts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No page asks for itself again while somebody types.
    monkeypatch.setattr(ongoing, "_BY_HAND", 600)
    monkeypatch.setitem(queue_page.__dict__["_BY_HAND"], "idle", 600)
    anna, bernd = pair
    for person in pair:
        person.goes_to("/play/in/blitz/")
        if not scripts:
            person.page.get_by_role("link", name="Talk", exact=True).click()
    anna.page.get_by_label("Write to those who are here").fill(HOSTILE)
    anna.page.get_by_role("button", name="Send").click()
    expect(anna.page.locator(".talk-text")).to_have_text(HOSTILE)
    if scripts:  # the field is empty again, and the cursor in it
        expect(anna.page.get_by_label("Write to those who are here")).to_have_value("")
    bernd.waits_for(bernd.page.locator(".talk-text", has_text="onerror"))
    expect(bernd.page.locator(".talk-text")).to_have_text(HOSTILE)
    assert "taken" not in bernd.page.title()
    bernd.page.get_by_label("Write to those who are here").fill("Hello Anna")
    bernd.page.get_by_role("button", name="Send").click()
    anna.waits_for(anna.page.locator(".talk-text", has_text="Hello Anna"))
    if scripts:
        assert overflow_of(bernd.page) == 0
    # Bernd mutes her: her lines are gone, and she is not told.
    bernd.goes_to(f"/talk/party/{Party.objects.get().pk}/")
    bernd.page.locator(".talk-more summary").first.click()
    bernd.page.get_by_role("button", name="Mute Anna").click()
    bernd.is_told("You don't read Anna any more.")
    expect(bernd.page.locator(".talk-text")).to_have_text(["Hello Anna"])
    assert anna.page.locator(".talk-text").count() == 2
    assert not anna.errors
    assert not bernd.errors
