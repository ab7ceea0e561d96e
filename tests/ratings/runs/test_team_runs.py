"""Rating runs on ladders of teams and of everybody against everybody."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from ratings.ledger.predictions import read_predictions
from ratings.models import Participant, RatingTrack
from ratings.runs import position
from ratings.runs.load import UnratableMatchError
from ratings.systems import Contests, Ratings, System
from ratings.tracks.parameters import current_version, system_of
from tests.ratings.arena import history_of
from tests.ratings.replays import annul, rate_all, replays, story_of
from tests.ratings.squads import Fought, SquadArena, make_squads, random_fights

pytestmark = pytest.mark.django_db
SHAPES = [(2, 2), (2, 3), (4, 1), (3, 2)]
# TrueSkill's last bits depend on the library of C, and so on how its arrays are cut.
CLOSE: dict[str, Any] = {"rel": 1e-11, "abs": 1e-11}


def contest_of(fought: Fought) -> Contests:
    """One match as the core takes it, players by number and in the order of their ids."""
    rows = [(team, who) for team, them in enumerate(fought.teams) for who in sorted(them)]
    written = [who for them in fought.teams for who in them]
    places = [written.index(who) for _, who in rows]
    return Contests(
        np.zeros(len(rows), dtype=np.int64),
        np.array([team for team, _ in rows]),
        np.array([who for _, who in rows]),
        np.array([fought.ranks[team] for team, _ in rows]),
        _weights(fought, places),
        np.array(fought.scores)[places] if fought.scores else None,
        np.array(fought.minutes)[places] if fought.minutes else None,
    )


def _weights(fought: Fought, places: Sequence[int]) -> Any:
    if fought.minutes is None:
        return None
    minutes = np.array(fought.minutes)[places]
    return minutes / minutes.max()


def joined(history: Sequence[Fought]) -> Contests:
    """Several matches as one set of contests."""
    parts = [contest_of(one) for one in history]
    columns = [
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("team", "player", "rank", "weight")
    ]
    contest = np.repeat(np.arange(len(parts)), [len(part.player) for part in parts])
    return Contests(contest, *columns)


def one_by_one(system: System, players: int, history: Sequence[Fought]) -> Ratings:
    """Each match by a call of its own."""
    known = system.initial(players)
    for fought in history:
        known = system.rate(known, contest_of(fought))
    return known


def check(found: object, told: object) -> None:
    """Both hold the same, figures but for their last bits."""
    if isinstance(told, float):
        assert found == pytest.approx(told, **CLOSE)
    elif isinstance(told, dict):
        assert isinstance(found, dict)
        assert found.keys() == told.keys()
        for key, value in told.items():
            check(found[key], value)
    elif isinstance(told, list | tuple):
        assert isinstance(found, list | tuple)
        assert len(found) == len(told)
        for mine, theirs in zip(found, told, strict=True):
            check(mine, theirs)
    else:
        assert found == told


def rated(track: RatingTrack, arena: SquadArena) -> dict[int, tuple[float, float | None]]:
    numbers = {player.pk: number for number, player in enumerate(arena.players)}
    rows = track.ratings.values_list("player_id", "value", "deviation")
    return {numbers[pk]: (value, deviation) for pk, value, deviation in rows}


@pytest.mark.parametrize(("teams", "size"), SHAPES)
def test_each_match_is_rated_in_its_turn(teams: int, size: int) -> None:
    arena = make_squads(12, teams=teams, size=size)
    track = arena.track("trueskill", shown=True)
    history = random_fights(150, 12, days=30, teams=teams, size=size)
    arena.fight(*history)
    assert arena.rate(track).matches == 150
    by_hand = one_by_one(system_of(current_version(track), None), 12, history)
    assert by_hand.deviation is not None
    for who, (value, deviation) in rated(track, arena).items():
        assert value == pytest.approx(by_hand.value[who], **CLOSE)
        assert deviation == pytest.approx(by_hand.deviation[who], **CLOSE)
    assert track.changes.count() == 150 * teams * size
    assert not track.changes.filter(deviation_before=None).exists()
    assert sum(track.ratings.values_list("games", flat=True)) == 150 * teams * size


def test_periods_rate_all_their_matches_together() -> None:
    arena = make_squads(8)
    track = arena.track("trueskill", days=5)
    history = random_fights(120, 8, days=20)
    arena.fight(*history)
    arena.rate(track, day=20)
    system = system_of(current_version(track), 5)
    known = system.initial(8)
    for number in range(4):
        played = [one for one in history if one.day // 5 == number]
        known = system.rate_event(system.age(known, 1.0 if number else 0.0), joined(played))
    for who, (value, _) in rated(track, arena).items():
        assert value == pytest.approx(known.value[who], **CLOSE)
    assert track.periods.count() == 4
    assert sum(track.periods.values_list("games", flat=True)) == 120


@pytest.mark.parametrize(
    ("system", "days"),
    [("trueskill", None), ("trueskill", 3), ("elo", None), ("elo_normal", 3), ("glicko2", 3)],
)
def test_runs_of_any_size_give_the_same(
    system: str, days: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = make_squads(8, pool_minimum=4)
    whole, cut = arena.track(system, days=days), arena.track(system, days=days)
    arena.fight(*random_fights(330, 8, days=30))
    arena.rate(whole)
    monkeypatch.setattr(position, "INSTANT_CHUNK", 38)
    monkeypatch.setattr(position, "PERIOD_CHUNK", 1)
    arena.rate(cut)
    assert cut.revision > whole.revision
    check(history_of(cut), history_of(whole))
    assert whole.pool_grown_from is not None


def test_tallies_are_by_team() -> None:
    arena = make_squads(4, teams=4, size=1)
    track = arena.track("trueskill")
    arena.fight(
        Fought(1, ((0,), (1,), (2,), (3,)), (0, 1, 2, 3)),
        Fought(2, ((0,), (1,), (2,), (3,)), (0, 0, 1, 1)),
        Fought(3, ((0,), (1,), (2,), (3,)), (3, 1, 0, 1)),
    )
    Participant.objects.filter(match__external_id="m1", player=arena.players[3]).update(
        left_early=True
    )
    arena.rate(track)
    found = track.ratings.order_by("player_id").values_list("wins", "draws", "losses", "leaves")
    assert list(found) == [(1, 1, 1, 0), (0, 1, 2, 0), (1, 0, 2, 0), (0, 0, 3, 1)]


def test_minutes_are_shares_of_the_match() -> None:
    arena = make_squads(4)
    track = arena.track("trueskill")
    arena.fight(Fought(1, ((0, 1), (2, 3)), (0, 1), minutes=(20, 18, 20, 2)))
    arena.rate(track)
    value = arena.values(track)
    start = system_of(current_version(track), None).initial(1).value[0]
    assert value[1] - start == pytest.approx((value[0] - start) * 0.9, rel=1e-9)
    assert value[3] - start == pytest.approx((value[2] - start) * 0.75, rel=1e-9)


def test_little_time_does_not_lift_to_the_top() -> None:
    """Results are drawn by lot, and one player is there for a quarter of each match."""
    arena = make_squads(12, size=4)
    track = arena.track("trueskill")
    lot = np.random.default_rng(13)
    history = []
    for day in range(60):
        drawn = [0, *(1 + lot.permutation(11)[:7]).tolist()]
        first, second = tuple(drawn[:4]), tuple(drawn[4:])
        rank = int(lot.integers(2))
        minutes = (5.0, *[20.0] * 7)
        history.append(Fought(day, (first, second), (rank, 1 - rank), minutes=minutes))
    arena.fight(*history)
    arena.rate(track, day=60)
    value = arena.values(track)
    assert max(value, key=lambda who: value[who]) != 0
    assert value[0] < 27


@pytest.mark.parametrize("system", ["trueskill", "zonestats", "elo"])
@pytest.mark.parametrize("which", [0, 17, 39])
def test_annulling_equals_a_history_without(system: str, which: int) -> None:
    history = random_fights(40, 6, days=8, teams=3, size=1, counted=True)
    arena = make_squads(6, teams=3, size=1, pool_minimum=2)
    arena.track(system, shown=True)
    arena.track("glicko", days=2)
    matches = arena.fight(*history)
    rate_all()
    assert len(annul(matches[which])) == 2
    rate_all()
    assert replays(arena) == 0
    clean = make_squads(6, teams=3, size=1, pool_minimum=2, slug="clean")
    clean.track(system, shown=True)
    clean.track("glicko", days=2)
    clean.fight(*history[:which], *history[which + 1 :])
    rate_all()
    for days in (None, 2):
        one, other = (
            RatingTrack.objects.get(ladder=it.ladder, state="live", period_days=days)
            for it in (arena, clean)
        )
        check(story_of(arena, one), story_of(clean, other))


def test_predictions_of_two_teams_are_of_the_first() -> None:
    arena = make_squads(6)
    track = arena.track("trueskill")
    history = random_fights(50, 6, days=8)
    arena.fight(*history)
    arena.rate(track)
    system = system_of(current_version(track), None)
    known, expected = system.initial(6), []
    for fought in history:
        expected.append(float(system.expected_of(known, contest_of(fought))[0]))
        known = system.rate(known, contest_of(fought))
    found = read_predictions(track)
    assert found.predicted.tolist() == pytest.approx(expected, **CLOSE)
    assert found.actual.tolist() == [
        (1 + (one.ranks[1] > one.ranks[0]) - (one.ranks[1] < one.ranks[0])) / 2 for one in history
    ]


def test_predictions_of_more_teams_are_one_each() -> None:
    arena = make_squads(6, teams=3, size=1)
    track = arena.track("trueskill", days=4)
    arena.fight(Fought(1, ((0,), (1,), (2,)), (0, 1, 1)), Fought(2, ((2,), (1,), (0,)), (2, 1, 0)))
    arena.rate(track)
    found = read_predictions(track)
    assert found.actual.tolist() == [1.0, 0.25, 0.25, 0.0, 0.5, 1.0]
    assert found.predicted.tolist() == pytest.approx([0.5] * 6)


def test_zonestats_rates_teams_and_one_against_one() -> None:
    for teams, size in ((2, 1), (2, 2)):
        arena = make_squads(6, teams=teams, size=size, slug=f"zone-{size}")
        track = arena.track("zonestats")
        history = random_fights(60, 6, days=8, teams=teams, size=size, counted=True)
        arena.fight(*history)
        arena.rate(track)
        by_hand = one_by_one(system_of(current_version(track), None), 6, history)
        assert arena.values(track) == {
            who: by_hand.value[who] for who in range(6) if by_hand.games[who]
        }


def test_what_a_system_cannot_do_without_is_passed_over() -> None:
    arena = make_squads(4)
    track = arena.track("zonestats")
    full = Fought(1, ((0, 1), (2, 3)), (0, 1), (9, 1, 3, 2), (9, 9, 9, 9))
    arena.fight(
        full,
        Fought(2, full.teams, full.ranks, None, full.minutes),
        Fought(3, full.teams, full.ranks, full.scores, (9, 0, 9, 9)),
        Fought(4, full.teams, full.ranks, full.scores, None),
        Fought(5, full.teams, full.ranks, full.scores, full.minutes),
    )
    report = arena.rate(track)
    assert (report.matches, track.rated_seq) == (3, 5)
    assert set(track.changes.values_list("match__external_id", flat=True)) == {"m0", "m2", "m4"}
    # Who was not there in the third is left out of it alone.
    assert sorted(track.ratings.values_list("games", flat=True)) == [2, 3, 3, 3]


def test_only_what_cannot_be_rated_changes_nothing() -> None:
    arena = make_squads(4)
    track = arena.track("zonestats", days=1)
    arena.fight(Fought(1, ((0, 1), (2, 3)), (0, 1)))
    assert arena.rate(track, day=5).matches == 0
    assert (track.rated_seq, track.ratings.count(), track.periods.count()) == (1, 0, 0)


@pytest.mark.parametrize(
    "wrong",
    [
        Fought(2, ((0, 1), (2,)), (0, 1)),
        Fought(2, ((0, 1), (2, 3, 4)), (0, 1)),
        Fought(2, ((0,), (2, 3, 4)), (0, 1)),
    ],
)
def test_a_match_that_is_none_of_the_ladder_is_named(wrong: Fought) -> None:
    arena = make_squads(6)
    track = arena.track("trueskill")
    arena.fight(Fought(1, ((0, 1), (2, 3)), (0, 1)), wrong)
    with pytest.raises(UnratableMatchError, match=r"match 2 .* 2 teams of 2"):
        arena.rate(track)


def test_teams_live_beside_duels() -> None:
    """The rows of other ladders lie between those of this one."""
    arena = make_squads(6)
    other = make_squads(6, slug="other")
    track = arena.track("trueskill")
    for day in range(60):
        pair = random_fights(1, 6, days=1, seed=day)
        arena.fight(*(Fought(day, one.teams, one.ranks) for one in pair))
        other.fight(*(Fought(day, one.teams, one.ranks) for one in pair))
    arena.rate(track)
    mirrored = other.track("trueskill")
    other.rate(mirrored)
    check(other.values(mirrored), arena.values(track))


def test_trueskill_rates_duels() -> None:
    arena = make_squads(4, size=1)
    track = arena.track("trueskill")
    history = random_fights(50, 4, days=9, size=1)
    arena.fight(*history)
    arena.rate(track)
    by_hand = one_by_one(system_of(current_version(track), None), 4, history)
    assert arena.values(track) == pytest.approx(dict(enumerate(by_hand.value)), **CLOSE)
    assert not track.changes.filter(deviation_after=None).exists()
