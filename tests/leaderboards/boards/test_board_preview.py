"""What a board would be with another track: held against the boards that are there before and after."""

from typing import Any

import pytest

from foundation import clock
from leaderboards.boards import ranking
from leaderboards.boards.preview import PreviewRow, preview_board
from leaderboards.visibility import shown_tracks
from ratings.models import RatingTrack
from ratings.tasks import rate_due_tracks
from ratings.tracks.promotion import request_promotion
from tests.leaderboards.site import Site, make_site
from tests.ratings.arena import DAY, START, Played

pytestmark = pytest.mark.django_db
NIGHT = 30.0


def make_rated_site(**rules: Any) -> tuple[Site, RatingTrack]:
    """Elo is shown, Glicko is not; the last lost to everyone, and then beat the first, late."""
    site = make_site(players=5, system="elo", days=None, established_after=3, **rules)
    glicko = site.arena.track("glicko", days=7, provisional_deviation=163.0)
    site.play(*(Played(day=20 + number, first=4, second=0, score=1.0) for number in range(5)))
    site.rate(day=NIGHT)
    site.arena.rate(glicko, day=NIGHT)
    return site, RatingTrack.objects.select_related("ladder").get(pk=glicko.pk)


def board(site: Site) -> dict[str, tuple[int | None, float]]:
    """What a visitor reads."""
    track = shown_tracks([site.arena.ladder])[site.arena.ladder.pk]
    return {row.name: (row.rank, row.value) for row in ranking.page(track).rows}


def show(track: RatingTrack) -> None:
    request_promotion(track=track, by=None, note="")
    rate_due_tracks()


def before_of(line: PreviewRow) -> tuple[int | None, float | None]:
    return line.before, line.value_before


def test_it_says_what_the_boards_say_before_and_after() -> None:
    site, glicko = make_rated_site()
    with clock.at(START + NIGHT * DAY):
        present = RatingTrack.objects.select_related("ladder").get(pk=site.track.pk)
        preview = preview_board(present, glicko, now=clock.now())
        before = board(site)
        show(glicko)
        after = board(site)
    assert 2 <= len(after) < len(before)  # Glicko is not sure of two
    assert {line.player.name: (line.rank, line.value) for line in preview.top} == after
    for line in preview.top:
        assert before_of(line) == before[line.player.name]
        assert line.movement == before[line.player.name][0] - line.rank  # type: ignore[operator]
    assert preview.present is not None
    assert (preview.present.listed, preview.wanted.listed) == (len(before), len(after))
    assert (preview.joining, preview.leaving) == (0, len(before) - len(after))
    assert preview.wanted.provisional == 5 - len(after)
    assert (preview.present.start, preview.present.deviation) == (1500.0, None)
    assert (preview.wanted.start, preview.wanted.deviation) == (1500.0, 350.0)


def test_how_many_places_people_move() -> None:
    site, glicko = make_rated_site(lists_provisional=True)
    with clock.at(START + NIGHT * DAY):
        present = RatingTrack.objects.select_related("ladder").get(pk=site.track.pk)
        preview = preview_board(present, glicko, now=clock.now())
        before = board(site)
        show(glicko)
        after = board(site)
    moves = sorted(abs(before[name][0] - after[name][0]) for name in before)  # type: ignore[operator]
    assert preview.moved is not None
    assert preview.moved.most == moves[-1] > 0
    assert (preview.moved.players, preview.moved.median) == (5, moves[2])


def test_where_nothing_is_shown_everybody_comes() -> None:
    _site, glicko = make_rated_site(lists_provisional=True)
    with clock.at(START + NIGHT * DAY):
        preview = preview_board(None, glicko, now=clock.now())
    assert (preview.present, preview.moved, preview.joining, preview.leaving) == (None, None, 5, 0)
    assert [before_of(line) for line in preview.top] == [(None, None)] * 5


def test_a_track_that_has_rated_nobody() -> None:
    site, glicko = make_rated_site()
    empty = RatingTrack.objects.select_related("ladder").get(pk=site.arena.track("trueskill").pk)
    with clock.at(START + NIGHT * DAY):
        preview = preview_board(glicko, empty, now=clock.now())
    assert (preview.top, preview.moved, preview.wanted.rated) == ((), None, 0)
    assert preview.leaving == preview.present.listed > 0  # type: ignore[union-attr]
