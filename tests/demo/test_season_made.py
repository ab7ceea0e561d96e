"""What `manage.py demo_season` leaves: made once for the tests of this file, which only look at it."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from django.db import transaction
from django.db.models import F

from demo.maps import MAPS
from demo.models import SimulatedPlayer
from foundation import clock
from leaderboards.models import Board, HiddenAs, Standing
from matchmaking.models import Queue
from matchmaking.queues.settings import settings_of
from ratings.models import (
    Game,
    Ladder,
    Match,
    MatchState,
    Mode,
    Participant,
    Player,
    Rating,
    RatingChange,
    RatingTrack,
    Report,
    SideEstimate,
    Status,
)
from tests.demo.test_demo_season import season

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("league")]


@pytest.fixture(scope="module")
def league(django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """What was told of a small season, which is undone after the last test."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield season()
        transaction.set_rollback(True)


def test_it_makes_a_rated_league(league: str) -> None:
    assert "50 players, 900 matches" in league
    game = Game.objects.get(slug="demo")
    assert game.simulated
    assert Player.objects.filter(game=game).count() == 50
    assert SimulatedPlayer.objects.filter(player__game=game).count() == 50
    assert {ladder.mode for ladder in Ladder.objects.filter(game=game)} == set(Mode)
    assert Queue.objects.filter(is_open=True, ladder__game=game).count() == 5


def test_a_disputed_match_has_the_reports_that_differ() -> None:
    disputed = Match.objects.filter(state=MatchState.DISPUTED)
    assert disputed.exists()
    assert Report.objects.count() == 2 * disputed.count()


def test_a_second_time_changes_nothing() -> None:
    before = list(Match.objects.order_by("pk").values_list("pk", "ladder_seq"))
    assert "already exists" in season(seed=6)
    assert list(Match.objects.order_by("pk").values_list("pk", "ladder_seq")) == before
    assert Player.objects.filter(game__slug="demo").count() == 50
    assert Game.objects.count() == 2


def test_every_confirmed_match_is_rated_in_order() -> None:
    matches = Match.objects.filter(state=MatchState.CONFIRMED, game__slug="demo")
    assert matches.count() == 900
    assert not matches.filter(ladder_seq__isnull=True).exists()
    assert not matches.exclude(counts_at=F("confirmed_at")).exists()
    assert sum(Ladder.objects.filter(game__slug="demo").values_list("last_seq", flat=True)) == 900
    for track in RatingTrack.objects.filter(ladder__game__slug="demo").select_related("ladder"):
        changed = RatingChange.objects.filter(track=track).values_list("games", flat=True)
        # what counts for the minute that is not over yet is rated when it is
        assert sum(changed) == track.ladder.team_count * track.ladder.team_size * track.rated_seq
        assert track.rated_seq >= track.ladder.last_seq - 2


def test_nobody_leads_a_board_after_a_few_lucky_games() -> None:
    boards = {"demo-duel", "demo-blitz", "demo-pairs", "demo-four"}
    of_league = Standing.objects.filter(track__ladder__game__slug="demo")
    shown = Board.objects.filter(track__ladder__game__slug="demo")
    assert set(shown.values_list("track__ladder__slug", flat=True)) == boards
    listed = of_league.filter(listed=True)
    assert set(listed.values_list("track__ladder__slug", flat=True)) == boards
    assert set(listed.values_list("rating__status", flat=True)) == {Status.ESTABLISHED}
    hidden = of_league.filter(listed=False).values_list("hidden_as", flat=True)
    assert set(hidden) == {HiddenAs.PROVISIONAL, HiddenAs.INACTIVE}


def test_duels_know_their_maps() -> None:
    by_map = Rating.objects.filter(track__facet="map", track__shown=True)
    assert set(by_map.values_list("track__ladder__slug", flat=True)) == {"demo-duel"}
    assert set(by_map.values_list("facet", flat=True)) == set(MAPS)
    assert set(
        SideEstimate.objects.filter(track__ladder__slug="demo-duel").values_list("map", flat=True)
    ) == {"", *MAPS}
    [queue] = Queue.objects.filter(ladder__slug="demo-duel")
    assert [one.name for one in settings_of(queue).game_maps] == list(MAPS)


@pytest.mark.parametrize("slug", ["demo-duel", "demo-pairs", "demo-four"])
def test_ratings_follow_true_strength(slug: str) -> None:
    strength = dict(SimulatedPlayer.objects.values_list("player", "strength"))
    rated = Rating.objects.filter(track__ladder__slug=slug, counted__gte=12)
    pairs = [(rating.value, strength[rating.player_id]) for rating in rated]
    assert len(pairs) > 10
    assert np.corrcoef(np.array(pairs).T)[0, 1] > 0.7


def test_matches_of_teams_have_all_their_seats() -> None:
    for slug, teams, size in (("demo-pairs", 2, 2), ("demo-four", 4, 1)):
        matches = Match.objects.filter(ladder__slug=slug)
        assert matches.exists()
        for match in matches.prefetch_related("participants"):
            seats = Counter(seat.team for seat in match.participants.all())
            assert seats == dict.fromkeys(range(teams), size)


def test_the_past_is_dated_back() -> None:
    now = clock.now()
    assert (now - Game.objects.get(slug="demo").created_at).days == 30
    last = Match.objects.filter(state=MatchState.CONFIRMED).latest("confirmed_at").confirmed_at
    assert last is not None
    assert last < now
    assert not Participant.objects.filter(playing=True).exists()
    assert not Match.objects.filter(due_at__isnull=False).exists()
