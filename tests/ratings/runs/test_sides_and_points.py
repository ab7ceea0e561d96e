"""What a match tells beside its result: who plays the better side, and what the players counted."""

import io
from typing import Any

import pytest

from accounts.models import User
from ratings.importing import FileRejectedError, NewLadder, NewTrack, import_matches
from ratings.ledger.predictions import read_predictions
from ratings.matches.decide import confirm_by_server, resolve_dispute
from ratings.matches.refusals import WrongResultError
from ratings.matches.report import report
from ratings.matches.result import Result
from ratings.matches.start import start_match
from ratings.models import Ladder, Match, MatchState, Outcome, Participant, Player, RatingTrack
from ratings.runs.run import rate_track
from ratings.systems import Duels
from ratings.tracks.parameters import current_version, system_of
from tests.ratings.arena import Arena, Played, make_arena, random_history

pytestmark = pytest.mark.django_db
LEADS: list[tuple[str, dict[str, Any], float | None]] = [
    ("elo", {"side_gamma": 0.3}, None),
    ("glicko", {"side_advantage": 60.0}, 5.0),
    ("glicko2", {"side_advantage": 60.0}, 5.0),
]


@pytest.mark.parametrize(("system", "parameters", "days"), LEADS)
def test_the_first_plays_the_better_side_unless_it_is_neutral(
    system: str, parameters: dict[str, Any], days: float | None
) -> None:
    arena = make_arena(4)
    track = arena.track(system, days=days, **parameters)
    first, second = arena.play(Played(1, 0, 1, 0.5), Played(1, 2, 3, 0.5))
    Match.objects.filter(pk=second.pk).update(is_neutral=True)
    arena.rate(track)
    value = arena.values(track)
    assert value[0] < 1500 < value[1]
    assert value[2] == value[3] == 1500
    assert {first.pk, second.pk} == set(read_predictions(track).match.tolist())
    predicted = read_predictions(track).predicted.tolist()
    assert predicted[0] > 0.54
    assert predicted[1] == 0.5


@pytest.mark.parametrize(("system", "days"), [("elo", None), ("glicko", 5.0), ("glicko2", 5.0)])
def test_sides_count_only_where_somebody_says_so(system: str, days: float | None) -> None:
    arena = make_arena(4)
    track, other = arena.track(system, days=days), arena.track(system, days=days)
    matches = arena.play(*random_history(60, 4, days=20))
    arena.rate(track)
    Match.objects.filter(pk__in=[match.pk for match in matches[::2]]).update(is_neutral=True)
    arena.rate(other)
    assert arena.values(track) == arena.values(other)


def with_points(arena: Arena, *points: tuple[float | None, float | None]) -> list[Match]:
    """Matches of the first two players, won by the first, with these points."""
    matches = arena.play(*(Played(1 + n, 0, 1, 1.0) for n in range(len(points))))
    for match, pair in zip(matches, points, strict=True):
        for team, score in enumerate(pair):
            Participant.objects.filter(match=match, team=team).update(score=score)
    return matches


def test_frags_are_rated_by_points() -> None:
    arena = make_arena(2)
    track = arena.track("frags")
    with_points(arena, (20, 10), (3, 8), (0, 0))
    arena.rate(track)
    system = system_of(current_version(track), None)
    by_hand = system.initial(2)
    for points in ([[20, 10]], [[3, 8]], [[0, 0]]):
        by_hand = system.rate(by_hand, Duels([0], [1], [1.0], None, points))  # type: ignore[arg-type]
    assert arena.values(track) == dict(enumerate(by_hand.value.tolist()))


def test_a_match_without_points_is_passed_over() -> None:
    arena = make_arena(2)
    frags, elo = arena.track("frags"), arena.track("elo")
    matches = with_points(arena, (20, 10), (None, None), (5, None), (8, 3))
    assert (arena.rate(frags).matches, arena.rate(elo).matches) == (2, 4)
    assert frags.rated_seq == 4
    rated = frags.changes.values_list("match", flat=True).distinct()
    assert set(rated) == {matches[0].pk, matches[3].pk}
    assert len(read_predictions(frags)) == 2


@pytest.fixture
def shooters() -> Ladder:
    """A ladder whose players see a rating made of points."""
    arena = make_arena(4)
    arena.track("frags", shown=True)
    arena.track("elo")
    return arena.ladder


def begin(ladder: Ladder) -> Match:
    pair = Player.objects.filter(game=ladder.game).order_by("pk")[:2]
    return start_match(ladder=ladder, teams=[[player.pk] for player in pair])


def test_a_server_must_give_points_where_ratings_are_made_of_them(shooters: Ladder) -> None:
    match = begin(shooters)
    with pytest.raises(WrongResultError, match="what each player counted"):
        confirm_by_server(match_id=match.pk, result=Result(ranks=(0, 1)))
    one, other = match.participants.values_list("player", flat=True)
    scores = {one: 3.0, other: 1.0}
    confirm_by_server(match_id=match.pk, result=Result(ranks=(0, 1), player_scores=scores))
    for track in shooters.tracks.all():
        assert rate_track(track.pk).matches == 1


def test_players_and_operators_know_no_points(shooters: Ladder) -> None:
    """What they decide counts, for whatever can be made of it; nothing waits for what nobody will tell."""
    match = begin(shooters)
    one, other = match.participants.values_list("player", flat=True)
    report(match_id=match.pk, player_id=one, outcome=Outcome.WON)
    report(match_id=match.pk, player_id=other, outcome=Outcome.LOST)
    disputed = begin(shooters)
    for player in (one, other):
        report(match_id=disputed.pk, player_id=player, outcome=Outcome.WON)
    by = User.objects.create_superuser("boss", "boss@example.org", "secret")
    result = Result(ranks=(0, 1))
    decided = resolve_dispute(match_id=disputed.pk, result=result, by=by, note="")
    assert decided.state == MatchState.CONFIRMED
    done = {track.system: rate_track(track.pk).matches for track in shooters.tracks.all()}
    assert done == {"frags": 0, "elo": 2}
    assert set(RatingTrack.objects.values_list("rated_seq", flat=True)) == {2}


def take_in(content: str, ladder: str, system: str) -> None:
    track = NewTrack(system=system, period_days=None)
    create = NewLadder(game="quake", track=track)
    import_matches(io.BytesIO(content.encode()), name="x.csv", ladder=ladder, create=create)


def test_a_file_needs_points_where_ratings_are_made_of_them() -> None:
    header = "date,player_a,player_b,score_a,points_a,points_b\n"
    good = f"{header}2020-01-01,a,b,1,20,10\n"
    for system in ("frags", "elo"):
        take_in(good, system, system)
    bad = f"{good}2020-01-02,a,b,1,,10\n2020-01-03,a,b,0,1,2\n"
    take_in(bad, "elo", "elo")
    with pytest.raises(FileRejectedError) as caught:
        take_in(bad, "frags", "frags")
    assert [problem.line for problem in caught.value.problems] == [3]
    seats = Participant.objects.filter(match__ladder__slug="frags").order_by("team")
    assert list(seats.values_list("score", flat=True)) == [20, 10]
