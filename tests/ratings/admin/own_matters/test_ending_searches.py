"""Whose search an operator with a player of its own may end, and whom it may free."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from matchmaking.models import TicketState
from ratings.models import Match, MatchState, Player
from tests.matchmaking.hall import Hall, make_hall
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
