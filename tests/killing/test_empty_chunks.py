"""A stretch of the sequence in which nothing is left to rate: found by the harness, where a session had just begun."""

import pytest
from django.db import connection

from events.models import Event
from ratings.models import MatchState
from ratings.runs.sequence import sequence_confirmed
from tests.ratings.arena import Played, make_arena

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_new_session_passes_over_places_whose_matches_were_annulled() -> None:
    arena = make_arena()
    track = arena.track()
    (match,) = arena.play(Played(1, 0, 1, 1.0))
    sequence_confirmed(arena.ladder.pk)
    match.refresh_from_db()
    match.state = MatchState.ANNULLED
    match.save()
    connection.close()  # the next session has no staging tables yet
    report = arena.rate(track)
    assert (report.matches, track.rated_seq) == (0, 1)
    assert not Event.objects.filter(kind="ratings.changed").exists()
