"""TrueSkill: what holds for every input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.systems import Contests, Duels, Ratings, create, parameters_of
from ratings.systems.trueskill import TrueSkill, TrueSkillParameters
from ratings.systems.trueskill.prediction import margin_per_root
from tests.ratings.systems import strategies
from tests.ratings.systems.teams import Fixture, as_contests, fixtures, parts, skills
from tests.ratings.systems.trueskill.trueskill_reference import Member, Settings, rate_contest

N = 8
GAMES = st.lists(fixtures(N), max_size=6)
DRAWS = st.sampled_from([0.0, 0.1, 0.5, 0.999, 0.999999])
# Ratings a thousand deviations apart, and deviations from next to nothing to as good as unknown.
FAR = skills(N, value=st.floats(-5000, 5000), deviation=st.floats(0.02, 5))
ANY = skills(
    N,
    value=st.floats(allow_nan=False, allow_infinity=False),
    deviation=st.floats(0, allow_nan=False, allow_infinity=False),
)


def deviation(ratings: Ratings) -> np.ndarray:
    assert ratings.deviation is not None
    return ratings.deviation


def rate_exactly(system: TrueSkill, before: Ratings, game: Fixture) -> list[tuple[float, float]]:
    own = system.settings
    rules = Settings(own.beta, own.tau, margin_per_root(own))
    teams = [
        [
            Member(before.value[who], deviation(before)[who], *part)
            for (who, _), part in zip(team, parted, strict=True)
        ]
        for (_, team), parted in zip(game, parts(game), strict=True)
    ]
    rated = rate_contest(rules, teams, [rank for rank, _ in game])
    return [member for team in rated for member in team]


def check_against_reference(system: TrueSkill, before: Ratings, game: Fixture) -> None:
    after = system.rate(before, as_contests([game]))
    players = [who for _, team in game for who, _ in team]
    wanted = np.array(rate_exactly(system, before, game))
    scale = 1 + np.abs(before.value).max()
    assert np.abs(after.value[players] - wanted[:, 0]).max() <= 1e-9 * scale
    wide = np.maximum(wanted[:, 1], system.settings.deviation_min)
    assert deviation(after)[players] == pytest.approx(wide, rel=1e-9)


def build(**parameters: float) -> TrueSkill:
    return TrueSkill(TrueSkillParameters.build(parameters))


@settings(max_examples=25)
@given(skills(N), fixtures(N), DRAWS)
def test_one_contest_equals_the_reference(before: Ratings, game: Fixture, draws: float) -> None:
    # Nobody takes part with no weight in a team of nobody: that has no exact answer.
    game = [(rank, [(who, max(weight, 0.01)) for who, weight in team]) for rank, team in game]
    check_against_reference(build(draw_probability=draws), before, game)


@settings(max_examples=25)
@given(FAR, fixtures(N, most_teams=3), DRAWS)
def test_a_thousand_deviations_apart_too(before: Ratings, game: Fixture, draws: float) -> None:
    game = [(rank, [(who, max(weight, 0.01)) for who, weight in team]) for rank, team in game]
    check_against_reference(build(draw_probability=draws), before, game)


@given(ANY, GAMES, DRAWS)
def test_finite_for_every_finite_rating(
    before: Ratings, games: list[Fixture], draws: float
) -> None:
    system, contests = create("trueskill", draw_probability=draws), as_contests(games)
    for rate in (system.rate_explained, system.rate_event_explained):
        after, changes = rate(before, contests)
        assert np.isfinite(after.value).all()
        assert np.isfinite(deviation(after)).all()
        assert np.isfinite(changes.weight).all()
        assert np.isfinite(changes.contribution).all()
    assert np.isfinite(system.expected_of(before, contests)).all()


@given(ANY, strategies.duels(N))
def test_finite_in_duels_too(before: Ratings, games: Duels) -> None:
    system = create("trueskill")
    for rate in (system.rate_explained, system.rate_event_explained):
        after, changes = rate(before, games)
        assert np.isfinite(after.value).all()
        assert np.isfinite(changes.weight).all()


@given(skills(N), GAMES, st.booleans())
def test_batches_equal_game_by_game(before: Ratings, games: list[Fixture], all_count: bool) -> None:
    system, contests = create("trueskill", established_after=3), as_contests(games)
    at_once, changes = system.rate_explained(before, contests, all_count=all_count)
    one_by_one, rows = before, []
    for game in range(len(contests)):
        one = contests.part(game, game + 1)
        one_by_one, row = system.rate_explained(one_by_one, one, all_count=all_count)
        rows.append(row)
    assert one_by_one.value == pytest.approx(at_once.value, rel=1e-12)
    assert deviation(one_by_one) == pytest.approx(deviation(at_once), rel=1e-12)
    assert one_by_one.counted.tolist() == at_once.counted.tolist()
    assert one_by_one.games.tolist() == at_once.games.tolist()
    for name in ("expected", "actual", "contribution", "value_before", "value_after"):
        wanted = [figure for row in rows for figure in getattr(row, name)]
        assert getattr(changes, name) == pytest.approx(wanted, rel=1e-9, abs=1e-11), name
    assert changes.status_before.tolist() == [s for row in rows for s in row.status_before]


@given(skills(N), strategies.duels(N), st.booleans())
def test_duels_are_contests_of_two(before: Ratings, games: Duels, all_count: bool) -> None:
    system, contests = create("trueskill", established_after=3), Contests.of_duels(games)
    for rate in (system.rate_explained, system.rate_event_explained):
        after, changes = rate(before, games, all_count=all_count)
        same, rows = rate(before, contests, all_count=all_count)
        assert same.value == pytest.approx(after.value, rel=1e-12)
        assert deviation(same) == pytest.approx(deviation(after), rel=1e-12)
        assert same.counted.tolist() == after.counted.tolist()
        assert rows.opponent.tolist() == changes.opponent.tolist()
        assert rows.actual.tolist() == changes.actual.tolist()
        assert rows.expected == pytest.approx(changes.expected, rel=1e-12)


@given(skills(N), fixtures(N, ties=False), st.randoms(use_true_random=False))
def test_order_of_teams_and_members_does_not_matter(
    before: Ratings, game: Fixture, random: st.DataObject
) -> None:
    shuffled = [(rank, list(team)) for rank, team in game]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    for _, team in shuffled:
        random.shuffle(team)  # type: ignore[attr-defined]
    system = create("trueskill")
    for rate in (system.rate, system.rate_event):
        one, other = (rate(before, as_contests([g])) for g in (game, shuffled))
        assert one.value == pytest.approx(other.value, abs=1e-9)
        assert deviation(one) == pytest.approx(deviation(other), abs=1e-9)


@given(skills(N), fixtures(N))
def test_one_contest_is_an_event_of_one(before: Ratings, game: Fixture) -> None:
    system, contests = create("trueskill"), as_contests([game])
    instant, event = system.rate(before, contests), system.rate_event(before, contests)
    assert instant.value == pytest.approx(event.value, rel=1e-11)
    assert deviation(instant) == pytest.approx(deviation(event), rel=1e-11)


@given(skills(N), GAMES, st.randoms(use_true_random=False))
def test_the_order_of_simultaneous_games_does_not_matter(
    before: Ratings, games: list[Fixture], random: st.DataObject
) -> None:
    system, shuffled = create("trueskill"), list(games)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = (system.rate_event(before, as_contests(g)) for g in (games, shuffled))
    assert one.value == pytest.approx(other.value, rel=1e-11)
    assert deviation(one) == pytest.approx(deviation(other), rel=1e-11)


@given(skills(2), DRAWS)
def test_winners_never_fall_and_everybody_is_surer(before: Ratings, draws: float) -> None:
    system = create("trueskill", draw_probability=draws)
    after = system.rate(before, Duels(np.array([0]), np.array([1]), np.array([1.0])))
    assert after.value[0] >= before.value[0]
    assert after.value[1] <= before.value[1]
    tau = system.parameters["tau"]
    assert isinstance(tau, float)
    assert (deviation(after) <= np.hypot(deviation(before), tau) * (1 + 1e-15)).all()


@given(skills(N), GAMES, DRAWS)
def test_predictions_sum_to_one(before: Ratings, games: list[Fixture], draws: float) -> None:
    system, contests = create("trueskill", draw_probability=draws), as_contests(games)
    everybody = np.arange(N)
    one, other = (system.expected(before, a, b) for a, b in ((everybody, 3), (3, everybody)))
    assert one + other == pytest.approx(np.ones(N), abs=1e-15)
    expected = system.expected_of(before, contests)
    assert (expected >= 0).all()
    assert (expected <= 1).all()
    for contest, game in enumerate(games):
        rows = np.flatnonzero(contests.contest == contest)
        _, first = np.unique(contests.team[rows], return_index=True)
        assert expected[rows][first].sum() == pytest.approx(len(game) / 2)


@given(skills(N), GAMES)
def test_contributions_add_up_to_the_change_of_an_event(
    before: Ratings, games: list[Fixture]
) -> None:
    after, changes = create("trueskill").rate_event_explained(before, as_contests(games))
    gained = np.bincount(changes.player, changes.contribution, N)
    assert before.value + gained == pytest.approx(after.value, abs=1e-9)
    points = changes.weight * (changes.actual - changes.expected)
    surprising = np.abs(changes.actual - changes.expected) > 1e-9
    assert points[surprising] == pytest.approx(changes.contribution[surprising], abs=1e-9)


RANGES = {
    parameter.name: st.sampled_from([parameter.minimum, parameter.default, parameter.maximum])
    for parameter in parameters_of("trueskill")
    if parameter.name != "deviation_start"  # it must lie above the smallest one
}


@given(st.fixed_dictionaries(RANGES), GAMES)
def test_finite_at_the_ends_of_every_parameter(
    given: dict[str, object], games: list[Fixture]
) -> None:
    given["deviation_min"] = min(float(str(given["deviation_min"])), 9999.0)
    system, contests = create("trueskill", deviation_start=10_000, **given), as_contests(games)
    before = system.age(system.initial(N), 3.5)
    for rate in (system.rate_explained, system.rate_event_explained):
        after, changes = rate(before, contests)
        again, _ = rate(after, contests)
        assert np.isfinite(again.value).all()
        assert np.isfinite(changes.weight).all()
        assert (deviation(again) >= given["deviation_min"]).all()
