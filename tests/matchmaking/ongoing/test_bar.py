"""The bar on every page: what goes on for who is signed in, where it asks for news, and how much is read for it."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from foundation import clock
from matchmaking.models import Offer, Ticket
from matchmaking.offers import answer as offers
from matchmaking.parties.lifecycle import join_party, leave_party, open_party, remove_member
from matchmaking.suspensions import follow
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from ratings.matches.start import start_match
from ratings.models import Match, MatchState, Outcome, Participant, SanctionKind, SuspendedFrom
from ratings.sanctions import impose, lift
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.squads import make_team_hall
from tests.matchmaking.visiting import (
    HTMX,
    make_account,
    meet,
    queue_page_of,
    say,
    search,
    text_of,
    words_of,
)

pytestmark = pytest.mark.django_db

SEARCH_PAGE = "/search/"  # about nobody's matches


def bar_of(client: Client, address: str = SEARCH_PAGE) -> str:
    """The bar as it stands on a page."""
    found = re.search(r'<div class="ongoing".*?\n</div>', text_of(client, address), re.DOTALL)
    return re.sub("</?bdi>", "", found[0]) if found else ""


def address_of(bar: str) -> str:
    found = re.search(r'hx-get="([^"]+)"', bar)
    assert found is not None, bar
    return found[1].replace("&amp;", "&")


@pytest.fixture
def hall() -> Hall:
    return make_hall()


def test_a_visitor_has_no_bar_and_nothing_is_read_for_one(hall: Hall) -> None:
    with CaptureQueriesContext(
        connection,
    ) as read:
        assert bar_of(Client()) == ""
    assert not any("matchmaking_ticket" in query["sql"] for query in read)


def test_who_plays_nothing_has_an_empty_bar_that_asks_for_nothing(hall: Hall) -> None:
    client = Client()
    client.force_login(User.objects.create_user("carla"))
    assert "hx-get" not in bar_of(client)


def test_a_search_stands_on_every_page(hall: Hall) -> None:
    anna = make_account(hall, 0, "anna")
    assert 'data-live="player"' in bar_of(anna)
    assert "data-live-always" not in bar_of(anna)
    search(hall, 0)
    for address in (SEARCH_PAGE, "/", "/play/", "/accounts/password/change/"):
        bar = bar_of(anna, address)
        assert f"You're searching in {hall.queue.name}".replace("'", "&#x27;") in bar.replace(
            "'", "&#x27;"
        ), address
        assert "data-title-clock" in bar
        assert "data-live-always" in bar


def test_an_offer_is_accepted_from_any_page(hall: Hall) -> None:
    anna = make_account(hall, 0, "anna")
    search(hall, 0, 1)
    sweep.run_queue(hall.queue.pk)
    bar = bar_of(anna)
    assert "Match found" in bar
    assert re.search(r'data-count="down"[^>]*data-seconds="\d+"', bar)
    ticket = Ticket.objects.get(members__player=hall.players[0])
    form = re.search(
        r'action="(/play/tickets/\d+/accept/)" data-once>.*?name="offer" value="(\d+)"',
        bar,
        re.DOTALL,
    )
    assert form is not None
    for _click in range(3):  # repeats are taken for one
        answer = anna.post(form[1], {"offer": form[2]})
        assert answer.headers["Location"] == queue_page_of(hall)
    assert ticket.offers.get().accepted_at is not None
    assert "You accepted. Waiting for the others" in bar_of(anna)


def test_the_bar_asks_for_news_and_gets_none_while_there_is_none(hall: Hall) -> None:
    anna = make_account(hall, 0, "anna")
    search(hall, 0, 1)
    address = address_of(bar_of(anna))
    assert anna.get(address, headers=HTMX).status_code == 204
    sweep.run_queue(hall.queue.pk)
    news = anna.get(address, headers=HTMX)
    assert "Match found" in news.content.decode()
    assert anna.get(address_of(news.content.decode()), headers=HTMX).status_code == 204
    assert anna.get(address).headers["Location"] == "/play/"  # opened by hand
    assert Client().get(address, headers=HTMX).content.decode().count("<li") == 0


def test_what_the_page_shows_is_not_said_twice(hall: Hall) -> None:
    anna = make_account(hall, 0, "anna")
    search(hall, 0, 1)
    assert "<li" not in bar_of(anna, queue_page_of(hall))
    sweep.run_queue(hall.queue.pk)
    bar = bar_of(anna, queue_page_of(hall))
    assert "Match found" not in bar
    assert anna.get(address_of(bar), headers=HTMX).status_code == 204
    for ticket in Ticket.objects.all():
        offer = offers.accept(ticket_id=ticket.pk)
    assert offer.match is not None
    assert "<li" not in bar_of(anna, queue_page_of(hall))
    assert "<li" not in bar_of(anna, f"/play/matches/{offer.match.pk}/")
    assert "You're playing" in bar_of(anna).replace("&#x27;", "'")


def test_a_search_that_ended_by_itself_is_told_on_every_page_but_its_own(hall: Hall) -> None:
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    _own, other = search(hall, 0, 1)
    sweep.run_queue(hall.queue.pk)
    address = address_of(bar_of(anna))
    offers.accept(ticket_id=other.pk)
    past = clock.now() - timedelta(minutes=2)
    Offer.objects.update(created_at=past, expires_at=past + timedelta(seconds=20))
    sweep.run_queue(hall.queue.pk)
    words = "Your search has ended: you didn't answer an offer in time."
    assert words in anna.get(address, headers=HTMX).content.decode()
    for page in (SEARCH_PAGE, "/", "/play/"):
        assert words in bar_of(anna, page), page
        assert re.search(rf'href="{queue_page_of(hall)}"\s*>Search again', bar_of(anna, page))
    assert "<li" not in bar_of(anna, queue_page_of(hall))
    assert "has ended" not in bar_of(bernd)
    Ticket.objects.filter(pk=other.pk).update(seen_at=clock.now() - timedelta(hours=1))
    sweep.run_queue(hall.queue.pk)
    assert "no page of this site was open for more than 60 s." in bar_of(bernd)
    search(hall, 0)
    assert "has ended" not in bar_of(anna)
    with clock.at(clock.now() + timedelta(minutes=11)):
        assert "has ended" not in bar_of(bernd)


@pytest.mark.parametrize("what", [SuspendedFrom.SEARCHING, SuspendedFrom.PARTIES])
def test_a_search_that_a_sanction_ended_is_told_to_everyone_of_it(what: SuspendedFrom) -> None:
    hall = make_team_hall()
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    party = open_party(player=hall.players[0])
    join_party(player=hall.players[1], code=party.code)
    lifecycle.join(queue=hall.queue, player=hall.players[0], party=party)
    address = address_of(bar_of(anna))
    sanction = impose(
        player=hall.players[0],
        kind=SanctionKind.SUSPENDED,
        suspended_from=what,
        reason="Cursed.",
        by=None,
    )
    follow(sanction)  # the test's transaction commits never
    own = "Your search has ended: you are suspended now."
    others = "Your party's search has ended: one of you is suspended now."
    assert own in anna.get(address, headers=HTMX).content.decode()
    for page in (SEARCH_PAGE, "/", "/play/"):
        bar = bar_of(anna, page)
        assert own in bar, page
        assert "Search again" not in bar, page
        assert others in bar_of(bernd, page).replace("&#x27;", "'"), page
    assert "<li" not in bar_of(anna, queue_page_of(hall))
    assert own in words_of(anna, queue_page_of(hall))
    assert others in words_of(bernd, queue_page_of(hall))
    lift(sanction_id=sanction.pk, by=None)
    assert "has ended" not in bar_of(anna)


@pytest.mark.parametrize("is_removed", [False, True])
def test_a_search_that_ended_with_a_members_going_is_told_to_the_others(is_removed: bool) -> None:
    hall = make_team_hall()
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    party = open_party(player=hall.players[0])
    join_party(player=hall.players[1], code=party.code)
    lifecycle.join(queue=hall.queue, player=hall.players[0], party=party)
    address = address_of(bar_of(anna))
    if is_removed:
        remove_member(party_id=party.pk, member=hall.players[1].pk, by=hall.players[0].pk)
    else:
        leave_party(party_id=party.pk, player=hall.players[1])
    told = "Your party's search has ended: one of you has left the party."
    removed = "You were removed from the party."
    assert told in anna.get(address, headers=HTMX).content.decode()
    assert told in words_of(anna, queue_page_of(hall))
    assert removed not in bar_of(anna) + words_of(anna, queue_page_of(hall))
    assert "has ended" not in bar_of(bernd) + words_of(bernd, queue_page_of(hall))
    assert (removed in bar_of(bernd)) == is_removed
    assert (removed in words_of(bernd, queue_page_of(hall))) == is_removed
    open_party(player=hall.players[1])
    assert removed not in words_of(bernd, queue_page_of(hall))


def test_so_is_one_that_was_offered_a_match(hall: Hall) -> None:
    """Going declines the offer, too, and the others read who went."""
    hall = make_hall(4, team_size=2)
    with hall.at_now():
        anna = make_account(hall, 0, "anna")
    ticket = hall.join_together(0, 1)
    hall.join_together(2, 3)
    hall.sweep()
    assert hall.states(0) == ["offered"]
    assert ticket.party_id is not None
    with hall.at_now():
        leave_party(party_id=ticket.party_id, player=hall.players[1])
        told = words_of(anna, queue_page_of(hall))
    assert "one of you has left the party" in told
    assert "declined" not in told


def test_a_search_ended_before_a_member_went_was_not_ended_by_it() -> None:
    hall = make_team_hall()
    anna = make_account(hall, 0, "anna")
    party = open_party(player=hall.players[0])
    join_party(player=hall.players[1], code=party.code)
    ticket = lifecycle.join(queue=hall.queue, player=hall.players[0], party=party)
    lifecycle.cancel(ticket_id=ticket.pk)
    with clock.at(clock.now() + timedelta(seconds=5)):
        leave_party(party_id=party.pk, player=hall.players[1])
        assert "<li" not in bar_of(anna)
        assert "has ended" not in words_of(anna, queue_page_of(hall))


def test_a_search_ended_before_a_sanction_was_not_ended_by_it(hall: Hall) -> None:
    anna = make_account(hall, 0, "anna")
    (ticket,) = search(hall, 0)
    with clock.at(clock.now() - timedelta(seconds=5)):
        lifecycle.cancel(ticket_id=ticket.pk)
    impose(
        player=hall.players[0],
        kind=SanctionKind.SUSPENDED,
        suspended_from=SuspendedFrom.ALL,
        reason="Cursed.",
        by=None,
    )
    assert "<li" not in bar_of(anna)
    assert "has ended" not in words_of(anna, queue_page_of(hall))


def test_a_search_that_its_player_ended_is_not_told(hall: Hall) -> None:
    anna = make_account(hall, 0, "anna")
    search(hall, 0, 1)
    sweep.run_queue(hall.queue.pk)
    offers.decline(ticket_id=Ticket.objects.get(members__player=hall.players[0]).pk)
    assert "<li" not in bar_of(anna)


def test_a_match_waits_for_a_report_then_for_nothing(hall: Hall) -> None:
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    match = meet(hall)
    assert f'href="/play/matches/{match.pk}/"' in bar_of(anna)
    assert "Report the result" in bar_of(anna)
    say(match, hall, 1, Outcome.WON)
    assert "Bernd reported your match: is that right?" in bar_of(anna)
    assert bar_of(bernd).count("<li") == 1  # what is left to say is how it was
    assert "Did you enjoy playing with" in bar_of(bernd)
    say(match, hall, 0, Outcome.LOST)
    assert bar_of(anna).count("<li") == 1
    assert "Did you enjoy playing with" in bar_of(anna)


def test_a_dispute_stays_until_it_is_decided(hall: Hall) -> None:
    anna = make_account(hall, 0, "anna")
    match = meet(hall)
    say(match, hall, 0, Outcome.WON)
    say(match, hall, 1, Outcome.WON)
    assert "Disputed: your match against" in bar_of(anna)
    say(match, hall, 1, Outcome.LOST)
    assert "Disputed" not in bar_of(anna)
    assert bar_of(anna).count("<li") == 1  # how it was


def test_disputes_that_nobody_decides_do_not_fill_the_page(hall: Hall) -> None:
    anna = make_account(hall, 0, "anna")
    disputed = Match.objects.bulk_create(
        Match(
            ladder=hall.ladder,
            game=hall.ladder.game,
            external_id=f"disputed-{number}",
            state=MatchState.DISPUTED,
            played_at=clock.now(),
        )
        for number in range(25)
    )
    Participant.objects.bulk_create(
        Participant(match=match, player=player, team=team)
        for match in disputed
        for team, player in enumerate(hall.players[:2])
    )
    bar = bar_of(anna)
    assert bar.count("Disputed: your match against") == 20
    assert f'href="/play/matches/{disputed[-1].pk}/"' in bar  # the newest


@pytest.mark.parametrize("address", [SEARCH_PAGE, "/"])
@pytest.mark.django_db(transaction=True)
def test_whoever_reads_any_page_is_still_there(address: str) -> None:
    """Also on pages that are read from a snapshot, where nothing can be written."""
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    (ticket,) = search(hall, 0)
    late = clock.now() + timedelta(seconds=0.5 * hall.queue.heartbeat_seconds)
    with clock.at(late):
        bar_of(anna, address)
    ticket.refresh_from_db()
    assert ticket.seen_at == late


def test_two_queries_for_any_number_of_matches(hall: Hall) -> None:
    anna = make_account(hall, 0, "anna")
    other = hall.players[1]
    played = Match.objects.bulk_create(
        Match(
            ladder=hall.ladder,
            game=hall.ladder.game,
            external_id=f"old-{number}",
            state=MatchState.CONFIRMED,
            played_at=clock.now(),
            confirmed_at=clock.now(),
        )
        for number in range(30)
    )
    Participant.objects.bulk_create(
        Participant(match=match, player=player, team=team, rank=team)
        for match in played
        for team, player in enumerate((hall.players[0], other))
    )
    start_match(ladder=hall.ladder, teams=[[hall.players[0].pk], [other.pk]])
    anna.get(SEARCH_PAGE)
    with CaptureQueriesContext(connection) as read:
        anna.get(SEARCH_PAGE)
    own = [
        q["sql"]
        for q in read
        if "matchmaking_ticketmember" in q["sql"] or "ratings_report" in q["sql"]
    ]
    assert len(own) == 2, own
    # session, account and those two
    assert (
        len([q for q in read if "django_session" in q["sql"] or "accounts_user" in q["sql"]]) == 2
    )
