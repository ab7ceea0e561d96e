"""Searches and offers that are open while another track is shown."""

import pytest

from matchmaking.models import Ticket
from ratings.models import RatingTrack
from ratings.tasks import rate_due_tracks
from ratings.tracks.parameters import create_track
from ratings.tracks.promotion import request_promotion
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db


def make_two_tracks(players: int) -> tuple[Hall, RatingTrack]:
    hall = make_hall(players, gap_start=100, gap_per_second=0, gap_cap=100)
    RatingTrack.objects.filter(pk=hall.track.pk).update(shown=True)
    with hall.at_now():
        other = create_track(
            ladder=hall.ladder,
            system="elo",
            parameters={"k_new": 60},
            period_days=None,
            shown=False,
        )
    return hall, other


def show(hall: Hall, track: RatingTrack) -> None:
    with hall.at_now():
        request_promotion(track=track, by=None, note="")
        rate_due_tracks()


def test_whoever_waits_is_paired_by_the_ratings_shown_then() -> None:
    hall, other = make_two_tracks(4)
    hall.rate({0: 1000, 1: 1000, 2: 2000, 3: 2000})
    hall.rate({0: 1000, 1: 2000, 2: 1000, 3: 2000}, other)
    hall.join(0, 3)
    assert hall.sweep().offers == 0
    show(hall, other)
    hall.join(1, 2)
    hall.sweep()
    assert hall.pairs() == {frozenset({0, 2}), frozenset({1, 3})}
    assert set(Ticket.objects.values_list("rating", flat=True)) == {1000, 2000}
    hall.check()


def test_an_offer_that_is_open_stands() -> None:
    hall, other = make_two_tracks(2)
    hall.rate({0: 1000, 1: 1000})
    hall.rate({0: 1000, 1: 2000}, other)
    hall.join(0, 1)
    hall.sweep()
    show(hall, other)
    hall.accept(0)
    hall.accept(1)
    assert hall.states(0, 1) == ["matched", "matched"]
    hall.check()
