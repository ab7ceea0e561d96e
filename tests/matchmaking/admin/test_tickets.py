"""Tickets, offers and players in the admin: looking at who waits, ending a search, and freeing a player."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry
from matchmaking.models import Offer, TicketMember
from ratings.models import Match, Participant
from tests.matchmaking.hall import Hall, make_hall
from tests.ratings.admin_cast import staff, told

pytestmark = pytest.mark.django_db
BECAUSE = {"note": "asked us to"}


@pytest.fixture
def hall() -> Hall:
    return make_hall(4)


def cancel(hall: Hall, number: int) -> str:
    return reverse("admin:matchmaking_ticket_cancel", args=[hall.tickets[number]])


def free(hall: Hall, number: int) -> str:
    return reverse("admin:matchmaking_ticket_free", args=[hall.players[number].pk])


def profile(hall: Hall, number: int) -> str:
    return reverse("admin:ratings_player_change", args=[hall.players[number].pk])


def seen(client: Client, address: str) -> dict[str, str]:
    """The form of a page as a browser sends it, with a reason."""
    form = client.get(address).context["form"]
    return {"seen": form["seen"].value(), **BECAUSE}


def play(hall: Hall, first: int, second: int) -> Match:
    hall.join(first, second)
    hall.sweep()
    hall.accept(first)
    match = hall.accept(second).match
    assert match is not None
    return match


def test_the_waiting_list_begins_with_the_longest_wait(hall: Hall, client: Client) -> None:
    hall.join(1)
    hall.wait(42)
    hall.join(0, 2)
    hall.cancel(2)
    with hall.at_now():
        shown = client.get(reverse("admin:matchmaking_ticket_changelist"), {"live": "1"})
    rows = list(shown.context["cl"].result_list)
    assert [row.pk for row in rows] == [hall.tickets[1], hall.tickets[0]]
    assert "0:42" in shown.content.decode()
    assert "player 1" in shown.content.decode()


def test_a_search_is_ended_for_the_player(hall: Hall, client: Client) -> None:
    hall.join(0)
    assert "as if the player cancelled" in client.get(cancel(hall, 0)).content.decode()
    assert "The search was ended." in told(client, cancel(hall, 0), BECAUSE)
    assert hall.states(0) == ["cancelled"]
    entry = AuditEntry.objects.get(action="ticket.cancelled")
    assert (entry.before, entry.after, entry.note) == (
        {"state": "waiting", "players": [hall.players[0].pk]},
        {"state": "cancelled"},
        "asked us to",
    )
    hall.join(0)
    hall.check()


def test_an_offered_search_is_ended_and_the_other_waits_on(hall: Hall, client: Client) -> None:
    hall.join(0, 1)
    hall.sweep()
    assert "is declined" in client.get(cancel(hall, 0)).content.decode()
    client.post(cancel(hall, 0), BECAUSE)
    assert hall.states(0, 1) == ["cancelled", "waiting"]
    assert Offer.objects.get().state == "declined"
    hall.check()


def test_a_match_that_was_faster_wins_and_it_is_said(hall: Hall, client: Client) -> None:
    play(hall, 0, 1)
    words = told(client, cancel(hall, 0), BECAUSE)
    assert "The match has already begun." in words
    assert "Abort the match" in words
    assert hall.states(0) == ["matched"]
    assert not AuditEntry.objects.filter(action="ticket.cancelled").exists()


def test_a_player_who_was_faster_leaves_nothing_to_end(hall: Hall, client: Client) -> None:
    hall.join(0)
    hall.cancel(0)
    words = told(client, cancel(hall, 0), BECAUSE)
    assert "This search has already ended." in words
    assert "The ticket is: cancelled." in words
    assert not AuditEntry.objects.filter(action="ticket.cancelled").exists()


def test_ending_a_search_needs_a_reason(hall: Hall, client: Client) -> None:
    hall.join(0)
    assert "Say why" in client.post(cancel(hall, 0), {"note": ""}).content.decode()
    assert hall.states(0) == ["waiting"]


def test_who_may_only_look_ends_nothing(hall: Hall) -> None:
    hall.join(0)
    clerk = staff("view_ticket", "view_player")
    assert clerk.post(cancel(hall, 0), BECAUSE).status_code == 403
    assert clerk.post(free(hall, 0), BECAUSE).status_code == 403
    assert Client().post(cancel(hall, 0), BECAUSE).status_code == 302
    page = clerk.get(reverse("admin:matchmaking_ticket_change", args=[hall.tickets[0]]))
    assert cancel(hall, 0) not in page.content.decode()
    assert free(hall, 0) not in clerk.get(profile(hall, 0)).content.decode()
    assert hall.states(0) == ["waiting"]


def test_the_offers_say_why(hall: Hall, client: Client) -> None:
    hall.rate({0: 1500.0, 1: 1620.0})
    hall.join(0)
    hall.wait(4)
    hall.join(1)
    hall.wait(6)
    hall.sweep()
    offer = Offer.objects.get()
    page = client.get(reverse("admin:matchmaking_offer_change", args=[offer.pk])).content.decode()
    for shown in ("player 0", "player 1", "0:10", "0:06", "130", "120"):
        assert shown in page
    address = reverse("admin:matchmaking_offer_changelist")
    filtered = client.get(address, {"state__exact": "declined"})
    assert filtered.context["cl"].result_count == 0
    assert client.get(address, {"queue__id__exact": hall.queue.pk}).context["cl"].result_count == 1


def test_a_player_s_page_says_what_the_player_is_doing(hall: Hall, client: Client) -> None:
    assert "Neither searching nor playing." in client.get(profile(hall, 0)).content.decode()
    hall.join(0)
    assert "Searching in Go" in client.get(profile(hall, 0)).content.decode()
    hall.cancel(0)
    match = play(hall, 1, 2)
    page = client.get(profile(hall, 1)).content.decode()
    assert reverse("admin:ratings_match_change", args=[match.pk]) in page
    assert free(hall, 1) in page


def test_a_searching_player_is_freed(hall: Hall, client: Client) -> None:
    hall.join(0)
    assert "is free" in told(client, free(hall, 0), seen(client, free(hall, 0)))
    assert hall.states(0) == ["cancelled"]
    assert not TicketMember.objects.filter(live=True).exists()


def test_a_playing_player_is_freed(hall: Hall, client: Client) -> None:
    match = play(hall, 0, 1)
    assert "is free" in told(client, free(hall, 0), seen(client, free(hall, 0)))
    match.refresh_from_db()
    assert match.state == "aborted"
    assert not Participant.objects.filter(playing=True).exists()
    assert AuditEntry.objects.get(action="match.aborted").note == "asked us to"
    hall.join(0, 1)


def test_a_player_who_searches_while_playing_elsewhere_is_freed_of_both(
    hall: Hall, client: Client
) -> None:
    hall.join(0)
    hall.put_into_match(0, against=1)
    client.post(free(hall, 0), seen(client, free(hall, 0)))
    assert hall.states(0) == ["cancelled"]
    assert not Participant.objects.filter(playing=True).exists()


def test_freeing_does_not_touch_what_was_not_seen(hall: Hall, client: Client) -> None:
    hall.join(0)
    sent = seen(client, free(hall, 0))
    hall.cancel(0)
    match = play(hall, 0, 1)
    assert "did something else in the meantime" in told(client, free(hall, 0), sent)
    match.refresh_from_db()
    assert match.state == "playing"


def test_aborting_takes_the_right_to_change_matches(hall: Hall) -> None:
    play(hall, 0, 1)
    clerk = staff("view_player", "change_ticket")
    assert clerk.post(free(hall, 0), BECAUSE).status_code == 403
    assert Participant.objects.filter(playing=True).count() == 2
