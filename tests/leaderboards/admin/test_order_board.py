"""The page on which an operator chooses what a leaderboard is ordered by: what it says, who may, what it does."""

import pytest
from django.urls import reverse

from accounts.models import AuditEntry
from ratings.models import RatingTrack
from ratings.models.tracks import BoardBy
from tests.leaderboards.cast import make_cast
from tests.ratings.admin_cast import operator, staff
from tests.shown import as_shown

pytestmark = pytest.mark.django_db
ASKED = {"board_by": "rating", "note": "Players expect it."}


def address(track: RatingTrack) -> str:
    return reverse("admin:leaderboards_board_order", args=[track.pk])


def test_it_says_what_follows_and_does_it_with_a_note() -> None:
    track, client = make_cast(1, system="trueskill").track, operator()
    text = as_shown(client.get(address(track)).content.decode())
    assert "the rating less 3 deviations" in text
    assert "Say why" in client.post(address(track), {**ASKED, "note": " "}).content.decode()
    answer = client.post(address(track), ASKED, follow=True).content.decode()
    assert "is put in order by rating" in as_shown(answer)
    track.refresh_from_db()
    assert track.board_by == BoardBy.RATING
    entry = AuditEntry.objects.get(action="track.board_ordered")
    assert (entry.note, entry.target_id) == (ASKED["note"], str(track.pk))


def test_a_system_without_deviation_is_refused_in_words() -> None:
    track, client = make_cast(1, system="elo").track, operator()
    asked = {**ASKED, "board_by": "conservative"}
    answer = client.post(address(track), asked, follow=True).content.decode()
    assert "have no deviation, so there is no conservative rating" in as_shown(answer)
    track.refresh_from_db()
    assert track.board_by == BoardBy.RATING


def test_only_who_may_change_tracks_is_offered_it() -> None:
    track = make_cast(1, system="trueskill").track
    page = reverse("admin:ratings_ratingtrack_change", args=[track.pk])
    assert address(track) in operator().get(page).content.decode()
    viewer = staff("view_ratingtrack")
    assert address(track) not in viewer.get(page).content.decode()
    assert viewer.get(address(track)).status_code == 403
