"""TrueSkill: published figures, time, status, prediction, explanation."""

import math

import numpy as np
import pytest

from ratings.systems import Contests, Duels, ParameterError, Ratings, create
from ratings.systems.trueskill import conservative
from tests.ratings.systems.teams import Fixture, as_contests

WON = Duels(np.array([0]), np.array([1]), np.array([1.0]))
DRAWN = Duels(np.array([0]), np.array([1]), np.array([0.5]))
# One wins, a pair and another one tie behind.
THREE_TEAMS: Fixture = [(0, [(0, 1.0)]), (1, [(1, 1.0), (2, 1.0)]), (1, [(3, 1.0)])]


def players(*rows: tuple[float, float], games: int = 0) -> Ratings:
    value, deviation = np.array(rows).T
    played = np.full(len(rows), games)
    return Ratings(value, deviation, None, played, played)


def deviation(ratings: Ratings) -> np.ndarray:
    assert ratings.deviation is not None
    return ratings.deviation


class TestRate:
    def test_a_win(self) -> None:
        trueskill = create("trueskill")
        after = trueskill.rate(trueskill.initial(2), WON)
        assert after.value == pytest.approx([29.395832, 20.604168], abs=5e-7)
        assert deviation(after) == pytest.approx([7.171476, 7.171476], abs=5e-7)

    def test_a_draw(self) -> None:
        trueskill = create("trueskill")
        after = trueskill.rate(trueskill.initial(2), DRAWN)
        assert after.value == pytest.approx([25, 25], abs=1e-12)
        assert deviation(after) == pytest.approx([6.457516, 6.457516], abs=5e-7)

    def test_three_teams(self) -> None:
        """Published with messages that had settled to 1e-4 only: hence 1e-6 for the last one."""
        trueskill = create("trueskill")
        after = trueskill.rate(trueskill.initial(4), as_contests([THREE_TEAMS]))
        assert after.value == pytest.approx([32.754842, 15.749828, 15.749828, 26.495329], abs=1e-6)
        assert deviation(after) == pytest.approx([6.614067, 6.934114, 6.934114, 6.288841], abs=1e-6)

    def test_a_score_above_one_half_is_a_win(self) -> None:
        trueskill, before = create("trueskill"), players((25, 5), (27, 3))
        for score, same_as in ((0.51, 1.0), (0.49, 0.0)):
            rated = [
                trueskill.rate(before, Duels(np.array([0]), np.array([1]), np.array([s])))
                for s in (score, same_as)
            ]
            assert rated[0].value.tolist() == rated[1].value.tolist()

    def test_who_did_not_play_is_unchanged(self) -> None:
        before = players((25, 5), (25, 5), (1e300, 0.0))
        for rate in (create("trueskill").rate, create("trueskill").rate_event):
            after = rate(before, WON)
            assert (after.value[2], deviation(after)[2], after.games[2]) == (1e300, 0.0, 0)
            assert after.games.tolist() == [1, 1, 0]

    def test_who_took_no_part_only_becomes_less_certain(self) -> None:
        game: Fixture = [(0, [(0, 1.0), (1, 0.0)]), (1, [(2, 1.0)])]
        before = players((25, 5), (40, 4), (25, 5))
        after, changes = create("trueskill").rate_explained(before, as_contests([game]))
        assert after.value[1] == 40
        assert deviation(after)[1] == pytest.approx(math.hypot(4, 25 / 300))
        assert changes.weight[1] == changes.contribution[1] == 0

    def test_partial_play_moves_less(self) -> None:
        game: Fixture = [(0, [(0, 1.0), (1, 0.5)]), (1, [(2, 1.0)])]
        trueskill = create("trueskill")
        after = trueskill.rate(trueskill.initial(3), as_contests([game]))
        assert (after.value[1] - 25) == pytest.approx(0.75 * (after.value[0] - 25))

    def test_deviation_stays_above_the_floor(self) -> None:
        before = players((25, 1), (25, 0.2))
        for rate in (
            create("trueskill", deviation_min=1).rate,
            create("trueskill", deviation_min=1).rate_event,
        ):
            assert deviation(rate(before, WON)).tolist() == [1, 1]

    def test_no_games_change_nothing(self) -> None:
        trueskill, before = create("trueskill"), players((25, 5), (30, 2))
        for nothing in (Duels(*np.empty((3, 0)).astype(int)), as_contests([])):
            for rate in (trueskill.rate_explained, trueskill.rate_event_explained):
                after, changes = rate(before, nothing)
                assert after.value.tolist() == [25, 30]
                assert len(changes) == 0

    def test_ratings_without_deviation_are_refused(self) -> None:
        with pytest.raises(ValueError, match="no deviation"):
            create("trueskill").rate(create("elo").initial(2), WON)

    def test_players_beyond_the_ratings_are_refused(self) -> None:
        trueskill = create("trueskill")
        for results in (WON, as_contests([THREE_TEAMS])):
            with pytest.raises(ValueError, match="names player"):
                trueskill.rate(trueskill.initial(1), results)
        with pytest.raises(ValueError, match="names player"):
            trueskill.expected_of(trueskill.initial(1), as_contests([THREE_TEAMS]))


class TestEvent:
    def test_information_of_all_games_is_added_up(self) -> None:
        trueskill, before = create("trueskill"), players((25, 8), (28, 5), (20, 3))
        games = Duels(np.array([0, 2]), np.array([1, 0]), np.array([1.0, 0.5]))
        prior = 64 + (25 / 300) ** 2
        precision, pull = 1 / prior, 25 / prior
        for game in range(2):
            alone = trueskill.rate(before, games.part(game, game + 1))
            known = 1 / deviation(alone)[0] ** 2
            precision += known - 1 / prior
            pull += known * alone.value[0] - 25 / prior
        after = trueskill.rate_event(before, games)
        assert after.value[0] == pytest.approx(pull / precision, abs=1e-9)
        assert deviation(after)[0] == pytest.approx(precision**-0.5, abs=1e-9)

    def test_counts_as_the_instant_way_does(self) -> None:
        trueskill = create("trueskill", provisional_deviation=6)
        before = players((25, 5), (25, 7), (25, 5), games=30)
        games = as_contests([[(0, [(0, 1.0), (1, 1.0)]), (1, [(2, 1.0)])]])
        for rate in (trueskill.rate, trueskill.rate_event):
            assert rate(before, games).counted.tolist() == [31, 31, 31]
            assert rate(before, WON).counted.tolist() == [30, 31, 30]
            assert rate(before, WON, all_count=True).counted.tolist() == [31, 31, 30]


class TestExplained:
    def test_of_three_teams(self) -> None:
        trueskill = create("trueskill")
        after, changes = trueskill.rate_explained(trueskill.initial(4), as_contests([THREE_TEAMS]))
        assert changes.actual.tolist() == [1, 0.25, 0.25, 0.25]
        assert changes.opponent.tolist() == [-1, -1, -1, -1]
        assert changes.value_before + changes.contribution == pytest.approx(changes.value_after)
        assert changes.value_after.tolist() == after.value.tolist()
        assert changes.deviation_after is not None
        assert changes.deviation_after.tolist() == deviation(after).tolist()
        assert changes.expected == pytest.approx(
            trueskill.expected_of(trueskill.initial(4), as_contests([THREE_TEAMS]))
        )

    def test_the_only_opponent_is_named(self) -> None:
        game: Fixture = [(0, [(2, 1.0), (1, 1.0)]), (1, [(0, 1.0)])]
        trueskill = create("trueskill")
        _, changes = trueskill.rate_explained(trueskill.initial(3), as_contests([game]))
        assert changes.opponent.tolist() == [0, 0, -1]

    def test_a_result_that_was_expected_has_a_weight_too(self) -> None:
        trueskill = create("trueskill")
        _, changes = trueskill.rate_explained(trueskill.initial(2), DRAWN)
        spread = math.sqrt(2 * (25 / 3) ** 2 + 2 * (25 / 6) ** 2)
        assert changes.weight == pytest.approx([(25 / 3) ** 2 / spread] * 2)
        assert changes.contribution == pytest.approx([0, 0], abs=1e-12)

    def test_contests_with_different_numbers_of_teams_keep_their_rows(self) -> None:
        pair: Fixture = [(1, [(0, 1.0)]), (0, [(3, 1.0)])]
        trueskill = create("trueskill")
        _, changes = trueskill.rate_explained(
            trueskill.initial(4), as_contests([THREE_TEAMS, pair])
        )
        assert changes.game.tolist() == [0, 0, 0, 0, 1, 1]
        assert changes.player.tolist() == [0, 1, 2, 3, 0, 3]
        assert changes.value_before[4:].tolist() == changes.value_after[[0, 3]].tolist()
        assert changes.actual[4:].tolist() == [0, 1]


class TestPrediction:
    def test_winning_and_half_of_drawing(self) -> None:
        before = players((30, 2), (25, 7))
        spread = math.sqrt(4 + 49 + 2 * (25 / 6) ** 2)
        margin = 0.12566134685507416 * math.sqrt(2) * 25 / 6
        win, loss = (
            (1 + math.erf((ahead - margin) / spread / math.sqrt(2))) / 2 for ahead in (5, -5)
        )
        chance = create("trueskill").expected(before, [0], [1])
        assert chance[0] == pytest.approx(win + (1 - win - loss) / 2)

    def test_uncertainty_moves_a_prediction_towards_even(self) -> None:
        before = players((30, 2), (25, 2), (25, 8))
        sure, unsure = create("trueskill").expected(before, [0, 0], [1, 2])
        assert 0.5 < unsure < sure

    def test_teams_are_sums(self) -> None:
        """The second and the third of the first team shared a seat."""
        before = players((30, 2), (10, 3), (25, 2), (10, 3))
        game: Fixture = [(0, [(0, 1.0), (1, 0.5), (3, 0.5)]), (1, [(2, 1.0)])]
        alone: Fixture = [(0, [(0, 1.0)]), (1, [(2, 1.0)])]
        trueskill = create("trueskill", draw_probability=0)
        both = trueskill.expected_of(before, as_contests([game, alone]))
        beta = (25 / 6) ** 2
        spread = math.sqrt(4 + beta + 2 * (9 + beta) / 4 + 4 + beta)
        wanted = (1 + math.erf(15 / spread / 2**0.5)) / 2
        assert both[0] == both[1] == both[2] == pytest.approx(wanted)
        assert both[4] == trueskill.expected(before, [0], [2])[0]

    def test_what_is_above_as_good_as_surely(self) -> None:
        assert conservative(players((25, 25 / 3), (30, 2))) == pytest.approx([0, 24])


class TestTime:
    def test_nobody_is_forgotten_unless_told(self) -> None:
        before = players((25, 2), (25, 9))
        assert deviation(create("trueskill").age(before, 1e300)).tolist() == [2, 9]
        assert create("trueskill").periods_until(np.array([1.0, 3.0]), 2).tolist() == [math.inf, 0]

    def test_growth(self) -> None:
        trueskill = create("trueskill", growth=0.5)
        aged = trueskill.age(players((25, 2), (25, 2), (25, 9)), np.array([4.0, 1e300, 1.0]))
        assert deviation(aged).tolist() == [math.sqrt(5), 25 / 3, 9]
        periods = trueskill.periods_until(np.array([2.0]), 2.5)
        assert deviation(trueskill.age(players((25, 2)), periods))[0] == pytest.approx(2.5)
        assert trueskill.periods_until(np.array([2.0]), 9).tolist() == [math.inf]

    @pytest.mark.parametrize("periods", [-1, math.nan, math.inf])
    def test_impossible_times_are_refused(self, periods: float) -> None:
        with pytest.raises(ValueError, match="periods"):
            create("trueskill").age(players((25, 2)), periods)


class TestStatus:
    def test_a_vague_rating_is_provisional(self) -> None:
        before = players((25, 2.5), (25, 2.6), games=30)
        assert create("trueskill").status(before).tolist() == [2, 1]
        tuned = create("trueskill", provisional_deviation=3, established_after=31)
        assert tuned.status(before).tolist() == [1, 1]

    def test_new_before_the_first_game(self) -> None:
        assert create("trueskill").status(create("trueskill").initial(2)).tolist() == [0, 0]

    def test_changes_within_a_stream(self) -> None:
        trueskill = create("trueskill", established_after=2, provisional_deviation=10)
        games = Duels(np.zeros(4, int), np.ones(4, int), np.array([1, 0, 1, 0.5]))
        _, changes = trueskill.rate_explained(trueskill.initial(2), games, all_count=True)
        assert changes.status_before.tolist() == [0, 0, 1, 1, 2, 2, 2, 2]


def test_a_new_player_is_less_certain_than_the_floor() -> None:
    with pytest.raises(ParameterError, match=r"^deviation_start = 2\.0: must be above deviation_"):
        create("trueskill", deviation_start=2, deviation_min=3)


def crowd(seed: int, players: int, games: int) -> Contests:
    """Many contests of two to four teams of one to three, some players in many of them."""
    random = np.random.default_rng(seed)
    fixtures: list[Fixture] = []
    for _ in range(games):
        k = int(random.integers(2, 5))
        sizes = random.integers(1, 4, k)
        pool = players if random.random() < 0.5 else max(players // 10, 12)
        who = iter(random.permutation(pool)[: sizes.sum()].tolist())
        fixtures.append(
            [(rank, [(next(who), 1.0) for _ in range(s)]) for rank, s in enumerate(sizes)]
        )
    return as_contests(fixtures)


@pytest.mark.parametrize(("players", "games"), [(12, 100), (200, 400), (1000, 800)])
def test_waves_keep_the_sequence(players: int, games: int) -> None:
    trueskill, contests = create("trueskill"), crowd(3, players, games)
    at_once = trueskill.rate(trueskill.initial(players), contests)
    batched = trueskill.initial(players)
    for start in range(0, games, 397):
        batched = trueskill.rate(batched, contests.part(start, min(start + 397, games)))
    assert batched.value == pytest.approx(at_once.value, rel=1e-12)
    assert deviation(batched) == pytest.approx(deviation(at_once), rel=1e-12)
    assert batched.games.tolist() == np.bincount(contests.player, minlength=players).tolist()
