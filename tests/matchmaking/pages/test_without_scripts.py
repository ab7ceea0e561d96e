"""Without JavaScript pages load themselves again while somebody searches, unless there is something to fill in."""

import re

import pytest
from django.test import Client

from matchmaking.models import Party, Queue, TicketMember
from matchmaking.offers import answer as offers
from matchmaking.sweep import run as sweep
from ratings.models import Outcome
from tests.matchmaking.hall import make_hall
from tests.matchmaking.squads import make_team_hall
from tests.matchmaking.visiting import accounts, meet, queue_page_of, say, search, text_of

pytestmark = pytest.mark.django_db


def reload_of(client: Client, address: str) -> int | None:
    """Seconds after which a page without JavaScript loads itself again."""
    found: list[str] = re.findall(
        r'<noscript>\s*<meta http-equiv="refresh" content="(\d+)">',
        text_of(client, address),
    )
    assert len(found) <= 1
    return int(found[0]) if found else None


def test_while_one_searches_every_page_shows_an_offer_in_time() -> None:
    hall = make_hall()
    anna, berta = accounts(hall, "anna", "berta")
    address = f"/ladders/{hall.ladder.slug}/"
    pages = ["/", address, "/play/", "/matches/mine/", f"/players/{hall.players[0].pk}/"]
    assert [reload_of(anna, page) for page in ["/", address]] == [None, None]
    search(hall, 0)
    for page in [*pages, queue_page_of(hall)]:
        seconds = reload_of(anna, page)
        assert seconds is not None, page
        assert seconds <= hall.queue.accept_seconds / 2, page
    assert reload_of(berta, address) is None
    assert reload_of(Client(), address) is None


@pytest.mark.parametrize(
    ("accept_seconds", "heartbeat_seconds", "searching", "offered"),
    [(3, 600, 1, 1), (10, 600, 4, 5), (20, 600, 4, 8), (600, 600, 4, 8), (600, 5, 2, 2)],
)
def test_an_offer_is_left_alone_for_longer_and_never_for_more_than_half_its_time(
    accept_seconds: int, heartbeat_seconds: int, searching: int, offered: int
) -> None:
    hall = make_hall(accept_seconds=accept_seconds, heartbeat_seconds=heartbeat_seconds)
    (anna,) = accounts(hall, "anna")
    search(hall, 0)
    assert reload_of(anna, queue_page_of(hall)) == searching
    search(hall, 1)
    sweep.run_queue(hall.queue.pk)
    for page in ("/", queue_page_of(hall)):
        assert reload_of(anna, page) == offered
    offers.accept(ticket_id=TicketMember.objects.get(player=hall.players[0]).ticket_id)
    assert reload_of(anna, queue_page_of(hall)) == searching


def test_a_page_of_another_queue_asks_as_often_while_one_searches() -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    other = Queue.objects.create(ladder=hall.ladder, slug="other", name="Other")
    page = f"/play/in/{other.slug}/"
    assert (reload_of(anna, page) or 0) >= 30
    search(hall, 0)
    assert reload_of(anna, page) == 4


def test_pages_with_something_to_fill_in_stay() -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    search(hall, 0)
    for page in ("/search/", "/accounts/email/", "/accounts/password/change/"):
        assert reload_of(anna, page) is None, page


def test_an_invitation_to_a_game_in_which_one_has_no_name_stays() -> None:
    hall, team = make_hall(), make_team_hall()
    (anna,) = accounts(hall, "anna")
    (bernd,) = accounts(team, "bernd")
    bernd.post(f"{queue_page_of(team)}party/")
    invitation = f"/play/party/{Party.objects.get().code}/"
    search(hall, 0)
    assert "Your name in this game" in text_of(anna, invitation)
    assert reload_of(anna, invitation) is None


def test_what_is_told_of_a_dispute_is_not_lost() -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    match = meet(hall)
    address = f"/play/matches/{match.pk}/"
    assert reload_of(anna, address)
    assert "nothing you type is lost" not in text_of(anna, address)
    say(match, hall, 0, Outcome.WON)
    assert (reload_of(anna, address) or 0) >= 30  # a report can be changed here
    say(match, hall, 1, Outcome.WON)
    for page in (address, queue_page_of(hall)):
        assert reload_of(anna, page) is None
        text = text_of(anna, page)
        assert "nothing you type is lost" in text
        assert f'<a href="{page}">Load it again</a>' in text


def test_it_says_which_page_keeps_the_search() -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    search(hall, 0)
    without = "".join(
        re.findall(r"(?s)<noscript>.*?</noscript>", text_of(anna, queue_page_of(hall)))
    )
    assert "Keep this page open: it loads itself again" in " ".join(without.split())
    assert "css/reloading" in without  # which hides what is true with scripts alone
