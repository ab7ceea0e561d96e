"""Offences in a queue: declining, silence, what follows, and what fades."""

from datetime import timedelta

import pytest

from foundation import clock
from matchmaking.conduct import confirm_bad_manners, note_report, standing_of, take_back
from matchmaking.conduct.charge import reckon
from matchmaking.conduct.refusals import CoolingOffError, NotAvailableError, OffenceTakenBackError
from matchmaking.models import (
    Conduct,
    ConductRules,
    ConductStanding,
    Offence,
    OffenceKind,
    Offer,
    OfferTicket,
)
from matchmaking.tickets import lifecycle
from notifications.models import Notice
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db


def offered(hall: Hall, *numbers: int) -> None:
    """Let these players search, and be offered a match."""
    hall.join(*numbers)
    hall.sweep()
    assert hall.states(*numbers) == ["offered"] * len(numbers)


def score(hall: Hall, number: int) -> float:
    with hall.at_now():
        return standing_of([hall.players[number].pk])[hall.players[number].pk].score


def declined_twice() -> Hall:
    """Player 0 has declined two matches with player 1, and cools off."""
    hall = make_hall()
    offered(hall, 0, 1)
    hall.decline(0)
    hall.join(0)
    hall.sweep()
    hall.decline(0)
    return hall


class TestDeclining:
    def test_it_is_held_against_who_declines(self) -> None:
        hall = make_hall()
        offered(hall, 0, 1)
        hall.decline(0)
        offence = Offence.objects.get()
        assert (offence.player, offence.kind, offence.points) == (hall.players[0], "declined", 0.4)
        assert (offence.offer, offence.at, offence.cools_until) == (
            Offer.objects.get().pk,
            hall.now,
            None,
        )
        assert score(hall, 0) == pytest.approx(0.4)
        assert score(hall, 1) == 0

    def test_the_same_again_counts_once(self) -> None:
        hall = make_hall()
        offered(hall, 0, 1)
        hall.decline(0)
        hall.decline(0)
        assert Offence.objects.count() == 1

    def test_the_innocent_keeps_the_time_it_has_waited(self) -> None:
        hall = make_hall()
        hall.join(1)
        since = hall.ticket(1).waiting_since
        hall.wait(5)
        offered(hall, 0)
        hall.decline(0)
        assert hall.states(1) == ["waiting"]
        assert hall.ticket(1).waiting_since == since

    def test_cancelling_an_offered_search_is_declining(self) -> None:
        hall = make_hall()
        offered(hall, 0, 1)
        with hall.at_now():
            lifecycle.cancel(ticket_id=hall.tickets[0], declines=True)
        assert Offence.objects.get().kind == OffenceKind.DECLINED

    def test_ending_a_search_for_a_player_is_not(self) -> None:
        hall = make_hall()
        offered(hall, 0, 1)
        hall.cancel(0)
        assert not Offence.objects.exists()

    def test_silence(self) -> None:
        hall = make_hall()
        offered(hall, 0, 1)
        hall.accept(1)
        hall.wait(21)
        hall.sweep()
        offence = Offence.objects.get()
        assert (offence.player, offence.kind) == (hall.players[0], "silent")

    def test_of_a_party_it_is_the_leaders(self) -> None:
        """Whoever has joined a party once and is not there gave no sign, and had points and had to cool off for it."""
        hall = make_hall(team_size=2)
        hall.join_together(0, 1)
        hall.join_together(2, 3)
        hall.sweep()
        assert hall.states(0, 2) == ["offered"] * 2
        hall.accept(2)
        hall.wait(21)
        hall.sweep()
        offence = Offence.objects.get()
        assert (offence.player, offence.kind) == (hall.players[0], "silent")


class TestCoolingOff:
    def test_a_second_offence_cools_off(self) -> None:
        hall = declined_twice()
        until = hall.now + timedelta(minutes=10 * 0.8 / 0.7)
        standing = ConductStanding.objects.get(player=hall.players[0])
        assert standing.cooling_until is not None
        assert abs(standing.cooling_until - until) < timedelta(seconds=1)
        with pytest.raises(CoolingOffError) as refusal:
            hall.join(0)
        assert refusal.value.retry_after > 600
        hall.seconds += 12 * 60
        hall.join(0)

    def test_no_party_meanwhile(self) -> None:
        hall = make_hall(team_size=2)
        cool(hall, 0)
        with pytest.raises(CoolingOffError):
            hall.gather(0)
        party = hall.gather(1)
        from matchmaking.parties import lifecycle as parties

        with hall.at_now(), pytest.raises(CoolingOffError):
            parties.join_party(player=hall.players[0], code=party.code)

    def test_a_party_waits_for_its_worst_and_learns_no_more(self) -> None:
        hall = make_hall(team_size=2)
        party = hall.gather(1, 0)
        cool(hall, 0)
        with pytest.raises(NotAvailableError) as refusal:
            hall.join(1, party=party)
        assert hall.players[0].name not in str(refusal.value)
        assert refusal.value.extra == {}

    def test_a_search_that_runs_ends_at_the_next_sweep(self) -> None:
        hall = make_hall()
        hall.join(0, 1)
        cool(hall, 0)
        hall.sweep()
        assert hall.states(0, 1) == ["cancelled", "waiting"]

    def test_what_is_offered_cannot_be_accepted(self) -> None:
        hall = make_hall()
        offered(hall, 0, 1)
        cool(hall, 0)
        hall.accept(1)
        with pytest.raises(CoolingOffError):
            hall.accept(0)
        assert hall.states(0, 1) == ["cancelled", "waiting"]
        hall.check()

    def test_the_player_is_told(self) -> None:
        hall = declined_twice()
        told = Notice.objects.filter(player=hall.players[0]).order_by("pk")
        assert list(told.values_list("kind", flat=True)) == ["conduct.note", "conduct.cooling_off"]

    def test_taking_it_back_ends_it(self) -> None:
        hall = declined_twice()
        last = Offence.objects.latest("pk")
        with hall.at_now():
            take_back(last, None, "The queue was broken.")
            with pytest.raises(OffenceTakenBackError):
                take_back(last, None, "Again.")
        hall.join(0)
        assert score(hall, 0) == pytest.approx(0.4)


def cool(hall: Hall, number: int) -> None:
    """Let a player cool off."""
    with hall.at_now():
        for _time in range(2):
            confirm_bad_manners(hall.players[number], None, None, "Insults.")


class TestReckoning:
    def test_it_is_what_the_offences_say_whenever_it_is_reckoned(self) -> None:
        hall = declined_twice()
        hall.seconds += 86_400 * 3
        kept = score(hall, 0)
        assert kept == pytest.approx(0.8 * 0.5 ** (3 / 14), rel=1e-4)
        with hall.at_now():
            reckon([hall.players[0].pk], clock.now())
        assert score(hall, 0) == pytest.approx(kept, rel=1e-12)

    def test_an_operators_score_adds_up(self) -> None:
        hall = declined_twice()
        Conduct.objects.create(player=hall.players[0], score=2, as_of=hall.now)
        assert score(hall, 0) == pytest.approx(2.8)
        with hall.at_now():
            assert standing_of([hall.players[0].pk])[hall.players[0].pk].meets_like

    def test_nobody_is_charged_where_it_costs_nothing(self) -> None:
        hall = make_hall()
        ConductRules.objects.create(game=hall.ladder.game, declined=0)
        offered(hall, 0, 1)
        hall.decline(0)
        assert not Offence.objects.exists()

    def test_reports_count_once_a_reporter_and_only_so_many(self) -> None:
        hall = make_hall()
        accused, *others = hall.players
        with hall.at_now():
            assert note_report(accused, accused, None) is None
            assert note_report(accused, others[0], None) is not None
            assert note_report(accused, others[0], None) is None
            for other in others[1:]:
                note_report(accused, other, None)
        assert Offence.objects.count() == 3

    def test_like_players_meet_first(self) -> None:
        hall = make_hall()
        cool(hall, 0)
        hall.seconds += 3 * 3600
        hall.join(0, 1)
        hall.sweep()
        assert hall.states(0, 1) == ["waiting", "waiting"]
        hall.wait(41)
        hall.beat(0, 1)
        hall.sweep()
        assert hall.states(0, 1) == ["waiting", "waiting"]  # it has more points than it takes
        hall.wait(79)
        hall.beat(0, 1)
        hall.sweep()
        assert hall.states(0, 1) == ["offered", "offered"]
        assert OfferTicket.objects.count() == 2
