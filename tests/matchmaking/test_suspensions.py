"""Suspended players: no search, no party, no offer; whoever they would have met waits on."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from matchmaking.models import OfferState, TicketState
from matchmaking.parties.lifecycle import join_party, open_party
from matchmaking.parties.membership import party_of
from matchmaking.suspensions import follow
from ratings.models import Player, Sanction, SanctionKind, SuspendedFrom
from ratings.players.own_matters import OwnMatterError
from ratings.sanctions import SuspendedError, impose, lift
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.squads import make_team_hall

pytestmark = pytest.mark.django_db


def suspend(hall: Hall, number: int, what: SuspendedFrom = SuspendedFrom.SEARCHING) -> Sanction:
    """Suspend a player for an hour; nothing follows by itself, for the test's transaction commits never."""
    with hall.at_now():
        return impose(
            player=hall.players[number],
            kind=SanctionKind.SUSPENDED,
            suspended_from=what,
            reason="Cursed.",
            until=hall.now + timedelta(hours=1),
            by=None,
        )


@pytest.mark.parametrize("what", [SuspendedFrom.SEARCHING, SuspendedFrom.ALL])
def test_no_search_until_it_is_over(what: SuspendedFrom) -> None:
    hall = make_hall(2)
    suspend(hall, 0, what)
    with pytest.raises(SuspendedError, match=r"You are suspended from .* until .*: Cursed\."):
        hall.join(0)
    hall.wait(3600)
    hall.join(0)
    assert hall.states(0) == [TicketState.WAITING]


@pytest.mark.parametrize("what", [SuspendedFrom.PARTIES, SuspendedFrom.RESULTS])
def test_other_suspensions_leave_searches_alone(what: SuspendedFrom) -> None:
    hall = make_hall(2)
    suspend(hall, 0, what)
    hall.join(0)
    assert hall.states(0) == [TicketState.WAITING]


def test_once_lifted_the_search_begins() -> None:
    hall = make_hall(2)
    sanction = suspend(hall, 0)
    with hall.at_now():
        lift(sanction_id=sanction.pk, by=None)
    hall.join(0)


def test_a_party_with_a_suspended_member_does_not_search() -> None:
    hall = make_team_hall()
    party = hall.gather(0, 1)
    suspend(hall, 1)
    with pytest.raises(
        SuspendedError, match=r"is suspended from searching for matches until "
    ) as refused:
        hall.join(0, party=party)
    assert refused.value.extra["player"] == hall.players[1].pk
    assert "Cursed" not in str(refused.value)


def test_a_search_that_runs_is_ended_and_its_offer_declined() -> None:
    hall = make_hall(2, gap_start=400.0)
    hall.join(0, 1)
    hall.sweep()
    assert hall.states(0, 1) == [TicketState.OFFERED] * 2
    sanction = suspend(hall, 0)
    with hall.at_now():
        follow(sanction)
    assert hall.states(0, 1) == [TicketState.CANCELLED, TicketState.WAITING]


def test_a_search_that_began_meanwhile_is_ended_by_the_next_sweep() -> None:
    hall = make_hall(3, gap_start=400.0)
    hall.join(0, 1)
    suspend(hall, 0)
    hall.sweep()
    assert hall.states(0, 1) == [TicketState.CANCELLED, TicketState.WAITING]


def test_who_is_suspended_before_the_last_acceptance_does_not_play() -> None:
    hall = make_hall(2, gap_start=400.0)
    hall.join(0, 1)
    hall.sweep()
    hall.accept(0)
    suspend(hall, 0)
    with pytest.raises(Exception, match="This offer is over"):
        hall.accept(1)
    assert hall.states(0, 1) == [TicketState.CANCELLED, TicketState.WAITING]
    assert hall.ticket(1).offers.get().offer.state == OfferState.DECLINED


def test_the_suspended_one_who_accepts_last_is_told() -> None:
    hall = make_hall(2, gap_start=400.0)
    hall.join(0, 1)
    hall.sweep()
    hall.accept(1)
    suspend(hall, 0)
    with pytest.raises(SuspendedError):
        hall.accept(0)
    assert hall.states(0, 1) == [TicketState.CANCELLED, TicketState.WAITING]


@pytest.mark.parametrize("what", [SuspendedFrom.PARTIES, SuspendedFrom.ALL])
def test_parties_are_left_and_closed_to_them(what: SuspendedFrom) -> None:
    hall = make_team_hall()
    party = hall.gather(0, 1)
    sanction = suspend(hall, 1, what)
    with hall.at_now():
        follow(sanction)
        assert party_of(hall.players[1].pk) is None
        assert party_of(hall.players[0].pk) == party
        with pytest.raises(SuspendedError):
            open_party(player=hall.players[1])
        with pytest.raises(SuspendedError):
            join_party(player=hall.players[1], code=party.code)


def test_a_lifted_one_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    hall = make_hall(2)
    sanction = suspend(hall, 0)
    with hall.at_now():
        lifted = lift(sanction_id=sanction.pk, by=None)
    hall.join(0)
    with hall.at_now():
        follow(lifted)
    assert hall.states(0) == [TicketState.WAITING]


def test_nobody_suspends_whom_the_own_player_is_to_meet() -> None:
    hall = make_hall(3, gap_start=400.0)
    olga = User.objects.create_superuser("olga")
    User.objects.create_superuser("otto")
    Player.objects.filter(pk=hall.players[1].pk).update(user=olga)
    hall.join(0, 1)
    given: dict[str, Any] = {"kind": SanctionKind.WARNING, "reason": "x", "by": olga}
    with hall.at_now():
        impose(player=hall.players[0], **given)
    hall.sweep()
    assert hall.states(0, 1) == [TicketState.OFFERED] * 2
    with hall.at_now():
        with pytest.raises(OwnMatterError):
            impose(player=hall.players[0], **given)
        for number in (1, 2):
            impose(player=hall.players[number], **given)
