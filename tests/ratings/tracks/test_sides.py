"""What sides are worth, estimated from a ladder's history, kept, and told."""

from datetime import timedelta
from io import StringIO
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from foundation import clock
from ratings.models import Match, Participant, RatingTrack, SideEstimate, TrackState
from ratings.tasks import estimate_due_sides
from ratings.tracks.sides import LEAST_GAMES, due_sides, estimate_sides, side_points_by_map
from tests.ratings.arena import DAY, START, Arena, Played, make_arena
from tests.ratings.squads import SquadArena, make_squads, random_fights

pytestmark = pytest.mark.django_db
NOW = START + 10_000 * DAY


def sided_history(games: int, *, share: float, players: int = 8, seed: int = 2) -> list[Played]:
    """Games of equals, of which the first side wins this share."""
    random = np.random.default_rng(seed)
    pairs = [random.choice(players, 2, replace=False).tolist() for _ in range(games)]
    won = random.uniform(size=games) < share
    return [
        Played(number * 0.01, first, second, float(one))
        for number, ((first, second), one) in enumerate(zip(pairs, won, strict=True))
    ]


def play_on(arena: Arena, history: list[Played], *maps: str, **columns: Any) -> list[Match]:
    """Matches on these maps in turn."""
    matches = arena.play(*history)
    for number, match in enumerate(matches):
        match.map = maps[number % len(maps)] if maps else ""
        for name, value in columns.items():
            setattr(match, name, value)
    Match.objects.bulk_update(matches, ["map", *columns])
    return matches


def estimated(track: RatingTrack) -> dict[str, SideEstimate]:
    return {row.map: row for row in estimate_sides(track.pk)}


@pytest.mark.full
@pytest.mark.parametrize(
    ("system", "days"), [("elo", None), ("elo", 2.0), ("glicko2", 2.0), ("trueskill", None)]
)
def test_the_worth_of_a_side_is_estimated_over_all_and_by_map(
    system: str, days: float | None
) -> None:
    arena = make_arena(8)
    track = arena.track(system, days=days, shown=True)
    start = sided_history(1200, share=0.5)
    late = [Played(one.day + 12, *rest_of(one)) for one in sided_history(1200, share=0.7, seed=3)]
    play_on(arena, start, "Temple")
    play_on(arena, late, "Gorge")
    arena.rate(track)
    found = estimated(track)
    assert {name: row.games for name, row in found.items()} == {
        "": 2400,
        "Temple": 1200,
        "Gorge": 1200,
    }
    step = 1.0 if system == "trueskill" else 30.0
    assert abs(found["Temple"].points) < 0.9 * step < found[""].points
    assert found["Gorge"].points > found[""].points + step
    assert side_points_by_map(track) == {name: row.points for name, row in found.items()}


def rest_of(played: Played) -> tuple[int, int, float]:
    return played.first, played.second, played.score


def test_elo_finds_the_known_gamma() -> None:
    """Equals of whom the first wins 64 of 100 play with a side worth 100 points: γ = 0.5625."""
    arena = make_arena(8)
    track = arena.track("elo", side_gamma=0.5625)
    arena.play(*sided_history(4000, share=0.64))
    arena.rate(track)
    assert estimated(track)[""].points == pytest.approx(100, abs=12)


def test_neutral_matches_are_left_out() -> None:
    arena = make_arena(8)
    track = arena.track("elo")
    play_on(arena, sided_history(200, share=0.9), is_neutral=True)
    arena.play(*[Played(one.day + 5, *rest_of(one)) for one in sided_history(80, share=0.5)])
    arena.rate(track)
    row = estimated(track)[""]
    assert row.games == 80
    assert row.points < 60


def test_too_few_games_are_worth_nothing() -> None:
    arena = make_arena(8)
    track = arena.track("elo")
    assert side_points_by_map(track) == {}
    play_on(arena, sided_history(LEAST_GAMES - 1, share=1.0), "Temple")
    arena.rate(track)
    assert [row.points for row in estimate_sides(track.pk)] == [0.0, 0.0]


def test_teams_have_sides_too() -> None:
    squads: SquadArena = make_squads(8)
    track = squads.track("trueskill")
    squads.fight(*random_fights(300, 8, days=30))
    Match.objects.update(map="Gorge")
    first_wins = Match.objects.order_by("pk").values("pk")[:250]
    for team in (0, 1):
        Participant.objects.filter(team=team, match__in=first_wins).update(rank=team)
    squads.rate(track)
    found = estimated(track)
    assert found[""].points > 1
    assert found["Gorge"].games == 300


def test_ladders_without_two_teams_have_no_sides() -> None:
    squads = make_squads(8, teams=4, size=1)
    track = squads.track("trueskill")
    squads.fight(*random_fights(60, 8, days=3, teams=4, size=1))
    squads.rate(track)
    assert estimate_sides(track.pk) == []
    assert due_sides() == []


def test_an_estimate_is_due_when_it_is_missing_old_or_from_half_the_matches() -> None:
    arena = make_arena(8)
    track = arena.track("elo")
    assert due_sides() == []
    arena.play(*sided_history(60, share=0.6))
    arena.rate(track)
    with clock.at(NOW):
        assert due_sides() == [track.pk]
        estimate_due_sides()
        assert due_sides() == []
        arena.play(*[Played(one.day + 1, *rest_of(one)) for one in sided_history(10, share=0.6)])
    arena.rate(track)
    with clock.at(NOW + timedelta(hours=23)):
        assert due_sides() == []
    with clock.at(NOW + timedelta(hours=25)):
        assert due_sides() == [track.pk]
    arena.play(*[Played(one.day + 2, *rest_of(one)) for one in sided_history(60, share=0.6)])
    arena.rate(track)
    with clock.at(NOW + timedelta(hours=1)):
        assert due_sides() == [track.pk]
        estimate_due_sides()
        estimate_due_sides()
    assert SideEstimate.objects.get(track=track, map="").games == 130


def test_a_new_generation_goes_by_the_old_estimate_until_it_has_its_own() -> None:
    arena = make_arena(8)
    track = arena.track("elo")
    play_on(arena, sided_history(60, share=0.8), "Gorge")
    arena.rate(track)
    estimate_sides(track.pk)
    heir = RatingTrack.objects.create(ladder=arena.ladder, system="elo", replaces=track)
    assert side_points_by_map(heir) == side_points_by_map(track) != {}
    SideEstimate.objects.create(track=heir, map="", points=7, games=60, rated_seq=60, as_of=NOW)
    assert side_points_by_map(heir) == {"": 7}
    RatingTrack.objects.filter(pk=track.pk).update(state=TrackState.RETIRED)
    assert estimate_sides(track.pk) == []


@pytest.mark.parametrize("decimals", [0, 1])
def test_the_command_estimates_and_tells(decimals: int) -> None:
    arena = make_arena(8)
    track = arena.track("elo", shown=True)
    play_on(arena, sided_history(60, share=0.8), "Gorge")
    arena.rate(track)
    RatingTrack.objects.update(decimals=decimals)
    out = StringIO()
    call_command("estimate_sides", "--ladder", "go", stdout=out)
    first, second = out.getvalue().splitlines()
    points = SideEstimate.objects.get(map="").points
    assert first == f"go, elo, all maps: {points:+.{decimals + 1}f} points (60 matches)"
    assert second.startswith("go, elo, Gorge: +")
    with pytest.raises(CommandError, match="no ladder"):
        call_command("estimate_sides", "--ladder", "chess")


def test_an_operator_sees_the_worth_on_the_track(client: Client) -> None:
    arena = make_arena(8)
    track = arena.track("elo", shown=True)
    client.force_login(User.objects.create_superuser("boss", "boss@example.org", "secret"))
    address = reverse("admin:ratings_ratingtrack_change", args=[track.pk])
    assert "Not estimated yet." in client.get(address).text
    play_on(arena, sided_history(60, share=0.8), "<b>Gorge")
    arena.rate(track)
    estimate_sides(track.pk)
    page = client.get(address).text
    assert f"+{side_points_by_map(track)['']:.1f} points for the first team (60 matches)" in page
    assert "&lt;b&gt;Gorge: +" in page
    RatingTrack.objects.update(decimals=1)
    assert f"+{side_points_by_map(track)['']:.2f} points for the first" in client.get(address).text
