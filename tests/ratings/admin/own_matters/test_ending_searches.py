"""Whose search an operator with a player of its own may end, and whom it may free."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from matchmaking.models import TicketState
from matchmaking.tickets.lifecycle import cancel
from ratings.models import Match, MatchState, Player
from ratings.players.accounts import move_player
from ratings.players.own_matters import OwnMatterError
from tests.matchmaking.hall import Hall, make_hall
from tests.ratings.admin.own_matters.deciding import merged
from tests.ratings.admin_cast import told

pytestmark = pytest.mark.django_db
WORDS = "This concerns a player of your own"


@pytest.fixture
def hall() -> Hall:
    """Player 0 is offered a match with player 1, who is Olga's; Otto plays nothing."""
    hall = make_hall(3)
    hall.join(0, 1)
    hall.sweep()
    assert hall.states(0, 1) == [TicketState.OFFERED] * 2
    return hall


@pytest.fixture
def otto() -> User:
    return User.objects.create_superuser("otto")


@pytest.fixture
def olga(hall: Hall, otto: User) -> User:
    return owner_of(hall, 1)


def owner_of(hall: Hall, number: int) -> User:
    user = User.objects.create_superuser("olga")
    Player.objects.filter(pk=hall.players[number].pk).update(user=user)
    return user


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def refuses(user: User, page: str, **sent: Any) -> None:
    """Told before the form is filled in, and where it is sent all the same."""
    client = signed_in(user)
    shown = client.get(page).content.decode()
    assert WORDS in shown
    assert 'name="note"' not in shown
    assert WORDS in told(client, page, {"note": "x", **sent})


def freeing(hall: Hall, number: int) -> str:
    return reverse("admin:matchmaking_ticket_free", args=[hall.players[number].pk])


def seen(user: User, page: str) -> str:
    value: str = signed_in(user).get(page).context["form"]["seen"].value()
    return value


def test_freeing_who_plays_the_own_player_is_for_somebody_else(
    hall: Hall, olga: User, otto: User
) -> None:
    hall.accept(0)
    hall.accept(1)
    page = freeing(hall, 0)
    refuses(olga, page, seen=seen(olga, page))
    assert Match.objects.get().state == MatchState.PLAYING
    shown = signed_in(otto).get(page).content.decode()
    assert WORDS not in shown
    assert 'name="note"' in shown


def test_nobody_ends_the_search_of_whom_the_own_player_is_offered(hall: Hall, olga: User) -> None:
    refuses(olga, reverse("admin:matchmaking_ticket_cancel", args=[hall.tickets[0]]))
    page = freeing(hall, 0)
    refuses(olga, page, seen=seen(olga, page))
    assert hall.states(0, 1) == [TicketState.OFFERED] * 2
    with hall.at_now():  # as any player may
        cancel(ticket_id=hall.tickets[1], by=olga, note="x")
    assert hall.states(0, 1) == [TicketState.WAITING, TicketState.CANCELLED]
    with hall.at_now():  # who is offered nothing any more
        cancel(ticket_id=hall.tickets[0], by=olga, note="x")
    assert hall.states(0) == [TicketState.CANCELLED]


def test_somebody_else_ends_it(hall: Hall, olga: User, otto: User) -> None:
    page = reverse("admin:matchmaking_ticket_cancel", args=[hall.tickets[0]])
    assert "The search was ended." in told(signed_in(otto), page, {"note": "x"})
    assert hall.states(0, 1) == [TicketState.CANCELLED, TicketState.WAITING]


def test_who_is_alone_ends_it(hall: Hall, olga: User, otto: User) -> None:
    User.objects.filter(pk=otto.pk).update(is_active=False)
    page = reverse("admin:matchmaking_ticket_cancel", args=[hall.tickets[0]])
    assert "The search was ended." in told(signed_in(olga), page, {"note": "x"})


def test_nor_dissolves_the_party(otto: User) -> None:
    hall = make_hall(4, team_size=2)
    olga = owner_of(hall, 2)
    ticket = hall.join_together(0, 1)
    hall.join(2, 3)
    hall.sweep()
    assert hall.states(0, 2, 3) == [TicketState.OFFERED] * 3
    page = reverse("admin:matchmaking_party_dissolve", args=[ticket.party_id])
    refuses(olga, page)
    assert hall.states(0, 2, 3) == [TicketState.OFFERED] * 3
    assert "The party was dissolved." in told(signed_in(otto), page, {"note": "x"})


def test_nor_merges_the_player_away(hall: Hall, olga: User, otto: User) -> None:
    player, into = hall.players[0], hall.players[2]
    page = reverse("admin:ratings_player_merge", args=[player.pk])
    shown = signed_in(olga).get(f"{page}?into={into.pk}&since=").content.decode()
    assert WORDS in shown
    assert 'name="note"' not in shown
    with hall.at_now():
        with pytest.raises(OwnMatterError):
            merged(player, into, olga, end_what_runs=True)
        assert hall.states(0, 1) == [TicketState.OFFERED] * 2
        merged(player, into, otto, end_what_runs=True)
    assert hall.states(0, 1) == [TicketState.CANCELLED, TicketState.WAITING]


def test_nor_moves_it_to_another_account(hall: Hall, olga: User, otto: User) -> None:
    """Which ends its search, too."""
    carl = User.objects.create_user("carl")
    with hall.at_now():
        with pytest.raises(OwnMatterError):
            move_player(player=hall.players[0], to=carl, by=olga, note="x")
        assert hall.states(0, 1) == [TicketState.OFFERED] * 2
        move_player(player=hall.players[0], to=carl, by=otto, note="x")
    assert hall.states(0, 1) == [TicketState.CANCELLED, TicketState.WAITING]
