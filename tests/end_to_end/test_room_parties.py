"""Two friends come into a room as one party, and play on one team; in three browsers at once."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from matchmaking.models import Queue
from matchmaking.pages import ongoing, queue_page
from ratings.models import Participant, Player
from rooms import coming
from rooms.models import Room, RoomMember
from rooms.pages import views
from tests.end_to_end.players import Person, make_queue, open_page, overflow_of, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def queue() -> Queue:
    queue = make_queue()
    queue.ladder.team_size = 2
    queue.ladder.save(update_fields=["team_size"])
    return queue


@pytest.fixture
def three(
    browser: Browser, live_server: LiveServer, scripts: bool, queue: Queue
) -> Iterator[list[Person]]:
    """Anna at a desk, Bernd and Carla on phones; all are signed in."""
    people = [
        open_page(browser, live_server.url, name, scripts=scripts, width=width)
        for name, width in (("Anna", 1280), ("Bernd", 390), ("Carla", 390))
    ]
    for person in people:
        sign_in(person, queue, live_server.url)
    yield people
    for person in people:
        person.context.close()


def press(person: Person, button: str) -> None:
    """Press a button of the page's main part; each leads to another page."""
    found = person.page.locator("main").get_by_role("button", name=button, exact=True)
    with person.page.expect_navigation():
        found.first.click()


@pytest.mark.parametrize(
    "scripts",
    [
        pytest.param(True, id="scripts"),
        pytest.param(False, id="no-scripts", marks=pytest.mark.full),
    ],
)
def test_a_party_comes_into_a_room_as_a_whole(
    three: list[Person], queue: Queue, scripts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No page asks for itself again while a button is pressed.
    monkeypatch.setattr(ongoing, "_BY_HAND", 600)
    monkeypatch.setitem(queue_page.__dict__["_BY_HAND"], "idle", 600)
    monkeypatch.setattr(views, "_BY_HAND", 600)
    anna, bernd, carla = three
    # Anna opens a party, Bernd comes with its link.
    anna.goes_to("/play/in/blitz/")
    anna.press("Open a party")
    expect(anna.page.locator("#party-heading")).to_have_text("Your party")
    bernd.goes_to(anna.page.get_by_label("Link to share").input_value())
    bernd.press("Join as Bernd")
    bernd.page.wait_for_url("**/play/in/blitz/")
    # Carla opens a room with teams as people sit, and somebody sits beside her.
    carla.goes_to("/rooms/open/blitz/")
    carla.page.get_by_label("Name of the room").fill("Twos")
    carla.page.get_by_label("Teams").select_option("seated")
    press(carla, "Open the room")
    room = Room.objects.get()
    # Bernd cannot come without Anna, who leads; with her he is there at once.
    bernd.goes_to(f"/rooms/{room.pk}/")
    press(bernd, "Join")
    bernd.is_told("Your party joins rooms together")
    assert list(RoomMember.objects.values_list("player__name", flat=True)) == ["Carla"]
    anna.goes_to("/rooms/")
    press(anna, "Join Twos")
    bernd.waits_for(bernd.page.locator("#room-state").filter(has_text="One seat is free."))
    seats = dict(RoomMember.objects.values_list("player__name", "seat"))
    assert (seats["Carla"], {seats["Anna"], seats["Bernd"]}) == (0, {2, 3})
    carla.waits_for(carla.page.locator(".party-members li", has_text="Bernd"))
    if scripts:
        assert [overflow_of(person.page) for person in three] == [0, 0, 0]
    other = Player.objects.create(
        game=queue.ladder.game, external_id="Dora", name="Dora", skeleton="dora"
    )
    coming.join(room_id=room.pk, player=other)
    carla.waits_for(carla.page.locator("#room-state").filter(has_text="The room is full."))
    press(carla, "Start the match")
    match = Room.objects.values_list("match", flat=True).get()
    for person in three:
        if not scripts:
            person.page.reload()
        person.page.wait_for_url(f"**/play/matches/{match}/")
    teams = dict(Participant.objects.filter(match=match).values_list("player__name", "team"))
    assert teams["Anna"] == teams["Bernd"] != teams["Carla"] == teams["Dora"]
    assert anna.errors == bernd.errors == carla.errors == []
