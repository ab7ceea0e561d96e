"""Who declines cools off, who leaves meets those who leave: in real browsers, with scripts and without."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from config.embedded.processes import wait_until
from foundation import clock
from foundation.templatetags.display import moment
from matchmaking.conduct import confirm_bad_manners
from matchmaking.models import ConductRules, ConductStanding, Offence, Offer, Queue, Ticket
from matchmaking.offers import answer as offers
from matchmaking.pages import ongoing, queue_page
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from ratings.models import Match, Player
from tests.end_to_end.players import Person, make_queue, open_page, overflow_of, sign_in, working

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
    """One in which the same two may meet again at once: only conduct keeps players apart."""
    settings = {"rematch": {"use": "off"}, "conduct": {"use": "drop", "after": 600}}
    return make_queue(accept_seconds=600, heartbeat_seconds=600, settings=settings)


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


@pytest.fixture(autouse=True)
def _reload_where_nothing_is_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ongoing, "_BY_HAND", 600)
    monkeypatch.setattr(ongoing, "_BY_HAND_OFFERED", 600)
    for stage in ("idle", "match.playing", "match.reported", "match.confirmed"):
        monkeypatch.setitem(queue_page.__dict__["_BY_HAND"], stage, 600)


def search(person: Person) -> None:
    person.goes_to(QUEUE_PAGE)
    person.press("Find a match")
    person.sees("Searching for an opponent")


@pytest.mark.full
@both_ways
def test_who_declines_cools_off_and_can_search_again_after_it(
    pair: list[Person], queue: Queue, scripts: bool
) -> None:
    ConductRules.objects.create(
        game=queue.ladder.game, declined=0.7, cool_after=1, cool_minutes=10, like_from=5
    )
    anna, bernd = pair
    for person in pair:
        search(person)
    sweep.run_queue(queue.pk)
    anna.comes_to_see("Match found")
    anna.press("Decline")
    # She sees until when, and why; and there is no button to search with.
    anna.sees("You can't search for matches now")
    until = ConductStanding.objects.get().cooling_until
    assert until is not None
    assert timedelta(minutes=9) < until - clock.now() <= timedelta(minutes=10)
    told = anna.page.locator("#stage .notice", has_text="You are cooling off")
    expect(told).to_contain_text(str(moment(until)).removesuffix(" UTC"))
    expect(anna.page.get_by_role("button", name="Find a match")).to_have_count(0)
    # Nor does another way lead there.
    anna.goes_to("/play/")
    anna.page.get_by_role("button", name="Find a match Blitz").click()
    anna.is_told("You are cooling off and can play again from")
    assert Ticket.objects.filter(members__live=True).count() == 1
    anna.goes_to("/notifications/")
    anna.waits_for(anna.page.locator(".notice-words", has_text="You are cooling off"))
    with anna.page.expect_navigation():
        anna.page.get_by_role("button", name="Open: You are cooling off").click()
    expect(anna.page.locator("main")).to_contain_text("join parties and rooms until")
    expect(anna.page.locator("main")).to_contain_text("declined", ignore_case=True)
    # Bernd waits on, and meets her once it is over.
    bernd.comes_to_see("Searching for an opponent")
    over = clock.now() - timedelta(seconds=1)
    ConductStanding.objects.update(cooling_until=over)
    Offence.objects.update(cools_until=over)
    search(anna)
    sweep.run_queue(queue.pk)
    for person in pair:
        person.comes_to_see("Match found")
        if scripts:
            assert overflow_of(person.page) == 0
        assert person.errors == []


@both_ways
def test_who_leaves_has_points_and_meets_others_who_leave_first(
    pair: list[Person], queue: Queue, scripts: bool
) -> None:
    ConductRules.objects.create(game=queue.ladder.game, left=1.2, cool_after=5, like_from=1)
    anna, bernd = pair
    tickets = [
        lifecycle.join(queue=queue, player=Player.objects.get(name=person.name)) for person in pair
    ]
    sweep.run_queue(queue.pk)
    for ticket in tickets:
        offers.accept(ticket_id=ticket.pk)
    match = Match.objects.get()
    anna.goes_to(f"/play/matches/{match.pk}/")
    with working():
        anna.press("I left early")
        assert wait_until(Offence.objects.exists, seconds=60)
    offence = Offence.objects.get()
    assert (offence.player.name, offence.kind, offence.match) == ("Anna", "left", match)
    anna.goes_to("/play/conduct/")
    expect(anna.page.locator("main")).to_contain_text(
        "At the beginning of a search you meet players who have also behaved badly."
    )
    expect(anna.page.locator("main")).to_contain_text("1.20 points now")
    bernd.goes_to("/play/conduct/")
    expect(bernd.page.locator("main")).to_contain_text("Nothing is held against you.")
    # The two of them are alone in the queue, and do not meet; with another who leaves Anna does.
    for person in pair:
        person.goes_to(QUEUE_PAGE)
        person.press("Find another match")
        person.sees("Searching for an opponent")
    for _again in range(3):
        sweep.run_queue(queue.pk)
    assert Offer.objects.count() == 1
    other = Player.objects.create(
        game=queue.ladder.game, external_id="Carla", name="Carla", skeleton="carla"
    )
    confirm_bad_manners(other, None, None, "Insults.")
    lifecycle.join(queue=queue, player=other)
    sweep.run_queue(queue.pk)
    anna.comes_to_see("Match found")
    bernd.sees("Searching for an opponent")
    offered = Offer.objects.latest("pk").tickets.values_list(
        "ticket__members__player__name", flat=True
    )
    assert set(offered) == {"Anna", "Carla"}
    if scripts:
        assert [overflow_of(person.page) for person in pair] == [0, 0]
    assert anna.errors == bernd.errors == []
