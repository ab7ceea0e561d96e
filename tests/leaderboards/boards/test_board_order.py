"""Boards in the order of conservative ratings."""

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import AuditEntry
from foundation import clock
from leaderboards.boards import ranking, refresh
from leaderboards.boards.preview import preview_board
from leaderboards.models import Board, Standing
from ratings.models import Rating
from ratings.models.tracks import BoardBy
from ratings.tracks.board_order import NoDeviationError, order_board_by
from tests.leaderboards.cast import NOON, Cast, check_buckets, make_cast, plain_rank

pytestmark = pytest.mark.django_db


def make_team_cast(count: int = 3, system: str = "trueskill") -> Cast:
    """On a ladder that lists everybody."""
    cast = make_cast(count, system=system, period_days=7 if system.startswith("glicko") else None)
    cast.ladder.lists_provisional = True
    cast.ladder.save()
    cast.track.ladder.refresh_from_db()
    return cast


def bring_up(cast: Cast) -> None:
    with clock.at(NOON):
        refresh.refresh_due()


def order(cast: Cast, board_by: str) -> None:
    order_board_by(track=cast.track, board_by=board_by, by=None, note="Asked for.")
    bring_up(cast)


def page(cast: Cast) -> tuple[ranking.Row, ...]:
    with clock.at(NOON):
        return ranking.page(cast.track).rows


def names(cast: Cast) -> list[str]:
    return [row.name for row in page(cast)]


def rate_three(cast: Cast) -> None:
    """By rating 0, 1, 2; by conservative rating 2, 1, 0."""
    pairs = [(32.0, 7.0), (31.0, 2.0), (30.0, 1.0)]
    cast.rate({at: {"value": value, "deviation": sigma} for at, (value, sigma) in enumerate(pairs)})
    bring_up(cast)


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ("trueskill", BoardBy.CONSERVATIVE),
        ("elo", BoardBy.RATING),
        ("glicko", BoardBy.RATING),
        ("glicko2", BoardBy.RATING),
    ],
)
def test_new_tracks_have_the_order_of_their_system(system: str, expected: str) -> None:
    assert make_team_cast(1, system).track.board_by == expected


@settings(max_examples=25, deadline=None)
@given(
    ratings=st.lists(
        st.tuples(st.integers(0, 50), st.sampled_from([0.5, 1.0, 1.75, 8.0])), min_size=1
    ),
    is_conservative=st.booleans(),
)
def test_places_are_those_of_a_plain_sort(
    ratings: list[tuple[int, float]], is_conservative: bool
) -> None:
    with transaction.atomic():
        cast = make_team_cast(len(ratings))
        cast.rate({at: {"value": v, "deviation": d} for at, (v, d) in enumerate(ratings)})
        bring_up(cast)
        if not is_conservative:
            order(cast, BoardBy.RATING)
        factor = 3 if is_conservative else 0
        points = {
            cast.players[at].pk: value - factor * sigma for at, (value, sigma) in enumerate(ratings)
        }
        expected = sorted(points, key=lambda pk: (-points[pk], pk))[:50]
        rows = page(cast)
        assert [row.player_id for row in rows] == expected
        assert [row.rank for row in rows] == [
            plain_rank(list(points.values()), points[pk]) for pk in expected
        ]
        for pk in expected[:3]:
            assert ranking.ranks_on([cast.track], pk)[cast.track.pk].rank == plain_rank(
                list(points.values()), points[pk]
            )
        check_buckets(cast.track)
        transaction.set_rollback(True)


def test_another_order_puts_the_board_right_and_counts_movement_anew() -> None:
    cast = make_team_cast()
    rate_three(cast)
    assert names(cast) == ["Player 2", "Player 1", "Player 0"]
    assert [row.conservative for row in page(cast)] == [27.0, 25.0, 11.0]
    order(cast, BoardBy.RATING)
    assert names(cast) == ["Player 0", "Player 1", "Player 2"]
    assert [(row.value, row.conservative) for row in page(cast)] == [
        (32.0, None),
        (31.0, None),
        (30.0, None),
    ]
    assert {(row.movement, row.points) for row in page(cast)} == {(0, 0.0)}
    order(cast, BoardBy.CONSERVATIVE)
    assert {(row.movement, row.points) for row in page(cast)} == {(0, 0.0)}
    check_buckets(cast.track)
    assert AuditEntry.objects.filter(action="track.board_ordered").count() == 2
    cast.rate({0: {"value": 32.0, "deviation": 1.0}})  # only better known
    bring_up(cast)
    moved = {row.name: (row.movement, row.points) for row in page(cast)}
    assert moved == {"Player 0": (2, 18.0), "Player 1": (-1, 0.0), "Player 2": (-1, 0.0)}


def test_ratings_stay_what_they_are() -> None:
    cast = make_team_cast()
    rate_three(cast)
    before = list(Rating.objects.order_by("pk").values())
    order(cast, BoardBy.RATING)
    assert list(Rating.objects.order_by("pk").values()) == before


def test_glicko_can_be_chosen_with_two_deviations() -> None:
    cast = make_team_cast(2, "glicko")
    cast.rate({0: {"value": 1600, "deviation": 100.0}, 1: {"value": 1550, "deviation": 50.0}})
    bring_up(cast)
    assert names(cast) == ["Player 0", "Player 1"]
    order(cast, BoardBy.CONSERVATIVE)
    assert [row.conservative for row in page(cast)] == [1450.0, 1400.0]


def test_without_deviations_there_is_no_choice() -> None:
    cast = make_team_cast(1, "elo")
    with pytest.raises(NoDeviationError, match="no deviation"):
        order_board_by(track=cast.track, board_by=BoardBy.CONSERVATIVE, by=None, note="")
    cast.track.refresh_from_db()
    assert cast.track.board_by == BoardBy.RATING


def test_the_preview_has_the_order_of_the_board() -> None:
    cast = make_team_cast()
    rate_three(cast)
    preview = preview_board(None, cast.track, now=NOON)
    assert [row.player.name for row in preview.top] == names(cast)


def test_the_page_says_by_what_and_shows_the_parts(client: Client) -> None:
    cast = make_team_cast()
    rate_three(cast)
    with clock.at(NOON):
        shown = client.get("/ladders/blitz/").content.decode()
    assert "Ordered by the conservative rating: the rating less 3 deviations" in shown
    assert "= 30.00 − 3 × 1.000" in shown
    order(cast, BoardBy.RATING)
    with clock.at(NOON):
        shown = client.get("/ladders/blitz/").content.decode()
    assert "conservative" not in shown.lower()


def test_the_api_gives_both(client: Client) -> None:
    cast = make_team_cast()
    rate_three(cast)
    with clock.at(NOON):
        board = client.get("/api/v1/ladders/blitz/leaderboard").json()
    assert (board["ordered_by"], board["ordered_by_deviations"]) == ("conservative", 3.0)
    first = board["results"][0]
    assert (first["rating"], first["conservative"]) == (30.0, 27.0)


def test_boards_of_before_keep_their_order() -> None:
    """As the migration leaves them: by rating, and not behind."""
    cast = make_team_cast()
    cast.track.board_by = BoardBy.RATING
    cast.track.save()
    rate_three(cast)
    assert Board.objects.get().rule_board_by == BoardBy.RATING
    assert list(Standing.objects.values_list("order_value", flat=True)) == [32.0, 31.0, 30.0]


def test_the_command_that_adds_a_track_orders_its_board() -> None:
    cast = make_team_cast(system="elo")
    where = ["add_track", f"--ladder={cast.ladder.slug}", "--period=7d", "--quiet"]
    call_command(*where, "--system=glicko", "--ordered-by=conservative")
    assert cast.ladder.tracks.get(system="glicko").board_by == BoardBy.CONSERVATIVE
    with pytest.raises(CommandError, match="no deviation"):
        call_command(*where, "--system=elo_normal", "--ordered-by=conservative")
    assert not cast.ladder.tracks.filter(system="elo_normal").exists()
