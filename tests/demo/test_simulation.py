"""The season as a pure simulation: believable, exact in number, the same for the same seed."""

from collections import Counter

import numpy as np
import pytest

from demo.formats import DUEL, FORMATS, FOUR
from demo.maps import MAPS, side_worth
from demo.season.matches import CONFIRMED, Season, simulate
from demo.season.names import names
from demo.season.people import gather
from foundation.names import skeleton_of


@pytest.fixture(scope="module")
def season() -> Season:
    return play(seed=3)


def play(seed: int, players: int = 60, matches: int = 1500, days: float = 30.0) -> Season:
    random = np.random.default_rng(seed)
    return simulate(gather(players, random), matches=matches, days=days, random=random)


def test_as_many_matches_as_asked_for_end_as_they_should(season: Season) -> None:
    states = Counter(match.state for match in season.matches)
    assert states[CONFIRMED] == 1500
    assert 0 < len(season.matches) - 1500 < 30
    assert {match.ladder for match in season.matches} == set(range(len(FORMATS)))


def test_matches_have_the_shape_of_their_ladder(season: Season) -> None:
    for match in season.matches:
        match_format = FORMATS[match.ladder]
        assert [len(team) for team in match.teams] == [match_format.size] * match_format.teams
        assert len(set(match.players)) == match_format.players
        assert min(match.ranks) == 0


def test_matches_are_played_on_the_maps_of_their_ladder(season: Season) -> None:
    played: dict[int, set[str]] = {}
    for match in season.matches:
        played.setdefault(match.ladder, set()).add(match.map)
    assert played == {
        place: set(match_format.maps) or {""} for place, match_format in enumerate(FORMATS)
    }


def test_the_first_team_wins_more_often_where_its_side_is_worth_much(season: Season) -> None:
    best, worst = max(MAPS, key=side_worth), min(MAPS, key=side_worth)

    def mean(name: str) -> float:
        firsts = [1 + m.ranks[1] - m.ranks[0] for m in season.matches if m.map == name]
        return sum(firsts) / len(firsts) / 2

    assert mean(best) > mean(worst) + 0.05


def test_friends_play_in_one_team_often_and_against_each_other_never(season: Season) -> None:
    friend = season.people.friend
    teams = [teams for match in season.matches if len((teams := match.teams)[0]) == 2]
    together = [friend[one] == other for pair in teams for one, other in pair]
    assert 0.1 < np.mean(together) < 0.7
    known = friend >= 0
    assert (friend[friend[known]] == np.flatnonzero(known)).all()


def test_nobody_plays_two_matches_at_once(season: Season) -> None:
    free = np.full(len(season.people), -1.0)
    for match in season.matches:
        for who in match.players:
            assert match.began >= free[who]
            free[who] = match.ended


def test_everything_lies_within_the_season(season: Season) -> None:
    assert all(
        0 <= match.began < match.ended < match.decided <= season.length for match in season.matches
    )
    began = [match.began for match in season.matches]
    assert began == sorted(began)
    assert season.matches[-1].decided > season.length - 6 * 3600


def test_nobody_plays_before_coming_or_after_leaving(season: Season) -> None:
    people = season.people
    for match in season.matches:
        at = match.began / season.length
        for who in match.players:
            assert people.arrives[who] <= at < people.leaves[who]
    assert (people.leaves < 0.7).any()
    assert (people.arrives > 0.9).any()


def test_the_strong_win_and_the_near_meet(season: Season) -> None:
    duels = [match for match in season.matches if FORMATS[match.ladder] == DUEL]
    gaps = [np.subtract(*season.strength[match.players]) for match in duels]
    scores = [(1 + match.ranks[1] - match.ranks[0]) / 2 for match in duels]
    assert np.corrcoef(gaps, scores)[0, 1] > 0.3
    anyone = np.abs(season.strength[:, None] - season.strength[None, :])
    assert np.median(np.abs(gaps)) < np.median(anyone[anyone > 0])
    assert 0.04 < np.mean([score == 0.5 for score in scores]) < 0.16


def test_the_stronger_finish_earlier_among_four(season: Season) -> None:
    fours = [match for match in season.matches if FORMATS[match.ladder] == FOUR]
    firsts = [match.players[match.ranks.index(0)] for match in fours]
    lasts = [match.players[match.ranks.index(max(match.ranks))] for match in fours]
    assert season.strength[firsts].mean() > season.strength[lasts].mean() + 30
    assert {max(match.ranks) for match in fours} >= {2, 3}


def test_who_leaves_early_is_among_the_last(season: Season) -> None:
    left = [match for match in season.matches if match.left is not None]
    assert left
    for match in left:
        (team,) = [team for team in match.teams if match.left in team]
        assert match.ranks[match.teams.index(team)] == max(match.ranks)


def test_the_same_seed_makes_the_same_season(season: Season) -> None:
    assert play(seed=3).matches == season.matches
    assert play(seed=4, matches=100).matches != play(seed=3, matches=100).matches


def test_names_differ_also_to_a_hasty_reader() -> None:
    cast = names(700)
    assert len(cast) == 700
    assert len({skeleton_of(name) for name in cast[:300]}) == 300
    assert len(set(cast)) == 700
    assert any(not name.isascii() for name in cast[:300])
