"""Single games explain the ledger exactly, for every kind of track."""

import pytest

from leaderboards.contributions import contributions_of
from ratings.models import Match, RatingChange, RatingTrack
from tests.leaderboards.site import make_site
from tests.ratings.arena import make_arena, random_history

pytestmark = pytest.mark.django_db


def rated(system: str, days: float | None) -> tuple[RatingTrack, list[Match], set[int]]:
    arena = make_arena(8)
    track = arena.track(system, days=days, shown=True)
    arena.play(*random_history(150, 8, days=60))
    arena.rate(track, day=90)
    return track, list(Match.objects.order_by("pk")), {player.pk for player in arena.players}


@pytest.mark.parametrize(("system", "days"), [("glicko", 7.0), ("elo", None)])
def test_the_games_add_up_to_the_ledger(system: str, days: float | None) -> None:
    track, matches, players = rated(system, days)
    found = contributions_of({track.ladder_id: track}, matches, players=players)
    assert len(found) == 300
    for row in RatingChange.objects.filter(track=track):
        games = [c for c in found.values() if c.change.pk == row.pk]
        assert len(games) == row.games
        total = sum(game.points for game in games)
        assert total == pytest.approx(row.value_after - row.value_before, abs=1e-9)
        for game in games:
            assert game.points == pytest.approx(
                game.weight * (game.actual - game.expected), abs=1e-9
            )


@pytest.mark.parametrize(("system", "days"), [("glicko", 7.0), ("elo", None)])
def test_one_match_tells_the_same_as_all_together(system: str, days: float | None) -> None:
    track, matches, players = rated(system, days)
    tracks = {track.ladder_id: track}
    together = contributions_of(tracks, matches, players=players)
    for match in matches[::17]:
        alone = contributions_of(tracks, [match], players=players)
        assert len(alone) == 2
        for key, change in alone.items():
            assert change.points == pytest.approx(together[key].points, abs=1e-9)
            assert change.opponent == together[key].opponent
        assert sum(change.forecast for change in alone.values()) == pytest.approx(1.0)


def test_whole_periods_bring_the_other_games_of_the_same_players() -> None:
    track, matches, _ = rated("glicko", 7.0)
    match = matches[40]
    pair = set(match.participants.values_list("player_id", flat=True))
    tracks = {track.ladder_id: track}
    found = contributions_of(tracks, [match], players=pair, whole_periods=True)
    rows = {change.change.pk: change.change.games for change in found.values()}
    assert len(rows) == 2
    assert len(found) == sum(rows.values())
    assert {player for _, player in found} == pair


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
