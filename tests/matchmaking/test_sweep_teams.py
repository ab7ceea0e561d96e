"""Sweeps of teams, of parties, and of everyone against everyone."""

import pytest

from matchmaking.models import Offer, Queue, Ticket
from ratings.models import Match
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db


def rated(hall: Hall, *values: float) -> Hall:
    """Give players these ratings, by their number; TrueSkill's scale is about 25 wide."""
    hall.rate(dict(enumerate(values)), deviation=2.0)
    return hall


class TestTwoAgainstTwo:
    def test_four_alone_are_offered_a_match_of_even_teams(self) -> None:
        hall = rated(make_hall(4, team_size=2), 30, 24, 28, 22)
        hall.join(0, 1, 2, 3)
        report = hall.sweep()
        assert (report.waiting, report.offers) == (4, 1)
        offer = Offer.objects.get()
        assert {frozenset(team) for team in hall.teams(offer)} == {
            frozenset({0, 3}),
            frozenset({1, 2}),
        }
        assert offer.gap == 0.0
        assert offer.chance == pytest.approx(0.5)
        assert hall.states(0, 1, 2, 3) == ["offered"] * 4
        hall.check()

    def test_three_wait_on(self) -> None:
        hall = make_hall(3, team_size=2)
        hall.join(0, 1, 2)
        assert hall.sweep().offers == 0

    def test_a_party_stays_in_one_team(self) -> None:
        hall = rated(make_hall(4, team_size=2), 30, 30, 20, 20)
        hall.join_together(0, 1)
        hall.join(2, 3)
        hall.sweep()
        (offer,) = Offer.objects.all()
        assert {frozenset(team) for team in hall.teams(offer)} == {
            frozenset({0, 1}),
            frozenset({2, 3}),
        }
        hall.check()

    def test_with_the_last_acceptance_the_match_begins(self) -> None:
        hall = make_hall(4, team_size=2)
        hall.join_together(0, 1)
        hall.join(2, 3)
        hall.sweep()
        assert hall.accept(2).state == "pending"
        assert hall.accept(1).state == "pending"  # a member answers for the whole party
        offer = hall.accept(3)
        assert offer.state == "accepted"
        assert offer.match is not None
        seats = offer.match.participants.values_list("player", "team")
        assert dict(seats) == {
            hall.players[number].pk: team
            for team, numbers in enumerate(hall.teams(offer))
            for number in numbers
        }
        assert hall.states(0, 1, 2, 3) == ["matched"] * 4
        hall.check()

    def test_whoever_declines_ends_the_search_of_its_party_only(self) -> None:
        hall = make_hall(4, team_size=2)
        hall.join_together(0, 1)
        hall.join(2, 3)
        hall.sweep()
        hall.accept(2)
        hall.decline(1)
        assert hall.states(0, 2, 3) == ["cancelled", "waiting", "waiting"]
        hall.check()

    def test_a_party_of_which_somebody_plays_is_left_out_whole(self) -> None:
        hall = make_hall(7, team_size=2)
        hall.join_together(0, 1)
        hall.join(2, 3)
        match = hall.put_into_match(1, 4, against=[5, 6])
        assert (hall.sweep().waiting, hall.sweep().offers) == (2, 0)
        match.participants.update(playing=False)
        assert (hall.sweep().offers, hall.states(0)) == (1, ["offered"])

    def test_of_a_silent_party_all_are_free_again(self) -> None:
        hall = make_hall(4, team_size=2, heartbeat_seconds=60)
        hall.join_together(0, 1)
        hall.wait(61)
        assert hall.sweep().expired_tickets == 1
        hall.check()
        hall.join(0, 1)


class TestFiveAgainstFive:
    def test_parties_of_all_sizes_fill_two_teams(self) -> None:
        hall = make_hall(10, team_size=5)
        hall.join_together(0, 1, 2)
        hall.join_together(3, 4)
        hall.join_together(5, 6, 7, 8)
        hall.join(9)
        assert hall.sweep().offers == 1
        teams = hall.teams(Offer.objects.get())
        assert sorted(map(len, teams)) == [5, 5]
        assert {frozenset(team) for team in teams} == {
            frozenset({0, 1, 2, 3, 4}),
            frozenset({5, 6, 7, 8, 9}),
        }
        hall.check()

    def test_matches_begin_at_once_where_the_queue_accepts_by_itself(self) -> None:
        hall = make_hall(20, team_size=5, accepts_by_itself=True)
        hall.join_together(0, 1, 2)
        hall.join_together(3, 4)
        hall.join(*range(5, 20))
        report = hall.sweep()
        assert (report.offers, report.matches) == (2, 2)
        assert sorted(match.participants.count() for match in Match.objects.all()) == [10, 10]
        assert hall.states(*range(20)) == ["matched"] * 20
        hall.check()


class TestEveryoneAgainstEveryone:
    def test_four_teams_of_one(self) -> None:
        hall = rated(make_hall(9, team_count=4), 25, 26, 24, 25, 25, 24, 26, 25, 25)
        hall.join(*range(9))
        assert hall.sweep().offers == 2
        for offer in Offer.objects.all():
            assert [len(team) for team in hall.teams(offer)] == [1, 1, 1, 1]
            assert offer.chance is None
        assert Ticket.objects.filter(state="waiting").count() == 1
        hall.check()

    def test_all_accept(self) -> None:
        hall = make_hall(3, team_count=3)
        hall.join(0, 1, 2)
        hall.sweep()
        assert [hall.accept(number).state for number in (2, 0, 1)] == [
            "pending",
            "pending",
            "accepted",
        ]
        match = Match.objects.get()
        assert sorted(match.participants.values_list("team", flat=True)) == [0, 1, 2]


class TestWhatIsWrittenDown:
    def test_the_rating_that_a_ticket_was_paired_by(self) -> None:
        hall = rated(make_hall(4, team_size=2), 30, 20, 25, 25)
        Queue.objects.update(settings={"teams": {"party_bonus": 3}})
        hall.join_together(0, 1)
        hall.join(2, 3)
        hall.sweep()
        assert [hall.ticket(number).rating for number in (0, 2, 3)] == [28.0, 25.0, 25.0]
