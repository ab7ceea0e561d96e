"""Single games explain the ledger exactly, for every kind of track."""

import pytest
from django.db import connection

from ratings.ledger.contributions import contributions_of
from ratings.ledger.predictions import read_predictions
from ratings.models import Match, Participant, RatingChange, RatingTrack
from ratings.systems.arrays import Floats, Ints
from ratings.tracks.parameters import create_track
from tests.leaderboards.site import make_site
from tests.ratings.arena import make_arena, random_history

pytestmark = pytest.mark.django_db


# With a system: days of its period, and what the better side is worth where it counts.
KINDS: list[tuple[str, float | None, dict[str, float]]] = [
    ("glicko", 7.0, {}),
    ("glicko", 7.0, {"deviation_min": 300.0}),
    ("glicko", 7.0, {"side_advantage": 50.0}),
    ("glicko2", 7.0, {"side_advantage": 50.0}),
    ("elo", None, {}),
    ("elo", None, {"side_gamma": 0.4}),
    ("elo_normal", None, {}),
    ("trueskill", None, {}),
]


def rated(
    system: str, days: float | None, own: dict[str, float] | None = None
) -> tuple[RatingTrack, list[Match], set[int]]:
    """A track whose every third match was neutral, so that sides differ."""
    arena = make_arena(8)
    track = create_track(
        ladder=arena.ladder, system=system, parameters=own or {}, period_days=days, shown=True
    )
    played = arena.play(*random_history(150, 8, days=60))
    Match.objects.filter(pk__in=[match.pk for match in played[::3]]).update(is_neutral=True)
    arena.rate(track, day=90)
    return track, list(Match.objects.order_by("pk")), {player.pk for player in arena.players}


@pytest.mark.parametrize(("system", "days", "own"), KINDS)
def test_the_games_add_up_to_the_ledger(
    system: str, days: float | None, own: dict[str, float]
) -> None:
    track, matches, players = rated(system, days, own)
    found = contributions_of({track.ladder_id: track}, matches, players=players)
    assert len(found) == 300
    for row in RatingChange.objects.filter(track=track):
        games = [c for c in found.values() if c.entry.pk == row.pk]
        assert len(games) == row.games
        total = sum(game.points for game in games)
        assert total == pytest.approx(row.value_after - row.value_before, abs=1e-9)
        for game in games:
            assert game.points == pytest.approx(
                game.weight * (game.actual - game.expected), abs=1e-9
            )


@pytest.mark.parametrize(("system", "days", "own"), KINDS)
def test_one_match_tells_the_same_as_all_together(
    system: str, days: float | None, own: dict[str, float]
) -> None:
    track, matches, players = rated(system, days, own)
    tracks = {track.ladder_id: track}
    together = contributions_of(tracks, matches, players=players)
    for match in matches[::17]:
        alone = contributions_of(tracks, [match], players=players)
        assert len(alone) == 2
        for key, change in alone.items():
            assert change.points == pytest.approx(together[key].points, abs=1e-9)
            assert change.opponent == together[key].opponent
        assert sum(change.forecast for change in alone.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "by", [("glicko2", 7.0, "side_advantage", 80.0), ("elo", None, "side_gamma", 0.5)]
)
def test_the_forecast_knows_who_played_the_better_side(
    by: tuple[str, float | None, str, float],
) -> None:
    system, days, name, value = by
    track, matches, players = rated(system, days, {name: value})
    expected = dict(zip(*(column.tolist() for column in _predicted(track)), strict=True))
    found = contributions_of({track.ladder_id: track}, matches, players=players)
    first = dict(Participant.objects.filter(team=0).values_list("match", "player"))
    for match in matches:
        assert found[match.pk, first[match.pk]].forecast == pytest.approx(expected[match.pk])


def _predicted(track: RatingTrack) -> tuple[Ints, Floats]:
    predictions = read_predictions(track)
    return predictions.match, predictions.predicted


def test_games_beside_a_match_are_those_of_the_same_players_and_period() -> None:
    track, matches, _ = rated("glicko", 7.0)
    match = matches[40]
    pair = set(match.participants.values_list("player_id", flat=True))
    tracks = {track.ladder_id: track}
    found = contributions_of(tracks, [match], players=pair, beside=100)
    rows = {one.entry.pk: one.entry.games for one in found.values()}
    assert len(rows) == 2
    assert len(found) == sum(rows.values())
    assert {player for _, player in found} == pair


@pytest.mark.parametrize("beside", [1, 3])
def test_only_so_many_games_beside_a_match(beside: int) -> None:
    track, matches, _ = rated("glicko", 60.0)
    match = matches[70]
    one, other = match.participants.values_list("player_id", flat=True)
    tracks = {track.ladder_id: track}
    everything = contributions_of(tracks, matches, players=[one])
    keys = [key for key in sorted(everything) if key[1] == one]
    place = keys.index((match.pk, one))
    found = contributions_of(tracks, [match], players=[one], beside=beside)
    assert sorted(found) == keys[place - beside : place + beside + 1]
    assert all(found[key] == everything[key] for key in found)
    assert (match.pk, other) not in found


def test_rows_from_before_their_worth_was_kept_tell_the_period_only() -> None:
    track, matches, players = rated("glicko", 7.0)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # no trigger fires
        cursor.execute("UPDATE ratings_ratingchange SET worth = NULL")
        cursor.execute("SET LOCAL session_replication_role = origin")
    assert contributions_of({track.ladder_id: track}, matches, players=players) == {}


def test_elo_by_period_gives_the_sum_only() -> None:
    """Its stages make single games depend on the whole period: nothing is made up."""
    site = make_site(system="elo", days=7.0)
    tracks = {site.track.ladder_id: site.track}
    players = [player.pk for player in site.arena.players]
    matches = list(Match.objects.all())
    assert contributions_of(tracks, matches, players=players) == {}


def test_matches_of_other_ladders_are_left_out() -> None:
    track, matches, players = rated("glicko", 7.0)
    assert contributions_of({track.ladder_id + 1: track}, matches, players=players) == {}
