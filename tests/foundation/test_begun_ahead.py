"""What a clock that ran ahead has begun: it begins anew, and what is due by a wrong clock waits."""

from datetime import UTC, datetime, timedelta

import pytest
from django.apps import apps
from django.db import transaction

from challenges import answer, make
from challenges.make import Wanted
from challenges.models import Challenge
from challenges.settle import settle
from foundation import clock, timekeeping
from foundation.timekeeping import clock_jumps
from foundation.timekeeping.models import ClockPause
from groups import draw
from groups.models import Access, Group, Membership
from matchmaking.conduct.charge import Charge, charge
from matchmaking.conduct.standing import standing_of
from matchmaking.models import Absence, OffenceKind, Round, RoundState, RoundTime
from matchmaking.rounds import hold
from ratings.models import Player
from tests.matchmaking.hall import Hall, make_hall
from tests.rooms.lounge import make_lounge

pytestmark = pytest.mark.django_db
YEAR = timedelta(days=365)


@pytest.fixture
def wrong_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that is not believed, as is found by looking."""
    found = ClockPause(
        trusted_at=datetime(2026, 1, 1, tzinfo=UTC),
        off_by=YEAR.total_seconds(),
        at=datetime.now(UTC),
    )
    monkeypatch.setattr(clock_jumps, "observed", lambda: found)
    monkeypatch.setattr(clock_jumps.Look, "is_steady", property(lambda _: False))


def test_each_declaration_names_moments_of_its_model() -> None:
    declared = [
        (model, each) for model in apps.get_models() for each in getattr(model, "begins_anew", ())
    ]
    assert len(declared) > 10
    for model, each in declared:
        for name in (each.began, *each.beside):
            assert model._meta.get_field(name).get_internal_type() == "DateTimeField"


def test_who_cools_off_by_a_clock_ahead_does_so_for_as_long_as_was_meant() -> None:
    player = make_hall(players=1).players[0]
    ahead = clock.now() + YEAR
    with clock.at(ahead), transaction.atomic():
        lasting = timedelta(minutes=20)
        one = Charge(
            player_id=player.pk,
            kind=OffenceKind.MANNERS,
            at=ahead,
            points=1,
            reason="x",
            cools_for=lasting,
        )
        charge([one], ahead)
    until = standing_of([player.pk])[player.pk].cooling_until
    assert until is not None
    assert until > clock.now() + YEAR
    assert timekeeping.begin_anew()["matchmaking_conductstanding.as_of"] == 1
    until = standing_of([player.pk])[player.pk].cooling_until
    assert until is not None
    left = until - clock.now()
    assert lasting - timedelta(minutes=1) < left <= lasting
    assert timekeeping.begin_anew() == {}


def test_challenges_rooms_and_turns_of_a_clock_ahead_have_as_long_as_any() -> None:
    hall = make_hall(players=2)
    ahead = clock.now() + YEAR
    with clock.at(ahead):
        made = make.challenge(
            player=hall.players[0], other=hall.players[1], wanted=Wanted(ladder=hall.ladder)
        )
        lasts = made.expires_at - made.created_at
    timekeeping.begin_anew()
    made.refresh_from_db()
    assert made.expires_at - made.created_at == lasts
    assert made.created_at <= clock.now()
    lounge = make_lounge(size=1)
    lounge.hall.wait((ahead - lounge.hall.now).total_seconds())
    room = lounge.open(0)
    timekeeping.begin_anew()
    assert lounge.reload(room).active_at <= clock.now()


def test_what_is_over_stays_as_it_was_written_down() -> None:
    hall = make_hall(players=4)
    match = hall.put_into_match(0, against=1)
    ahead = clock.now() + YEAR
    over = Absence.objects.create(
        match=match,
        player=hall.players[0],
        away_at=ahead,
        until=ahead + timedelta(minutes=5),
        back_at=ahead + timedelta(minutes=1),
    )
    away = Absence.objects.create(
        match=match, player=hall.players[1], away_at=ahead, until=ahead + timedelta(minutes=5)
    )
    assert timekeeping.begin_anew()["matchmaking_absence.away_at"] == 1
    over.refresh_from_db()
    away.refresh_from_db()
    assert (over.away_at, away.until - away.away_at) == (ahead, timedelta(minutes=5))
    assert away.until < ahead


def test_what_is_due_by_a_wrong_clock_waits(wrong_clock: None) -> None:
    hall = make_hall(players=4)
    with clock.at(clock.now() - YEAR):
        with transaction.atomic():
            drawn = Group.objects.create(
                game=hall.ladder.game,
                owner=hall.players[0],
                most=4,
                is_drawn=True,
                access=Access.NOBODY,
                ends_at=clock.now() + timedelta(days=1),
            )
            Membership.objects.create(group=drawn, player=hall.players[0], place=0, most=4)
        time = RoundTime.objects.create(queue=hall.queue, at=clock.now().time(), zone="UTC")
        starts_at = clock.now() + timedelta(days=1)
        announced = Round.objects.create(queue=hall.queue, time=time, starts_at=starts_at)
    assert draw.end_due() == 0
    assert hold.hold_due_rounds() == 0
    assert hold.announce_rounds() == 0
    announced.refresh_from_db()
    assert announced.state == RoundState.ANNOUNCED
    assert Group.objects.filter(pk=drawn.pk).exists()
    assert timekeeping.begin_anew() == {}


def test_nobody_is_called_to_an_appointment_by_a_wrong_clock(
    wrong_clock: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = make_hall(players=2)
    challenge = _agreed(hall, *hall.players)
    with monkeypatch.context() as by_a_wrong_clock:
        by_a_wrong_clock.setattr(clock, "now", lambda: datetime.now(UTC) + YEAR)
        assert settle()["called"] == 0
    challenge.refresh_from_db()
    assert (challenge.reminded_at, challenge.called_at) == (None, None)


def _agreed(hall: Hall, first: Player, second: Player) -> Challenge:
    at = clock.now() + timedelta(days=1)
    made = make.challenge(player=first, other=second, wanted=Wanted(ladder=hall.ladder, at=at))
    return answer.accept(challenge_id=made.pk, player=second)
