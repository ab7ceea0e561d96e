"""`manage.py make_sample`: a ladder of any size, consistent as if it had been played."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F, Sum
from django.test import Client

from demo import sample
from leaderboards.models import Standing
from ratings.models import (
    Game,
    Ladder,
    Match,
    MatchState,
    Participant,
    Player,
    Rating,
    RatingChange,
    RatingTrack,
)
from ratings.runs.run import rate_track
from tests.leaderboards.cast import check_buckets

pytestmark = pytest.mark.django_db(transaction=True)  # VACUUM runs in none


def make(**options: object) -> str:
    """What the command printed."""
    told = StringIO()
    call_command("make_sample", stdout=told, **{"players": 60, "matches": 500, **options})
    return told.getvalue()


@pytest.mark.parametrize("system", ["elo", "glicko"])
def test_ratings_ledger_and_board_agree(system: str, client: Client) -> None:
    assert "60 players, 500 matches" in make(system=system, slug="try")
    ladder = Ladder.objects.select_related("game").get(slug="try")
    assert ladder.game.simulated
    assert Player.objects.filter(game=ladder.game).count() == 60
    matches = Match.objects.filter(ladder=ladder, state=MatchState.CONFIRMED).order_by("ladder_seq")
    assert list(matches.values_list("ladder_seq", flat=True)) == list(range(1, 501))
    moments = list(matches.values_list("played_at", "counts_at"))
    assert moments == sorted(moments)
    track = RatingTrack.objects.get(ladder=ladder)
    assert track.rated_seq == 500 if system == "elo" else track.closed_periods >= 12
    rated = Participant.objects.filter(match__in=matches, match__ladder_seq__lte=track.rated_seq)
    changes = RatingChange.objects.filter(track=track)
    assert changes.aggregate(games=Sum("games"))["games"] == rated.count()
    for rating in Rating.objects.filter(track=track):
        own = changes.filter(player=rating.player).order_by("id")
        assert rating.value == own.last().value_after  # type: ignore[union-attr]
        assert (
            rating.games == rating.wins + rating.draws + rating.losses == sum(c.games for c in own)
        )
    standings = Standing.objects.filter(track=track)
    assert standings.count() == Rating.objects.filter(track=track).count() > 40
    assert not standings.exclude(order_value=F("rating__value")).exists()
    check_buckets(track)
    assert client.get(ladder.get_absolute_url()).status_code == 200


def test_the_stronger_win_more_often() -> None:
    make(players=20, matches=4000, system="elo")
    best = Rating.objects.order_by("-value").first()
    worst = Rating.objects.order_by("value").first()
    assert best is not None
    assert worst is not None
    assert best.value - worst.value > 400
    assert best.wins > 1.5 * best.losses


def test_what_a_stopped_command_stored_can_be_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "_MATCHES_AT_ONCE", 100)

    def stop(done: int) -> None:
        if done == 300:
            raise KeyboardInterrupt

    monkeypatch.setattr("demo.management.commands.make_sample.fill_ladder", _stopping(stop))
    with pytest.raises(KeyboardInterrupt):
        make(system="elo")
    track = RatingTrack.objects.get()
    assert rate_track(track.pk).matches == Match.objects.count() == 300
    assert RatingChange.objects.count() == 600


def _stopping(stop: object) -> object:
    def fill(ladder: Ladder, **chosen: object) -> None:
        sample.fill_ladder(ladder, **{**chosen, "on_matches": stop})  # type: ignore[arg-type]

    return fill


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (["--players", "1"], "--players '1': must be a whole number from 2 to 5000000"),
        (["--matches", "many"], "--matches 'many': must be a whole number from 1 to 50000000"),
        (["--seed", "-1"], "--seed '-1': must be a whole number from 0 to"),
        (["--slug", "two words"], "ladder 'two words'"),
        (["--system", "chess"], "chess"),
        (["--period", "soon"], "period 'soon': must be from 1s"),
        (["--slug", "taken"], "There is a game or ladder “taken” already"),
    ],
)
def test_what_cannot_be_is_refused(wrong: list[str], words: str) -> None:
    Game.objects.create(slug="taken", name="Taken")
    with pytest.raises(CommandError) as refused:
        call_command("make_sample", *wrong)
    assert words in str(refused.value)
    assert not Ladder.objects.exists()
