"""What is deleted when it is old, and what never is."""

from datetime import datetime, timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db.models import Model
from django.http import HttpRequest
from django.test import Client
from environs import Env, EnvValidationError
from pytest_django import Settings

from accounts.models import User
from api.models import PlayerToken, ServerKey
from config.maintenance import retention
from config.settings.environment import read_days
from config.tasks import forget
from foundation import clock, timekeeping
from foundation.models import Heartbeat
from matchmaking.models import (
    Offer,
    OfferState,
    OfferTicket,
    Party,
    PartyMember,
    Ticket,
    TicketState,
)
from ratings.models import Match, MatchState, Report
from tests.matchmaking.hall import Hall, make_hall
from tests.ratings.admin_cast import operator

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def forget_in(days: float) -> None:
    with clock.at(clock.now() + days * DAY):
        forget()


def counts(*models: type[Model]) -> list[int]:
    return [model._default_manager.count() for model in models]


def make_ticket(hall: Hall, state: str, *, party: Party | None = None) -> Ticket:
    ended = None if state == TicketState.WAITING else clock.now()
    return Ticket.objects.create(queue=hall.queue, state=state, ended_at=ended, party=party)


def make_offer(hall: Hall, state: str, *tickets: Ticket) -> Offer:
    offer = Offer.objects.create(queue=hall.queue, state=state, expires_at=clock.now() + DAY)
    for team, ticket in enumerate(tickets):
        OfferTicket.objects.create(offer=offer, ticket=ticket, team=team, live=False)
    return offer


def test_searches_that_came_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)  # several
    hall = make_hall(4)
    party = Party.objects.create(
        game=hall.queue.ladder.game, leader=hall.players[0], code="ABCDEFGHJK", ended_at=clock.now()
    )
    for _ in range(3):
        ended = make_ticket(hall, TicketState.CANCELLED, party=party)
        make_offer(hall, OfferState.DECLINED, ended)
    waits = make_ticket(hall, TicketState.WAITING)
    forget_in(89)
    assert counts(Ticket, Offer, Party) == [4, 3, 1]
    forget_in(91)
    assert list(Ticket.objects.all()) == [waits]
    assert counts(Offer, OfferTicket, Party, PartyMember) == [0, 0, 0, 0]


def test_what_became_a_match_stays() -> None:
    hall = make_hall(2)
    hall.join(0, 1)
    hall.sweep()
    for who in (0, 1):
        hall.accept(who)
    match = Match.objects.get()
    before = counts(Ticket, Offer, OfferTicket)
    assert before[1] == 1
    Report.objects.create(match=match, player=hall.players[0], outcome="won")
    forget_in(4000)
    assert counts(Ticket, Offer, OfferTicket, Report) == [*before, 1]  # it is open still
    match.state, match.due_at = MatchState.DISPUTED, None
    match.save()
    forget_in(4000)
    assert Report.objects.count() == 1
    type(match).objects.filter(pk=match.pk).update(state=MatchState.ABORTED)
    forget_in(364)
    assert Report.objects.count() == 1
    forget_in(366)
    assert counts(Ticket, Offer, OfferTicket, Report) == [*before, 0]


def make_key(hall: Hall, number: int, **when: datetime) -> ServerKey:
    digest = f"{number:064x}"
    return ServerKey.objects.create(
        game=hall.queue.ladder.game,
        name="key",
        prefix=f"{number:08d}",
        digest=digest,
        scopes=["matches:write"],
        **when,
    )


def test_keys_and_tokens_that_ended() -> None:
    hall, now = make_hall(1), clock.now()
    good = make_key(hall, 1)
    make_key(hall, 2, revoked_at=now)
    make_key(hall, 3, expires_at=now + DAY)
    PlayerToken.objects.create(
        player=hall.players[0],
        name="token",
        prefix="00000009",
        digest="9" * 64,
        scopes=["play"],
        revoked_at=now,
    )
    forget_in(89)
    assert counts(ServerKey, PlayerToken) == [3, 1]
    forget_in(92)
    assert list(ServerKey.objects.all()) == [good]
    assert PlayerToken.objects.count() == 0


def test_sessions_that_expired() -> None:
    client: Client = operator()
    assert Session.objects.count() == 1
    forget_in(1)
    assert client.get("/admin/").status_code == 200
    forget_in(60)
    assert Session.objects.count() == 0


def test_nothing_goes_by_a_clock_that_jumped() -> None:
    hall = make_hall(1)
    assert timekeeping.is_steady()
    ticket = make_ticket(hall, TicketState.CANCELLED)
    Ticket.objects.filter(pk=ticket.pk).update(ended_at=clock.now() - 100 * DAY)
    Heartbeat.objects.update(at=clock.now() - 100 * DAY)
    forget()
    assert Ticket.objects.count() == 1
    timekeeping.trust()
    forget()
    assert Ticket.objects.count() == 0


def test_off_keeps_everything(settings: Settings) -> None:
    settings.KEEP_SEARCHES = None
    make_ticket(make_hall(1), TicketState.CANCELLED)
    forget_in(4000)
    assert Ticket.objects.count() == 1


@pytest.mark.parametrize("bad", ["7", "-1", "soon", "nan"])
def test_a_bad_number_of_days_is_named(monkeypatch: pytest.MonkeyPatch, bad: str) -> None:
    monkeypatch.setenv("EVENMATCH_KEEP_SEARCHES", bad)
    with pytest.raises(EnvValidationError, match=f"EVENMATCH_KEEP_SEARCHES is '{bad}'.* from 8 on"):
        read_days(Env(), "EVENMATCH_KEEP_SEARCHES", "90", at_least=8)
    monkeypatch.setenv("EVENMATCH_KEEP_SEARCHES", "off")
    assert read_days(Env(), "EVENMATCH_KEEP_SEARCHES", "90", at_least=8) is None


def test_sign_ins_go_with_their_sessions_and_their_addresses_before(settings: Settings) -> None:
    user = User.objects.create_user("anna")
    clients = [Client(headers={"User-Agent": "Mozilla/5.0 Firefox/130"}) for _ in range(3)]
    for client, address in zip(
        clients, ("192.0.2.77", "2001:db8:1:2::77", "192.0.2.1"), strict=True
    ):
        request = HttpRequest()
        request.META = {"REMOTE_ADDR": address, "HTTP_USER_AGENT": "Mozilla/5.0 Firefox/130"}
        client.force_login(user)
        request.user, request.session = user, client.session
        UserSession.objects.create_from_request(request)
    clients[2].session.flush()
    rows = UserSession.objects.order_by("pk").values_list("ip", "user_agent")
    assert len(rows.all()) == 3
    settings.KEEP_SIGN_INS = None
    forget_in(8)
    assert [ip for ip, _ in rows.all()] == ["192.0.2.77", "2001:db8:1:2::77"]
    settings.KEEP_SIGN_INS = 7.0
    forget_in(6)
    assert [agent for _, agent in rows.all()] == ["Mozilla/5.0 Firefox/130"] * 2
    for _ in range(2):
        forget_in(8)
        assert list(rows.all()) == [("192.0.2.0", ""), ("2001:db8:1::", "")]
    forget_in(30)
    assert not rows.all()
