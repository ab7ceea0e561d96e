"""Two at browsers of their own: a challenge, its match, the result, and the rematch; with scripts and without."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from challenges.models import Challenge
from matchmaking.models import Queue
from matchmaking.pages import ongoing
from ratings.models import Match
from tests.end_to_end.players import Person, make_queue, open_page, overflow_of, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def queue() -> Queue:
    return make_queue(accept_seconds=600, heartbeat_seconds=600)


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


def press(person: Person, button: str) -> None:
    """Press a button that leads to another page."""
    with person.page.expect_navigation():
        person.page.get_by_role("button", name=button, exact=True).first.click()


@pytest.mark.parametrize(
    "scripts",
    [
        pytest.param(True, id="scripts"),
        pytest.param(False, id="no-scripts", marks=pytest.mark.full),
    ],
)
def test_a_challenge_its_match_and_the_rematch(
    pair: list[Person], scripts: bool, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ongoing, "_BY_HAND", 600)
    anna, bernd = pair
    other = bernd.name
    (player,) = queue.ladder.game.player_set.filter(name=other)
    bernd.goes_to("/play/")
    anna.goes_to(f"/players/{player.pk}/")
    anna.page.get_by_role("link", name="Challenge", exact=True).click()
    anna.page.get_by_label("Side").select_option("mine")
    anna.page.get_by_label("Rated", exact=True).uncheck()
    press(anna, "Challenge")
    expect(anna.page.locator("#challenge-heading")).to_have_text("You challenge Bernd")
    bernd.waits_for(bernd.page.locator(".ongoing-item", has_text="Anna challenges you").first)
    bernd.page.get_by_role("link", name="Answer").first.click()
    expect(bernd.page.locator("#challenge-heading")).to_have_text("Anna challenges you")
    if scripts:
        assert overflow_of(bernd.page) == 0
    press(bernd, "Accept")
    bernd.page.wait_for_url("**/play/matches/*/")
    if scripts:
        anna.waits_for(anna.page.get_by_role("link", name="See the match"))
    else:  # a page that is asked for again leads there by itself
        anna.page.reload()
        anna.page.wait_for_url("**/play/matches/*/")
    first = Match.objects.get()
    assert not first.rated
    anna.goes_to(f"/play/matches/{first.pk}/")
    anna.press("I won")
    bernd.goes_to(f"/play/matches/{first.pk}/")
    bernd.press("I lost")
    expect(bernd.page.get_by_role("button", name="Rematch")).to_be_visible()
    press(bernd, "Rematch")
    expect(bernd.page.locator("#challenge-heading")).to_have_text("You ask Anna for a rematch")
    anna.goes_to(f"/matches/{first.pk}/")
    press(anna, "Rematch")
    anna.page.wait_for_url("**/play/matches/*/")
    second = Challenge.objects.latest("pk").match
    assert second is not None
    sides = [
        list(one.participants.order_by("team").values_list("player__name", flat=True))
        for one in (first, second)
    ]
    assert sides == [["Anna", "Bernd"], ["Bernd", "Anna"]]
    assert (anna.errors, bernd.errors) == ([], [])
