"""Glicko and Glicko-2: matches of teams and of more than two."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import Contests, Duels, PeriodSystem, Ratings, create
from ratings.systems.glicko2 import Glicko2
from tests.ratings.systems import strategies
from tests.ratings.systems.paired import reference_paired
from tests.ratings.systems.paired.strategies_paired import contests
from tests.ratings.systems.teams import as_contests

N = 8
NAMES = ["glicko", "glicko2"]


def deviation_of(ratings: Ratings) -> np.ndarray:
    assert ratings.deviation is not None
    return ratings.deviation


def pool(*players: tuple[float, float]) -> Ratings:
    """Ratings and deviations of players who have played nothing."""
    value, deviation = np.array(players, dtype=float).T
    nothing = np.zeros(len(value), dtype=np.int64)
    return Ratings(value, deviation, np.full(len(value), 0.06), nothing, nothing)


# The golden game of the source as one match: against (1400, 30), (1550, 100) and (1700, 300), won, lost, lost.
FOUR = pool((1500, 200), (1400, 30), (1550, 100), (1700, 300))
PLACES = as_contests([[(1, [(0, 1.0)]), (2, [(1, 1.0)]), (0, [(2, 1.0)]), (0, [(3, 1.0)])]])


class TestGolden:
    def test_a_match_of_four_is_a_third_of_each_game(self) -> None:
        # Of the three games r' = 1464.106463, RD' = 151.398902: 1/RD'² = 1/200² + 1/d² gives 1/d² = 1.862692e-5, and
        # q Σ g(w - E) = (1464.106463 - 1500) / 151.398902² = -1.565924e-3. A third of both:
        # RD'² = 1 / (1/200² + 6.208973e-6) = 32042.067, RD' = 179.002980; r' = 1500 - 32042.067 · 5.219748e-4.
        after = create("glicko").rate(FOUR, PLACES)
        assert deviation_of(after)[0] == pytest.approx(179.002980, abs=1e-5)
        assert after.value[0] == pytest.approx(1483.274848, abs=1e-5)
        assert after.games.tolist() == [1, 1, 1, 1]

    def test_teams_have_the_deviation_of_their_mean(self) -> None:
        # √(60² + 80²) / 2 = 50 and (1600 + 1400) / 2 = 1500: two of them are as one of 1500 ± 50.
        mates = pool((1500, 100), (1600, 60), (1400, 80))
        game = as_contests([[(0, [(0, 1.0)]), (1, [(1, 1.0), (2, 1.0)])]])
        alone = pool((1500, 100), (1500, 50))
        single = Contests.of_duels(Duels(*(np.array([it]) for it in (0, 1, 1.0))))
        for name in NAMES:
            system = create(name)
            after, wanted = system.rate(mates, game), system.rate(alone, single)
            assert after.value[0] == pytest.approx(wanted.value[0], abs=1e-9)
            assert deviation_of(after)[0] == pytest.approx(deviation_of(wanted)[0], abs=1e-9)
            # Each member is moved by its own variance: the less certain one more.
            lost = mates.value - after.value
            assert lost[2] > lost[1] > 0
            both = system.expected_of(mates, game)
            assert both[0] == pytest.approx(0.5)
            assert system.expected_of(FOUR, PLACES).sum() == pytest.approx(2.0)


@given(strategies.ratings(N, with_deviation=True, high_up=True), contests(N, most=5))
def test_glicko_as_player_by_player(before: Ratings, games: Contests) -> None:
    after = create("glicko").rate(before, games)
    wanted = np.array(reference_paired.glicko(before, games))
    assert after.value == pytest.approx(wanted[:, 0], abs=1e-7)
    assert deviation_of(after) == pytest.approx(wanted[:, 1], abs=1e-7)


@given(
    strategies.ratings(N, with_deviation=True, high_up=True),
    contests(N, most=5),
    st.floats(0.02, 0.14),
)
def test_glicko2_as_player_by_player(before: Ratings, games: Contests, volatility: float) -> None:
    before = replace(before, volatility=np.full(N, volatility))
    after = create("glicko2", volatility_max=1.0).rate(before, games)
    wanted = np.array(reference_paired.glicko2(before, games))
    assert after.value == pytest.approx(wanted[:, 0], abs=1e-3)
    assert deviation_of(after) == pytest.approx(wanted[:, 1], abs=1e-3)
    assert after.volatility == pytest.approx(wanted[:, 2], abs=1e-5)


@pytest.mark.parametrize("name", NAMES)
@given(
    before=strategies.ratings(N, with_deviation=True, high_up=True),
    duels=strategies.duels(N),
    all_count=st.booleans(),
)
def test_two_teams_of_one_are_a_duel_to_the_bit(
    name: str, before: Ratings, duels: Duels, all_count: bool
) -> None:
    system, games = create(name, established_after=3, side_advantage=40.0), Contests.of_duels(duels)
    assert isinstance(system, PeriodSystem)
    wanted, changes = system.rate_event_explained(before, duels, all_count=all_count)
    after, again = system.rate_event_explained(before, games, all_count=all_count)
    summed = [system.rate_event_summed(before, it, all_count=all_count) for it in (duels, games)]
    for column in ("value", "deviation", "volatility", "games", "counted"):
        if (right := getattr(wanted, column)) is not None:
            for found in (after, summed[1][0], system.rate(before, games, all_count=all_count)):
                assert getattr(found, column).tolist() == right.tolist(), column
    columns = [
        "game",
        "player",
        "opponent",
        "expected",
        "actual",
        "weight",
        "contribution",
        "worth",
    ]
    for column in (*columns, "value_before", "value_after", "status_before"):
        assert getattr(again, column).tolist() == getattr(changes, column).tolist(), column
    for column in ("expected", "actual", "weight", "worth", "status_before"):
        one, other = (getattr(sums, column).tolist() for _, sums in summed)
        assert one == other, column
    first = system.expected(before, duels.first, duels.second)
    assert system.expected_of(before, games)[::2].tolist() == first.tolist()


@pytest.mark.parametrize("name", NAMES)
@given(
    before=strategies.ratings(N, with_deviation=True, high_up=True),
    games=contests(N),
    data=st.data(),
)
def test_order_of_matches_teams_members_and_names_does_not_matter(
    name: str, before: Ratings, games: Contests, data: st.DataObject
) -> None:
    system = create(name, established_after=5)
    turned = as_contests(
        [
            [
                (rank, [(one, 1.0) for one in data.draw(st.permutations(team))])
                for rank, team in data.draw(st.permutations(game))
            ]
            for game in data.draw(st.permutations(reference_paired.listed(games)))
        ]
    )
    places = data.draw(st.permutations(range(N)))
    renamed = replace(games, player=np.argsort(places)[games.player])
    wanted = system.rate(before, games)
    pairs = (
        (system.rate(before, turned), wanted),
        (
            system.rate(before.take(places), renamed),
            wanted.take(places),
        ),
    )
    for after, right in pairs:
        assert after.value == pytest.approx(right.value, abs=1e-7)
        assert deviation_of(after) == pytest.approx(deviation_of(right), abs=1e-7)
        assert after.counted.tolist() == right.counted.tolist()


@pytest.mark.parametrize("name", NAMES)
@given(games=contests(N), value=st.floats(0, 3000), deviation=st.floats(30, 350))
def test_equals_who_tie_stay(name: str, games: Contests, value: float, deviation: float) -> None:
    before = pool(*[(value, deviation)] * N)
    after = create(name).rate(before, replace(games, rank=games.rank * 0))
    assert after.value == pytest.approx(before.value, abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
@given(before=strategies.ratings(N, with_deviation=True, high_up=True), games=contests(N))
def test_a_match_alone_is_told_as_among_all(name: str, before: Ratings, games: Contests) -> None:
    system = create(name)
    assert isinstance(system, PeriodSystem)
    after, whole = system.rate_event_explained(before, games)
    gained = np.bincount(whole.player, weights=whole.contribution, minlength=N)
    assert after.value - before.value == pytest.approx(gained, abs=1e-8)
    points = whole.weight * (whole.actual - whole.expected)
    is_told = np.abs(whole.actual - whole.expected) > 1e-9
    assert whole.contribution[is_told] == pytest.approx(points[is_told], abs=1e-9)
    assert ((whole.expected >= 0) & (whole.expected <= 1)).all()
    assert whole.worth is not None
    worth = np.zeros(N)
    worth[whole.player] = whole.worth
    for game in range(len(games)):
        alone = system.explain_games(before, games.part(game, game + 1), worth)
        rows = whole.game == game
        for column in ("player", "opponent", "expected", "actual", "status_before"):
            assert getattr(alone, column).tolist() == getattr(whole, column)[rows].tolist()
        assert alone.contribution == pytest.approx(whole.contribution[rows], abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_sums_are_of_matches_not_of_pairs(name: str) -> None:
    _, sums = create(name).rate_event_summed(FOUR, PLACES)
    assert sums.actual == pytest.approx([1 / 3, 0, 5 / 6, 5 / 6])
    assert sums.expected.sum() == pytest.approx(2.0, abs=0.1)
    _, changes = create(name).rate_event_explained(FOUR, PLACES)
    assert sums.expected == pytest.approx(changes.expected)
    assert sums.worth is not None
    assert changes.worth is not None
    # The weight of a period is the mean of what a full surprise against each other team is worth.
    g = 1 / np.sqrt(1 + 3 * reference_paired.Q**2 * deviation_of(FOUR) ** 2 / np.pi**2)
    others = (g.sum() - g) / 3
    assert sums.weight == pytest.approx(sums.worth * others, rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_few_of_many_are_rated_as_among_themselves(name: str) -> None:
    many, system = 5000, create(name)
    start = system.initial(many)
    who = np.array([17, 4321, 999, 4])
    games = replace(PLACES, player=who)
    after = system.rate(start, games)
    assert after.take(who).value.tolist() == system.rate(start.take(who), PLACES).value.tolist()
    idle = np.delete(np.arange(many), who)
    assert (after.value[idle] == 1500).all()
    assert after.games.sum() == 4
    with pytest.raises(ValueError, match="player 4321: must be below 100"):
        system.rate(system.initial(100), games)


def test_a_match_counts_once_and_against_somebody_established() -> None:
    system = create("glicko", established_after=2)
    played = np.array([5, 5, 0, 0])
    before = Ratings(FOUR.value, np.full(4, 60.0), None, played, played)
    teams = as_contests([[(0, [(0, 1.0), (2, 1.0)]), (1, [(1, 1.0)]), (2, [(3, 1.0)])]])
    after = system.rate(before, teams)
    assert after.games.tolist() == [6, 6, 1, 1]
    assert after.counted.tolist() == [6, 6, 1, 1]
    # A team mate who is established does not make it count.
    only = Ratings(
        FOUR.value, np.full(4, 60.0), None, np.array([5, 0, 0, 0]), np.array([5, 0, 0, 0])
    )
    assert system.rate(only, teams).counted.tolist() == [5, 1, 0, 1]
    assert system.rate(only, teams, all_count=True).counted.tolist() == [6, 1, 1, 1]


def test_volatilities_of_contests_are_told_too() -> None:
    system = create("glicko2")
    assert isinstance(system, Glicko2)
    after, settled = system.rate_settled(FOUR, PLACES)
    assert after.volatility is not None
    assert settled.volatility.tolist() == after.volatility.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_extremes_stay_finite(name: str) -> None:
    before = pool((1.7e308, 350), (1.7e308, 30), (-1.7e308, 350), (0, 1e5))
    game = as_contests([[(0, [(0, 1.0), (1, 1.0)]), (1, [(2, 1.0)]), (2, [(3, 1.0)])]])
    after = create(name).rate(before, game)
    assert np.isfinite(after.value).all()
    assert np.isfinite(deviation_of(after)).all()
    assert np.isfinite(create(name).expected_of(before, game)).all()
    nothing = as_contests([])
    assert create(name).rate(FOUR, nothing).value.tolist() == FOUR.value.tolist()
    assert create(name).expected_of(FOUR, nothing).tolist() == []
