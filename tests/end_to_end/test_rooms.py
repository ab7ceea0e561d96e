"""Players gather in a room with a filter, captains pick, a match is played and talked of; in three browsers at once."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect
from pytest_django.live_server_helper import LiveServer

from matchmaking.models import Feedback, Queue
from matchmaking.pages import ongoing
from ratings.matches.report import report
from ratings.models import Outcome, Participant, Player
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


def state_of(person: Person) -> Locator:
    return person.page.locator("#room-state")


@pytest.mark.parametrize(
    "scripts",
    [
        pytest.param(True, id="scripts"),
        pytest.param(False, id="no-scripts", marks=pytest.mark.full),
    ],
)
def test_a_room_with_a_filter_a_removal_a_draft_and_a_match(
    three: list[Person], queue: Queue, scripts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No page asks for itself again while a button is pressed.
    monkeypatch.setattr(ongoing, "_BY_HAND", 600)
    monkeypatch.setattr(views, "_BY_HAND", 600)
    monkeypatch.setattr(views, "_BY_HAND_TURN", 600)
    anna, bernd, carla = three
    others = Player.objects.bulk_create(
        Player(game=queue.ladder.game, external_id=name, name=name, skeleton=name.lower())
        for name in ("Dora", "Emil")
    )
    # Anna opens a room for those who speak German, in which captains pick.
    anna.goes_to("/rooms/")
    anna.page.get_by_role("link", name="Blitz").click()
    anna.page.get_by_label("Name of the room").fill("Evening game")
    anna.page.get_by_label("Teams").select_option("draft")
    anna.page.get_by_role("checkbox", name="Deutsch").check()
    press(anna, "Open the room")
    expect(state_of(anna)).to_contain_text("3 seats are free.")
    room = Room.objects.get()
    # Bernd finds it in the list and comes in; Anna sees him at once, and removes him.
    bernd.goes_to("/rooms/")
    expect(bernd.page.locator(f"#listed-room-{room.pk}")).to_contain_text("Evening game")
    press(bernd, "Join Evening game")
    expect(state_of(bernd)).to_contain_text("2 seats are free.")
    anna.waits_for(anna.page.locator(".party-members li", has_text="Bernd"))
    press(anna, "Remove Bernd")
    anna.waits_for(state_of(anna).filter(has_text="3 seats are free."))
    bernd.goes_to("/rooms/?list=all")
    expect(bernd.page.locator(f"#listed-room-{room.pk}")).to_contain_text("The host removed you.")
    # Carla comes with the link; two more by their games.
    room.refresh_from_db()
    carla.goes_to(f"/rooms/{room.pk}/?code={room.code}")
    press(carla, "Join")
    for player in others:
        coming.join(room_id=room.pk, player=player)
    anna.waits_for(state_of(anna).filter(has_text="The room is full."))
    if scripts:
        assert [overflow_of(person.page) for person in (anna, carla)] == [0, 0]
    # On other pages the bar says it, here the page does.
    expect(anna.page.locator(".ongoing-item")).to_have_count(0)
    carla.goes_to("/play/")
    expect(carla.page.locator("#ongoing")).to_contain_text("You are in the room “Evening game”.")
    carla.page.locator("#ongoing").get_by_role("link", name="Open the room").click()
    # Anna and Carla are captains, and pick in turns.
    for name in ("Anna", "Carla"):
        anna.page.locator(".rooms-captain", has_text=name).locator("input").check()
    press(anna, "Start the match")
    expect(state_of(anna)).to_contain_text("Captains pick their teams.")
    room.refresh_from_db()
    heads = RoomMember.objects.filter(room=room, picked=0).order_by("team")
    order = [one.player.name for one in heads.select_related("player")]
    by_name = {"Anna": anna, "Carla": carla}
    for name, picked in zip(order, ("Dora", "Emil"), strict=True):
        captain = by_name[name]
        captain.waits_for(state_of(captain).filter(has_text="It's your turn."))
        press(captain, f"Pick {picked}")
    # With the last pick everybody is led to the match.
    match = Room.objects.values_list("match", flat=True).get()
    for captain in (anna, carla):
        if not scripts:
            captain.page.reload()
        captain.page.wait_for_url(f"**/play/matches/{match}/")
    teams: dict[int, set[str]] = {}
    for team, name in Participant.objects.filter(match=match).values_list("team", "player__name"):
        teams.setdefault(team, set()).add(name)
    expected = [{order[0], "Dora"}, {order[1], "Emil"}]
    assert sorted(map(sorted, teams.values())) == sorted(map(sorted, expected))
    # They play it, and say how it went; Anna is asked about each of the others, and nobody learns her answer.
    anna.press("We won")
    anna.sees("Waiting for the others' report")
    for player in others:
        won = player.name in teams[0] if "Anna" in teams[0] else player.name in teams[1]
        report(match_id=match, player_id=player.pk, outcome=Outcome.WON if won else Outcome.LOST)
    carla.comes_to_see("Your team lost")
    anna.comes_to_see("Your team won")
    asked = anna.page.locator(".feedback-question")
    expect(asked).to_have_count(3)
    about = asked.filter(has_text="Did you enjoy playing with Carla?")
    about.get_by_label("friendly").check()
    with anna.page.expect_navigation():
        about.get_by_role("button", name="Yes").click()
    said = anna.page.locator(".feedback summary", has_text="What you said of playing with Carla")
    expect(said).to_be_visible()
    one = Feedback.objects.get()
    assert (one.author.name, one.subject.name, one.enjoyed, one.tags) == (
        "Anna",
        "Carla",
        True,
        ["friendly"],
    )
    if not scripts:
        carla.page.reload()
    expect(carla.page.locator(".feedback-question")).to_have_count(3)
    expect(carla.page.locator(".feedback summary")).to_have_count(0)
    assert anna.errors == bernd.errors == carla.errors == []
