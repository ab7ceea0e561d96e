"""Names and reasons of one long word on a narrow phone: they break, no page gets wider, and usual words stay whole."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from matchmaking.models import Queue
from ratings.models import Player, SanctionKind, SuspendedFrom
from ratings.players.claim import make_player
from ratings.sanctions import impose
from tests.end_to_end.players import Person, let_in, make_queue, open_page, overflow_of, too_wide
from tests.leaderboards.site import make_site

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Words that are shown and stand on more than one line. Lines break behind a hyphen anyway.
BROKEN = """() => {
  const broken = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (walker.currentNode.parentElement.closest("script, style, noscript, .visually-hidden, .brand-name")) continue;
    for (const found of walker.currentNode.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, found.index);
      range.setEnd(walker.currentNode, found.index + found[0].length);
      if (new Set([...range.getClientRects()].map(one => one.top)).size > 1) broken.push(found[0]);
    }
  }
  return broken;
}"""


@pytest.fixture
def anna(browser: Browser, live_server: LiveServer) -> Iterator[Person]:
    person = open_page(browser, live_server.url, "Anna", width=320)
    yield person
    person.context.close()


def check(page: Page, *addresses: str) -> None:
    for address in addresses:
        page.goto(address)
        assert overflow_of(page) == 0, (address, too_wide(page))


def test_long_words_make_no_page_wider(anna: Person, live_server: LiveServer) -> None:
    queue, page = make_queue(), anna.page
    user = User.objects.create_user("w" * 40)
    let_in(anna, user, live_server.url)
    check(page, "/", "/play/", "/accounts/delete/")
    player = make_player(game=queue.ladder.game, user=user, name="W" * 40)
    impose(
        player=player,
        kind=SanctionKind.SUSPENDED,
        suspended_from=SuspendedFrom.SEARCHING,
        reason="x" * 180,
        by=None,
    )
    own = player.get_absolute_url()
    check(page, "/", "/play/", "/play/in/blitz/", "/accounts/delete/", own, "/ladders/blitz/")


@pytest.mark.full
def test_usual_words_stay_whole(anna: Person, live_server: LiveServer) -> None:
    site, page = make_site(rounds=6, system="elo", days=None), anna.page
    Queue.objects.create(ladder=site.arena.ladder, slug="blitz", name="Blitz")
    user, player = User.objects.create_user("maximiliane"), site.arena.players[0]
    Player.objects.filter(pk=player.pk).update(user=user)
    let_in(anna, user, live_server.url)
    ladder, match = site.arena.ladder.get_absolute_url(), site.matches[0].get_absolute_url()
    own = player.get_absolute_url()
    addresses = ("/", "/play/", "/play/in/blitz/", ladder, own, match, "/accounts/2fa/")
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 800})
        for address in addresses:
            page.goto(address)
            assert overflow_of(page) == 0, (address, width, too_wide(page))
            assert page.evaluate(BROKEN) == [], (address, width)


def test_the_way_home_has_a_name_where_there_is_no_room_for_it(anna: Person) -> None:
    anna.goes_to("/")
    home = anna.page.locator(".site-header .brand")
    expect(home).to_have_accessible_name("Evenmatch")
    assert home.locator(".brand-name").evaluate("one => one.clientWidth") <= 1
