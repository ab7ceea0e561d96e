"""Leaving a match, being away from it, failing servers, and matches that count no more."""

from datetime import timedelta

import pytest

from events.models import Event, Notice
from events.outbox import deliver
from foundation import clock
from matchmaking.conduct.absences import away, back
from matchmaking.conduct.leaving import KINDS, follow, judge, judge_absences
from matchmaking.conduct.moderation import confirm_bad_manners
from matchmaking.conduct.refusals import (
    NotAwayError,
    ServerTellsBackError,
    TooLateBackError,
)
from matchmaking.models import Absence, ConductRules, Offence, Teller
from ratings.matches import decide, report
from ratings.matches.refusals import NotInMatchError
from ratings.matches.result import Result
from ratings.models import Match
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db
SERVER, PLAYER = Teller.SERVER, Teller.PLAYER


class Table:
    """A hall whose players 0 and 1, or teams of two, are in a match."""

    def __init__(self, team_size: int = 1) -> None:
        self.hall = make_hall(team_size=team_size)
        numbers = range(2 * team_size)
        self.hall.join(*numbers)
        self.hall.sweep()
        for number in numbers:
            self.hall.accept(number)
        self.match = Match.objects.get()

    def id(self, number: int) -> int:
        return self.hall.players[number].pk

    def away(self, number: int, by: Teller = SERVER) -> Absence:
        with self.hall.at_now():
            return away(match_id=self.match.pk, player_id=self.id(number), by=by)

    def back(self, number: int, by: Teller = SERVER) -> Absence:
        with self.hall.at_now():
            return back(match_id=self.match.pk, player_id=self.id(number), by=by)

    def end(self, *left: int) -> None:
        """The server gives a result, by which these have left."""
        with self.hall.at_now():
            result = Result(ranks=(0, 1), left=frozenset(self.id(number) for number in left))
            decide.confirm_by_server(match_id=self.match.pk, result=result, server_key=None)
        self.tell()

    def tell(self) -> None:
        with self.hall.at_now():
            follow(list(Event.objects.order_by("pk").filter(kind__in=KINDS)))
            judge_absences()

    def wait(self, seconds: float) -> None:
        self.hall.wait(seconds)

    @property
    def charged(self) -> list[int]:
        numbers = {player.pk: number for number, player in enumerate(self.hall.players)}
        counted = Offence.objects.filter(taken_back_at=None).values_list("player", flat=True)
        return sorted(numbers[pk] for pk in counted)


@pytest.fixture
def table() -> Table:
    return Table()


class TestLeaving:
    def test_the_server_says_so(self, table: Table) -> None:
        table.wait(60)
        table.end(1)
        offence = Offence.objects.get()
        assert (offence.player_id, offence.kind, offence.match) == (
            table.id(1),
            "left",
            table.match,
        )
        assert offence.at == table.hall.now

    def test_nobody_has(self, table: Table) -> None:
        table.end()
        assert table.charged == []

    def test_judged_twice_it_counts_once(self, table: Table) -> None:
        table.end(1)
        with table.hall.at_now():
            judge([table.match.pk], clock.now())
        assert Offence.objects.count() == 1

    def test_giving_up(self, table: Table) -> None:
        with table.hall.at_now():
            report.leave(match_id=table.match.pk, player_id=table.id(0))
        table.tell()
        assert table.charged == [0]

    def test_matches_of_before_the_rules_are_not_judged(self, table: Table) -> None:
        since = table.match.played_at + timedelta(seconds=1)
        ConductRules.objects.create(game=table.hall.ladder.game, since=since)
        table.wait(60)
        table.end(1)
        assert table.charged == []

    def test_annulled_it_is_taken_back(self, table: Table) -> None:
        table.end(1)
        assert table.charged == [1]
        with table.hall.at_now():
            decide.annul(match_id=table.match.pk, by=None, note="The server cheated.")
        table.tell()
        assert table.charged == []
        assert Offence.objects.count() == 1

    def test_annulled_what_a_moderator_has_confirmed_stays(self, table: Table) -> None:
        with table.hall.at_now():
            player = table.hall.players[0]
            manners = confirm_bad_manners(player, table.match, by=None, reason="Rude words.")
        table.end(1)
        with table.hall.at_now():
            decide.annul(match_id=table.match.pk, by=None, note="The server cheated.")
        table.tell()
        assert list(Offence.objects.filter(taken_back_at=None)) == [manners]


class TestBeingAway:
    def test_back_in_time_costs_nothing(self, table: Table) -> None:
        table.away(1)
        table.wait(179)
        table.back(1)
        table.wait(600)
        table.end()
        assert table.charged == []

    def test_too_late_is_left(self, table: Table) -> None:
        table.away(1)
        table.wait(181)
        table.tell()
        assert table.charged == [1]
        (told,) = Notice.objects.filter(kind="match.gone")
        assert told.ids == {"match": table.match.pk, "player": table.id(1)}
        assert f"player:{table.id(0)}" in told.topics
        with pytest.raises(TooLateBackError):
            table.back(1)
        table.end(1)
        assert Offence.objects.count() == 1

    def test_the_match_ends_before_the_time_is_over(self, table: Table) -> None:
        table.away(1)
        table.wait(60)
        table.end()
        table.wait(600)
        table.tell()
        assert table.charged == []
        assert not Notice.objects.filter(kind="match.gone").exists()

    def test_two_requests_free_nobody_who_has_left(self, table: Table) -> None:
        table.away(1, PLAYER)
        table.back(1, PLAYER)
        table.end(1)
        assert table.charged == [1]

    def test_nor_does_being_away_by_the_own_word(self, table: Table) -> None:
        table.away(1, PLAYER)
        table.end(1)
        assert table.charged == [1]

    def test_whom_the_server_has_told_only_it_tells_back(self, table: Table) -> None:
        table.away(1, PLAYER)
        table.away(1, SERVER)
        with pytest.raises(ServerTellsBackError):
            table.back(1, PLAYER)
        assert table.back(1, SERVER).back_at == table.hall.now

    def test_the_same_again_gives_no_more_time(self, table: Table) -> None:
        until = table.away(1).until
        table.wait(100)
        assert table.away(1).until == until

    def test_back_again_changes_nothing(self, table: Table) -> None:
        table.away(1)
        back_at = table.back(1).back_at
        table.wait(600)
        assert table.back(1).back_at == back_at
        table.end()
        assert table.charged == []

    def test_only_while_the_match_runs(self, table: Table) -> None:
        with pytest.raises(NotAwayError):
            table.back(1)
        with table.hall.at_now(), pytest.raises(NotInMatchError):
            away(match_id=table.match.pk, player_id=table.id(2), by=SERVER)
        table.end()
        with pytest.raises(NotAwayError):
            table.away(1)

    def test_a_match_that_is_aborted_takes_it_back(self, table: Table) -> None:
        table.away(1)
        table.wait(200)
        table.tell()
        assert table.charged == [1]
        with table.hall.at_now():
            decide.abort(match_id=table.match.pk)
        table.tell()
        assert table.charged == []


class TestFailedServers:
    def test_most_drop_together_and_nobody_has_left(self) -> None:
        table = Table(team_size=2)
        table.away(0)
        table.wait(5)
        table.away(1)
        table.away(2)
        table.wait(300)
        table.tell()
        assert table.charged == []

    def test_who_had_left_before_is_charged(self) -> None:
        table = Table(team_size=2)
        table.away(0)
        table.wait(400)
        for number in (1, 2, 3):
            table.away(number)
        table.wait(400)
        table.tell()
        assert table.charged == [0]

    def test_a_result_by_which_all_have_left(self, table: Table) -> None:
        table.end(0, 1)
        assert table.charged == []

    def test_half_of_them_have(self) -> None:
        table = Table(team_size=2)
        table.end(0, 1)
        assert table.charged == [0, 1]


@pytest.mark.django_db(transaction=True)
def test_events_of_matches_arrive() -> None:
    table = Table()
    table.wait(60)
    with table.hall.at_now():
        result = Result(ranks=(0, 1), left=frozenset([table.id(1)]))
        decide.confirm_by_server(match_id=table.match.pk, result=result, server_key=None)
        deliver()
    assert table.charged == [1]


def test_a_leaver_of_two_matches_cools_off() -> None:
    hall: Hall = Table().hall
    table = Table.__new__(Table)
    table.hall, table.match = hall, Match.objects.get()
    table.end(1)
    hall.join(0, 1)
    hall.sweep()
    hall.wait(41)  # they have just met
    hall.beat(0, 1)
    hall.sweep()
    hall.accept(0)
    hall.accept(1)
    table.match = Match.objects.latest("pk")
    table.end(1)
    assert table.charged == [1, 1]
    assert Offence.objects.latest("pk").cools_until is not None
