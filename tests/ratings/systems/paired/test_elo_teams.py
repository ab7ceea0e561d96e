"""Elo and Elo with normal performances: matches of teams and of more than two."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import Changes, Contests, Duels, Ratings, Status, create, parameters_of
from tests.ratings.systems import strategies
from tests.ratings.systems.paired import reference_paired
from tests.ratings.systems.paired.strategies_paired import contests
from tests.ratings.systems.reference import Rules
from tests.ratings.systems.teams import Fixture, as_contests

N = 9
NAMES = ["elo", "elo_normal"]
EQUAL_K = {
    "k_new": 32,
    "k_provisional": 32,
    "k_established": 32,
    "halve_against_provisional": False,
}


def pool(*values: float, games: list[int] | None = None) -> Ratings:
    played = np.array([0] * len(values) if games is None else games)
    return Ratings(np.array(values), None, None, played, played)


def match(*teams: list[int], ranks: list[int] | None = None) -> Contests:
    """One contest of these teams; the first is best unless ranks are given."""
    game: Fixture = [
        (rank, [(player, 1.0) for player in team])
        for rank, team in zip(ranks or range(len(teams)), teams, strict=True)
    ]
    return as_contests([game])


class TestGolden:
    """By hand, from E = 1 / (1 + 10^(-D / 400)): E(100) = 0.640065, E(200) = 0.759747, E(150) = 0.703385."""

    def test_three_equals(self) -> None:
        # K 32. First: (1 - ½ + 1 - ½) / 2 = ½, so +16; second: (0 - ½ + 1 - ½) / 2 = 0; last: -16.
        after = create("elo", **EQUAL_K).rate(pool(1500, 1500, 1500), match([0], [1], [2]))
        assert after.value.tolist() == [1516, 1500, 1484]
        assert after.games.tolist() == [1, 1, 1]

    def test_free_for_all_of_unequal_players(self) -> None:
        # 1600 last, 1500 first, 1400 second. 1500: (1 - 0.359935 + 1 - 0.640065) / 2 = 0.5.
        # 1600: -(0.640065 + 0.759747) / 2 = -0.699906. 1400: (-0.359935 + 1 - 0.240253) / 2 = 0.199906.
        games = match([0], [1], [2], ranks=[2, 0, 1])
        after = create("elo", **EQUAL_K).rate(pool(1600, 1500, 1400), games)
        wanted = [1600 - 22.396992, 1516, 1400 + 6.396992]
        assert after.value == pytest.approx(wanted, abs=2e-5)

    def test_teams_of_unequal_size(self) -> None:
        # Means 1550 and 1400: everybody of the first team was expected to score 0.703385, and lost.
        games = match([0, 1], [2], ranks=[1, 0])
        after = create("elo", **EQUAL_K).rate(pool(1600, 1500, 1400), games)
        wanted = [1600 - 22.508320, 1500 - 22.508320, 1400 + 22.508320]
        assert after.value == pytest.approx(wanted, abs=2e-5)

    def test_the_less_established_first(self) -> None:
        # Two provisional players at 1500 (K 32): 0 comes first, 2 ties with the established one at 1600 (K 16).
        # By the ratings before: 0 wins (1 - 0.359935 + 1 - 0.5) / 2 = 0.570033, so 1518.241040; 2 wins
        # (0 - 0.5 + 0.5 - 0.359935) / 2 = -0.179968, so 1494.241040. The established one against these:
        # E(81.758960) = 0.615536 and E(105.758960) = 0.647666, 16 · (0 - 0.615536 + 0.5 - 0.647666) / 2 = -6.105618.
        system = create("elo", k_provisional=32, k_established=16, halve_against_provisional=False)
        before = pool(1500, 1600, 1500, games=[5, 40, 5])
        after = system.rate(before, match([0], [1], [2], ranks=[0, 1, 1]))
        wanted = [1518.241040, 1593.894382, 1494.241040]
        assert after.value == pytest.approx(wanted, abs=1e-5)
        assert system.rate_event(before, match([0], [1], [2], ranks=[0, 1, 1])).value == (
            pytest.approx(after.value, abs=1e-9)
        )

    def test_k_is_halved_to_the_share_of_those_not_established(self) -> None:
        # 40 against a team of one established and one new: K 32 → 24. Equal means, so ½ is won: 12 points.
        before = pool(1500, 1500, 1500, games=[40, 40, 0])
        system = create("elo", k_established=32)
        _, changes = system.rate_explained(before, match([0], [1, 2]))
        assert changes.weight[:2].tolist() == [24, 32]
        # Who is established meets the newcomer's mate as he was, and the newcomer as 50 · ½ points lower.
        met = 1 / (1 + 10 ** (-12.5 / 400))
        assert changes.expected[0] == pytest.approx(met, abs=1e-12)

    def test_normal_performances(self) -> None:
        # α β √π = 24.814353; three equals: half of it for the first.
        after = create("elo_normal").rate(pool(1500, 1500, 1500), match([0], [1], [2]))
        assert after.value == pytest.approx([1512.407177, 1500, 1487.592823], abs=1e-6)


@given(
    strategies.elo_parameters(),
    strategies.ratings(N),
    contests(N),
    st.booleans(),
    st.booleans(),
)
def test_as_player_by_player(
    given: dict[str, object], before: Ratings, games: Contests, all_count: bool, at_once: bool
) -> None:
    system = create("elo", **given)
    whole = {one.name: one.default for one in parameters_of("elo")} | given
    wanted = reference_paired.players_of(before)
    play = reference_paired.elo_at_once if at_once else reference_paired.elo
    play(Rules(whole), wanted, games, all_count=all_count)
    rate = system.rate_event if at_once else system.rate
    after = rate(before, games, all_count=all_count)
    assert after.value == pytest.approx([player.value for player in wanted], abs=1e-8)
    assert after.games.tolist() == [player.games for player in wanted]
    assert after.counted.tolist() == [player.counted for player in wanted]


def same(one: Ratings, other: Ratings) -> None:
    for column in ("value", "games", "counted"):
        assert getattr(one, column).tolist() == getattr(other, column).tolist()


def same_changes(one: Changes, other: Changes) -> None:
    for column in ("game", "player", "opponent", "expected", "actual", "weight", "contribution"):
        assert getattr(one, column).tolist() == getattr(other, column).tolist(), column
    for column in ("value_before", "value_after", "status_before"):
        assert getattr(one, column).tolist() == getattr(other, column).tolist(), column


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "options", [{}, {"draw_nu": 0.7}, {"placement_games": 2}, {"k_by_rating": "edges"}]
)
@given(before=strategies.ratings(N), duels=strategies.duels(N), all_count=st.booleans())
def test_two_teams_of_one_are_a_duel_to_the_bit(
    name: str, options: dict[str, object], before: Ratings, duels: Duels, all_count: bool
) -> None:
    if name == "elo_normal" and options:
        options = {"alpha": 0.2}
    system, games = create(name, established_after=3, **options), Contests.of_duels(duels)
    told = system.rate_explained(before, duels, all_count=all_count)
    same(system.rate(before, games, all_count=all_count), told[0])
    again = system.rate_explained(before, games, all_count=all_count)
    same(again[0], told[0])
    same_changes(again[1], told[1])
    told = system.rate_event_explained(before, duels, all_count=all_count)
    again = system.rate_event_explained(before, games, all_count=all_count)
    same(system.rate_event(before, games, all_count=all_count), told[0])
    same(again[0], told[0])
    same_changes(again[1], told[1])
    sums = [system.rate_event_summed(before, it, all_count=all_count)[1] for it in (duels, games)]
    assert sums[0].expected.tolist() == sums[1].expected.tolist()
    assert sums[0].weight.tolist() == sums[1].weight.tolist()
    first = system.expected(before, duels.first, duels.second)
    assert system.expected_of(before, games)[::2].tolist() == first.tolist()


@pytest.mark.parametrize("name", NAMES)
@given(before=strategies.ratings(N), games=contests(N, most=12), all_count=st.booleans())
def test_same_bits_whatever_the_batches(
    name: str, before: Ratings, games: Contests, all_count: bool
) -> None:
    system = create(name, established_after=2)
    whole, changes = system.rate_explained(before, games, all_count=all_count)
    same(system.rate(before, games, all_count=all_count), whole)
    state, found = before, []
    for start in range(len(games)):
        state, some = system.rate_explained(
            state, games.part(start, start + 1), all_count=all_count
        )
        found += some.contribution.tolist()
    same(state, whole)
    assert found == changes.contribution.tolist()


def test_same_bits_in_waves_of_many() -> None:
    """Contests of every size among many players, so that waves hold several kinds, and pieces of pairs."""
    random, rows = np.random.default_rng(3), []
    for contest in range(400):
        sizes = random.integers(1, 4, random.integers(2, 9)).tolist()
        who = iter(random.permutation(3000)[: sum(sizes)].tolist())
        for team, size in enumerate(sizes):
            rank = int(random.integers(0, len(sizes)))
            rows += [(contest, team, next(who), rank) for _ in range(size)]
    games = Contests(*np.array(rows).T)
    played = random.integers(0, 60, 3000)
    before = Ratings(random.normal(1500, 200, 3000), None, None, played, played)
    for name in NAMES:
        system = create(name)
        state = before
        for start in range(len(games)):
            state = system.rate(state, games.part(start, start + 1))
        same(system.rate(before, games), state)


@pytest.mark.parametrize("name", NAMES)
@given(before=strategies.ratings(N), games=contests(N), data=st.data())
def test_order_of_teams_members_and_names_does_not_matter(
    name: str, before: Ratings, games: Contests, data: st.DataObject
) -> None:
    system = create(name, established_after=5)
    turned = as_contests(
        [
            [
                (rank, [(one, 1.0) for one in data.draw(st.permutations(team))])
                for rank, team in data.draw(st.permutations(game))
            ]
            for game in reference_paired.listed(games)
        ]
    )
    places = data.draw(st.permutations(range(N)))
    renamed = replace(games, player=np.argsort(places)[games.player])
    for rate in (system.rate, system.rate_event):
        wanted = rate(before, games)
        after = rate(before, turned)
        assert after.value == pytest.approx(wanted.value, abs=1e-9)
        assert after.counted.tolist() == wanted.counted.tolist()
        same(rate(before.take(places), renamed), wanted.take(places))


@pytest.mark.parametrize("name", NAMES)
@given(before=strategies.ratings(N, high_up=True), games=contests(N), at_once=st.booleans())
def test_free_for_all_is_zero_sum_where_every_k_is_equal(
    name: str, before: Ratings, games: Contests, at_once: bool
) -> None:
    """Of players of one status, and of teams of one size: what each team wins the others lose."""
    before = Ratings(before.value, None, None, np.full(N, 40), np.full(N, 40))
    system = create(name, **(EQUAL_K if name == "elo" else {}))
    alone = [
        [(rank, [(team[0], 1.0)]) for rank, team in game] for game in reference_paired.listed(games)
    ]
    after = (system.rate_event if at_once else system.rate)(before, as_contests(alone))
    assert after.value.sum() == pytest.approx(before.value.sum(), abs=1e-8)
    # Teams of unequal size: the points of each team, one member for all, add up to nothing.
    _, changes = system.rate_explained(before, games.part(0, 1))
    heads = np.flatnonzero(np.diff(changes.game * 0 + games.part(0, 1).team, prepend=-1))
    assert changes.contribution[heads].sum() == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize("name", NAMES)
@given(games=contests(N), value=st.floats(0, 3000))
def test_equals_who_tie_stay(name: str, games: Contests, value: float) -> None:
    before = Ratings(np.full(N, value), None, None, np.full(N, 3), np.zeros(N, dtype=np.int64))
    level = replace(games, rank=games.rank * 0)
    system = create(name)
    assert system.rate(before, level).value == pytest.approx(before.value, abs=1e-9)
    assert system.rate_event(before, level).value == pytest.approx(before.value, abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
@given(before=strategies.ratings(N, high_up=True), games=contests(N), at_once=st.booleans())
def test_changes_explain_the_change(
    name: str, before: Ratings, games: Contests, at_once: bool
) -> None:
    system = create(name, established_after=5)
    after, changes = (system.rate_event_explained if at_once else system.rate_explained)(
        before, games
    )
    gained = np.bincount(changes.player, weights=changes.contribution, minlength=N)
    assert after.value - before.value == pytest.approx(gained, abs=1e-8)
    points = changes.weight * (changes.actual - changes.expected)
    assert changes.contribution == pytest.approx(points, abs=1e-9)
    assert ((changes.expected >= 0) & (changes.expected <= 1)).all()
    # Who met one only is told who that was.
    for row in range(len(changes)):
        rivals = games.player[
            (games.contest == changes.game[row]) & (games.team != games.team[row])
        ]
        assert changes.opponent[row] == (rivals[0] if len(rivals) == 1 else -1)


@pytest.mark.parametrize("name", NAMES)
def test_the_share_of_a_match_that_somebody_played_is_not_looked_at(name: str) -> None:
    system, before = create(name), pool(1500, 1600, 1400, 1700)
    game = match([0, 1], [2, 3])
    part = replace(game, weight=np.array([0.1, 1.0, 0.0, 0.5]))
    same(system.rate(before, part), system.rate(before, game))
    assert system.expected_of(before, part).tolist() == system.expected_of(before, game).tolist()


@pytest.mark.parametrize("name", NAMES)
def test_expectations_are_means_over_the_other_teams(name: str) -> None:
    system, before = create(name), pool(1500, 1600, 1400, 1700)
    found = system.expected_of(before, match([0, 1], [2], [3]))
    team = Ratings(
        np.array([1550.0, 1400.0, 1700.0]), None, None, np.zeros(3, int), np.zeros(3, int)
    )
    pairs = system.expected(team, [0, 0, 1], [1, 2, 2])
    wanted = [
        (pairs[0] + pairs[1]) / 2,
        (1 - pairs[0] + pairs[2]) / 2,
        (2 - pairs[1] - pairs[2]) / 2,
    ]
    assert found == pytest.approx([wanted[0], wanted[0], wanted[1], wanted[2]], abs=1e-12)


def test_draws_are_a_result_of_their_own_between_two_teams_only() -> None:
    """ν 1 at 200 points: E 0.681993; of three the plain curve, (0.759747 + 0.5) / 2."""
    before, system = pool(1700, 1500, 1700), create("elo", draw_nu=1.0, side_gamma=0.7)
    assert system.expected_of(before, match([0], [1]))[0] == pytest.approx(0.681993, abs=1e-6)
    three = system.expected_of(before, match([0], [1], [2]))
    assert three[0] == pytest.approx((0.759747 + 0.5) / 2, abs=1e-6)
    both = as_contests([[(0, [(0, 1.0)]), (1, [(1, 1.0)])], [(n, [(n, 1.0)]) for n in range(3)]])
    assert system.expected_of(before, both).tolist()[2:] == three.tolist()


def test_placement_by_contests() -> None:
    """A newcomer, first and second among two rated players: 3 of 4 against 1600 on average."""
    before = pool(1500, 1500, 1700, games=[0, 40, 40])
    games = as_contests(
        [
            [(0, [(0, 1.0)]), (1, [(1, 1.0)]), (2, [(2, 1.0)])],
            [(1, [(0, 1.0)]), (0, [(1, 1.0)]), (2, [(2, 1.0)])],
        ]
    )
    system = create("elo", placement_games=2)
    after, changes = system.rate_event_explained(before, games)
    assert after.value[0] == pytest.approx(1600 + 190.848502, abs=1e-6)
    assert changes.contribution[changes.player == 0].sum() == pytest.approx(290.848502, abs=1e-6)
    # Among players of whom one is new it says nothing.
    unknown = Ratings(before.value, None, None, np.array([0, 0, 40]), np.array([0, 0, 40]))
    assert system.rate_event(unknown, games).value[0] < 1600


@pytest.mark.parametrize("name", NAMES)
def test_extremes_stay_finite(name: str) -> None:
    before = Ratings(
        np.array([1.7e308, 1.7e308, -1.7e308, 0.0]),
        None,
        None,
        np.array([0, 5, 40, 40]),
        np.array([0, 5, 40, 40]),
    )
    system, game = create(name), match([0, 1], [2], [3])
    for rate in (system.rate, system.rate_event):
        assert np.isfinite(rate(before, game).value).all()
    assert np.isfinite(system.expected_of(before, game)).all()
    assert not math.isnan(system.rate_explained(before, game)[1].contribution.sum())
    nothing = as_contests([])
    same(system.rate(before, nothing), before)
    same(system.rate_event(before, nothing), before)
    with pytest.raises(ValueError, match="player 3: must be below 2"):
        system.rate(before.take([0, 1]), game)
    assert system.status(before).tolist() == [Status.NEW, Status.PROVISIONAL, 2, 2]
