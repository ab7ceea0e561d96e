"""Matches that do not tell what a system rates by are passed over, and operators are told how many."""

from io import StringIO

import pytest
from django.core.management import call_command

from ratings.models import Participant
from ratings.tracks.passed_over import passed_over, passed_over_in_words
from tests.ratings.admin_cast import operator
from tests.ratings.arena import make_arena, random_history

pytestmark = pytest.mark.django_db


def test_a_track_tells_how_many_matches_it_passed_over() -> None:
    """Of five, two tell what ZoneStats needs; the backlog alone said that none was left unrated."""
    arena = make_arena()
    elo, zone = arena.track(shown=True), arena.track("zonestats")
    matches = arena.play(*random_history(5, 4, days=3))
    Participant.objects.filter(match__in=matches[:2]).update(score=3.0, minutes=10.0)
    for track in (elo, zone):
        arena.rate(track)
    assert (zone.rated_seq, passed_over([zone, elo])) == (5, {zone.pk: 3})
    told = "3 matches were passed over: they do not tell score and minutes of everyone."
    assert (passed_over_in_words(zone), passed_over_in_words(elo)) == (told, "")
    client = operator()
    pages = [client.get(f"/admin/ratings/ratingtrack/{one.pk}/change/") for one in (zone, elo)]
    assert [told in page.content.decode() for page in pages] == [True, False]


@pytest.mark.parametrize("place", ["/admin/", "/admin/ratings/ladder/{}/change/"])
def test_tables_of_tracks_say_it_of_those_that_pass_over(place: str) -> None:
    """Where "Not rated: 0" stood, though three were not."""
    arena = make_arena()
    elo, zone = arena.track(shown=True), arena.track("zonestats")
    matches = arena.play(*random_history(5, 4, days=3))
    Participant.objects.filter(match__in=matches[:2]).update(score=3.0, minutes=10.0)
    for track in (elo, zone):
        arena.rate(track)
    page = operator().get(place.format(arena.ladder.pk)).content.decode()
    rows = [row for row in page.split("<tr>") if "/admin/ratings/ratingtrack/" in row]
    said = {
        track: [row for row in rows if f"ratingtrack/{track.pk}/" in row] for track in (elo, zone)
    }
    assert ["passed over" in row for row in said[elo]] == [False]
    assert ["3 passed over" in row for row in said[zone]] == [True]
    assert "Still to rate" in page
    assert "Not rated" not in page


def test_adding_a_track_that_can_rate_nothing_says_so() -> None:
    arena = make_arena()
    elo = arena.track(shown=True)
    arena.play(*random_history(1, 4, days=3))
    arena.rate(elo)
    said = StringIO()
    call_command(
        "add_track", "--ladder=go", "--system=frags", "--quiet", stdout=StringIO(), stderr=said
    )
    assert "1 match was passed over: it does not tell the score of everyone." in said.getvalue()
