"""The season as a pure simulation: believable, exact in number, the same for the same seed."""

from collections import Counter

import numpy as np
import pytest

from demo.season.matches import CONFIRMED, Season, simulate
from demo.season.names import names
from demo.season.people import gather
from ratings.naming import skeleton_of


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
    assert {match.ladder for match in season.matches} == {0, 1, 2}


def test_nobody_plays_two_matches_at_once(season: Season) -> None:
    free = np.full(len(season.people), -1.0)
    for match in season.matches:
        for who in (match.first, match.second):
            assert match.began >= free[who]
            free[who] = match.ended
        assert match.first != match.second


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
        for who in (match.first, match.second):
            assert people.arrives[who] <= at < people.leaves[who]
    assert (people.leaves < 0.7).any()
    assert (people.arrives > 0.9).any()


def test_the_strong_win_and_the_near_meet(season: Season) -> None:
    gaps = [
        season.strength[match.first] - season.strength[match.second] for match in season.matches
    ]
    scores = [match.score for match in season.matches]
    assert np.corrcoef(gaps, scores)[0, 1] > 0.3
    anyone = np.abs(season.strength[:, None] - season.strength[None, :])
    assert np.median(np.abs(gaps)) < np.median(anyone[anyone > 0])
    assert 0.04 < np.mean([score == 0.5 for score in scores]) < 0.16
    left = [match for match in season.matches if match.left is not None]
    assert left
    assert all(match.left == (match.second if match.score == 1 else match.first) for match in left)


def test_the_same_seed_makes_the_same_season(season: Season) -> None:
    assert play(seed=3).matches == season.matches
    assert play(seed=4).matches != season.matches


def test_names_differ_also_to_a_hasty_reader() -> None:
    cast = names(700)
    assert len(cast) == 700
    assert len({skeleton_of(name) for name in cast[:300]}) == 300
    assert len(set(cast)) == 700
    assert any(not name.isascii() for name in cast[:300])
