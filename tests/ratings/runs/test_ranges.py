"""Ladders on which matches have fewer teams, or smaller ones, than they may; and players who were not there."""

from typing import Any

import numpy as np
import pytest

from ratings.ledger.predictions import read_predictions
from ratings.models import MatchShape
from ratings.runs import position
from ratings.runs.load import UnratableMatchError
from ratings.systems import System
from ratings.tracks.parameters import current_version, system_of
from ratings.tracks.passed_over import passed_over
from ratings.tracks.sides import estimate_sides
from tests.ratings.arena import history_of
from tests.ratings.runs.test_team_runs import check, contest_of, one_by_one
from tests.ratings.squads import Fought, SquadArena, make_squads

pytestmark = pytest.mark.django_db


def open_squads(players: int = 10, **rules: Any) -> SquadArena:
    """Two to four teams of one to three."""
    return make_squads(players, teams=4, size=3, fewest_teams=2, smallest_team=1, **rules)


def drawn_fights(matches: int, players: int, *, days: float, seed: int = 5) -> list[Fought]:
    """Teams of any size that the ladder of `open_squads` lets meet, everyone with score and minutes."""
    random = np.random.default_rng(seed)
    history = []
    for day in np.sort(random.uniform(0, days, matches)).tolist():
        sizes = random.integers(1, 4, random.integers(2, 5)).tolist()
        while sum(sizes) > players:
            sizes.pop()
        line_up = np.split(random.permutation(players)[: sum(sizes)], np.cumsum(sizes)[:-1])
        ranks = random.integers(0, len(sizes), len(sizes))
        history.append(
            Fought(
                day,
                tuple(tuple(team.tolist()) for team in line_up),
                tuple((ranks - ranks.min()).tolist()),
                tuple(random.integers(0, 30, sum(sizes)).astype(float).tolist()),
                tuple(random.uniform(1, 20, sum(sizes)).tolist()),
            )
        )
    return history


def system_on(track: Any) -> System:
    return system_of(current_version(track), None)


@pytest.mark.parametrize("name", ["trueskill", "zonestats"])
def test_matches_of_any_shape_are_rated_in_their_turn(name: str) -> None:
    arena = open_squads()
    track = arena.track(name)
    history = drawn_fights(120, 10, days=9)
    assert len({tuple(map(len, one.teams)) for one in history}) > 20
    arena.fight(*history)
    arena.rate(track)
    by_hand = one_by_one(system_on(track), 10, history)
    check(arena.values(track), {who: float(by_hand.value[who]) for who in range(10)})


@pytest.mark.parametrize("days", [None, 2])
def test_runs_of_any_size_give_the_same(
    days: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pool, too, has grown at the same match."""
    arena = open_squads(pool_minimum=9, established_after=30)
    whole, cut = arena.track("trueskill", days=days), arena.track("trueskill", days=days)
    arena.fight(*drawn_fights(260, 10, days=30))
    arena.rate(whole)
    monkeypatch.setattr(position, "INSTANT_CHUNK", 42)
    monkeypatch.setattr(position, "PERIOD_CHUNK", 1)
    arena.rate(cut)
    assert cut.revision > whole.revision + 5
    check(history_of(cut), history_of(whole))
    assert whole.pool_grown_from == cut.pool_grown_from
    assert whole.pool_grown_from is not None
    assert whole.pool_grown_from > 0


def test_who_was_not_there_is_left_out() -> None:
    """Of both sides; a team of which nobody was there is none, and one team alone has met nobody."""
    arena = open_squads()
    track = arena.track("zonestats")
    arena.fight(
        Fought(1, ((0, 1), (2, 3)), (0, 1), (9, 1, 3, 2), (9, 0, 9, 9)),
        Fought(2, ((0, 1), (2,), (3,)), (0, 1, 2), (9, 1, 3, 2), (9, 9, 0, 9)),
        Fought(3, ((0, 1), (2, 3)), (0, 1), (9, 1, 3, 2), (9, 9, 0, 0)),
    )
    assert arena.rate(track).matches == 2
    as_if = [
        Fought(1, ((0,), (2, 3)), (0, 1), (9, 3, 2), (9, 9, 9)),
        Fought(2, ((0, 1), (3,)), (0, 1), (9, 1, 2), (9, 9, 9)),
    ]
    by_hand = one_by_one(system_on(track), 4, as_if)
    assert arena.values(track) == {who: by_hand.value[who] for who in range(4)}
    played = dict(track.ratings.values_list("player", "games"))
    assert [played[player.pk] for player in arena.players[:4]] == [2, 1, 1, 2]
    assert passed_over([track]) == {track.pk: 1}


def test_the_examples_of_the_source_with_an_open_door() -> None:
    """(500, 15, 20) (400, 37, 2) (500, 2, 20) → 17.211763, 5.576474, −22.788237; a fourth never came."""
    arena = open_squads()
    track = arena.track("zonestats")
    # A hundred points below the start: lost to somebody else in so many matches of 20 minutes.
    history = [Fought(day, ((9,), (1,)), (0, 1), (9, 1), (20, 20)) for day in range(1, 9)]
    arena.fight(*history)
    arena.rate(track)
    low = arena.values(track)[1]
    arena.fight(Fought(20, ((0,), (1,), (2,), (3,)), (0, 1, 2, 3), (15, 37, 2, 0), (20, 2, 20, 0)))
    arena.rate(track)
    found = arena.values(track)
    before = system_on(track).initial(4)
    before.value[1] = low
    fought = Fought(20, ((0,), (1,), (2,)), (0, 1, 2), (15, 37, 2), (20, 2, 20))
    after = system_on(track).rate(before, contest_of(fought))
    assert [found[who] for who in (0, 1, 2)] == [after.value[who] for who in (0, 1, 2)]
    assert 3 not in found
    assert sum(found.values()) == pytest.approx(500 * 4)


def test_predictions_follow_the_shape_of_each_match() -> None:
    arena = open_squads()
    track = arena.track("trueskill", days=4)
    arena.fight(Fought(1, ((0,), (1, 2), (3,)), (0, 1, 1)), Fought(2, ((2, 3), (1,)), (1, 0)))
    arena.rate(track)
    found = read_predictions(track)
    assert found.actual.tolist() == [1.0, 0.25, 0.25, 0.0, 1.0]
    assert len(set(found.match.tolist())) == 2
    assert found.predicted[3] + found.predicted[4] == pytest.approx(1.0)


def test_sides_of_unequal_teams_are_estimated() -> None:
    arena = make_squads(8, teams=2, size=3, smallest_team=1)
    track = arena.track("trueskill")
    random, history = np.random.default_rng(2), []
    for number in range(200):
        sizes = random.integers(1, 4, 2).tolist()
        line_up = np.split(random.permutation(8)[: sum(sizes)], [sizes[0]])
        ranks = (0, 1) if random.uniform() < 0.7 else (1, 0)
        teams = tuple(tuple(team.tolist()) for team in line_up)
        history.append(Fought(number / 10, teams, ranks))
    arena.fight(*history)
    arena.rate(track)
    overall = estimate_sides(track.pk)[0]
    assert overall.games == 200
    assert 1 < overall.points < 20  # and not the most there is, as where it were the same for both


@pytest.mark.parametrize(
    "wrong",
    [
        Fought(2, ((0, 1), ()), (0, 1)),
        Fought(2, ((0, 1, 2, 3), (4,)), (0, 1)),
        Fought(2, ((0,), (1,), (2,), (3,), (4,)), (0, 1, 2, 3, 4)),
        Fought(2, ((0,), (), (1,)), (0, 1, 1)),
    ],
)
def test_a_match_beyond_the_ladders_shape_is_named(wrong: Fought) -> None:
    arena = open_squads()
    track = arena.track("trueskill")
    arena.fight(Fought(1, ((0, 1), (2,)), (0, 1)), wrong)
    with pytest.raises(UnratableMatchError, match=r"match 2 .* 2 to 4 teams of 1 to 3"):
        arena.rate(track)


def test_shapes_in_words() -> None:
    assert str(MatchShape.exactly(2, 5)) == "2 teams of 5"
    assert str(MatchShape(16, 1, 2, 1)) == "2 to 16 teams of 1"
    assert MatchShape(4, 3, 2, 1).fits([1, 3])
    assert not MatchShape(4, 3, 2, 1).fits([4, 1])
    assert not MatchShape(4, 3, 2, 2).fits([1, 3])
    assert not MatchShape.exactly(2, 2).fits([2])
