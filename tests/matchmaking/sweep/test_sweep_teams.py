"""Sweeps of teams, of parties, and of everyone against everyone."""

import pytest

from matchmaking.models import Offer, Queue, Ticket
from matchmaking.sweep.pairing_context import PairingContext
from ratings.models import Facet, Match, Mode, SideEstimate
from ratings.tracks.parameters import create_track
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


class TestMapsAndSides:
    def test_the_weaker_plays_the_better_side_of_the_map_left(self) -> None:
        hall = make_hall(2, settings={"maps": {"names": "Canyon; River +80"}})
        hall.rate({0: 1500, 1: 1560})
        for number in (0, 1):
            hall.join(number, preferences={"maps": {"veto": ["Canyon"]}})
        hall.sweep()
        offer = Offer.objects.get()
        assert (offer.map, offer.is_neutral, hall.teams(offer)) == ("River", False, [{0}, {1}])
        assert offer.chance is not None
        assert offer.chance > 0.5
        hall.accept(0)
        match = hall.accept(1).match
        assert match is not None
        assert (match.map, match.is_neutral) == ("River", False)
        assert match.participants.get(team=0).player_id == hall.players[0].pk

    def test_a_map_without_a_better_side_is_neutral_ground(self) -> None:
        hall = make_hall(2, settings={"maps": {"names": "Moor +0"}}, accepts_by_itself=True)
        hall.join(0, 1)
        hall.sweep()
        assert (Match.objects.get().map, Match.objects.get().is_neutral) == ("Moor", True)

    def test_what_history_says_of_a_side_counts_where_the_operator_says_nothing(self) -> None:
        hall = make_hall(2, settings={"maps": {"names": "Canyon; River -20"}})
        for name, points in (("", 10.0), ("Canyon", 55.5), ("River", 99.0)):
            SideEstimate.objects.create(
                track=hall.track, map=name, points=points, games=80, rated_seq=80, as_of=hall.now
            )
        plan = PairingContext.of(hall.queue).plan
        assert plan.side_points == 10.0
        assert [one.advantage for one in plan.settings.game_maps] == [55.5, -20.0]

    def test_only_ladders_in_normal_mode_hide_who_is_weaker(self) -> None:
        plans = [
            PairingContext.of(make_hall(0, mode=mode).queue).plan
            for mode in (Mode.RANKED, Mode.NORMAL)
        ]
        assert [plan.hides_strength for plan in plans] == [False, True]


class TestCharacters:
    def test_whoever_has_chosen_one_is_matched_on_its_rating(self) -> None:
        hall = make_hall(3, gap_start=10, gap_per_second=0)
        apart = create_track(
            ladder=hall.ladder,
            system="elo",
            parameters={},
            period_days=None,
            shown=False,
            facet=Facet.CHARACTER,
        )
        hall.rate({0: 1500, 1: 1900, 2: 1900})
        hall.rate({0: 1900}, track=apart, facet="Mage")
        hall.join(0, character="Mage")
        hall.join(1, character="Monk")
        hall.sweep()
        assert hall.pairs() == {frozenset({0, 1})}

    def test_a_match_begins_with_what_its_players_chose(self) -> None:
        hall = make_hall(2)
        hall.join(0, character="Mage")
        hall.join(1)
        hall.sweep()
        hall.accept(0)
        match = hall.accept(1).match
        assert match is not None
        chosen = match.participants.values_list("player", "character")
        assert dict(chosen) == {hall.players[0].pk: "Mage", hall.players[1].pk: ""}


class TestWhyItWasMade:
    def test_it_is_kept_with_the_offer(self) -> None:
        hall = rated(make_hall(4, team_size=2), 30, 24, 28, 22)
        hall.join(0, 1, 2, 3)
        hall.wait(3)
        hall.sweep()
        record = Offer.objects.get().record
        assert (record["strategy"], record["waited"]) == ("filters", [3.0, 3.0, 3.0, 3.0])
        assert {"spread", "teams", "gap", "chance"} <= set(record)

    def test_with_a_match_that_began_at_once_too(self) -> None:
        hall = make_hall(2, accepts_by_itself=True)
        hall.join(0, 1)
        hall.sweep()
        assert Offer.objects.get().record["strategy"] == "filters"
