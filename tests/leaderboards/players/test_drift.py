"""What pages and the API say of points that time takes from everybody, or gives."""

import pytest
from django.test import Client
from django.utils import translation

from leaderboards.boards import refresh
from leaderboards.players.drift import with_drift
from leaderboards.players.profile import ratings_of_player
from ratings.models import Player
from ratings.tasks import rate_due_tracks
from tests.ratings.arena import DAY, START, Played, late, make_arena
from tests.ratings.logs.telling import event, frag, make_server, ratings, tell, track
from tests.shown import as_shown

pytestmark = pytest.mark.django_db


def rated_server() -> Player:
    """Ann has fragged once, on the first day, on a ladder that takes 30 points every seven days."""
    with late(0):
        server = make_server(start=500, decay=30)
    with late(1):
        tell(server, frag(1, "ann", "ben"), event(2, "end"))
        rate_due_tracks()
    return Player.objects.get(external_id="ann")


def page_of(player: Player, day: float) -> str:
    with late(day):
        rate_due_tracks()
        refresh.refresh(track().pk)
        return as_shown(Client().get(f"/players/{player.pk}/").content.decode())


def test_the_page_says_what_is_due_and_what_it_has_come_to() -> None:
    ann = rated_server()
    before = page_of(ann, 6)
    assert "Decay: 30 points are taken from everybody, every 7 days" in before
    assert "whether they play or not; never below 0." in before
    assert "So far" not in before
    after = page_of(ann, 15)
    assert ratings()["ann"] == 520 - 60
    assert "So far −60 on 2 dates." in after
    assert "490 → 460" in after
    assert "520 → 490" in after
    assert after.count("decay: taken from everybody on that date") == 2
    assert "No points are lost." not in page_of(ann, 300)


def test_the_page_says_it_in_german() -> None:
    ann = rated_server()
    with late(15):
        rate_due_tracks()
        client = Client(headers={"accept-language": "de"})
        text = as_shown(client.get(f"/players/{ann.pk}/").content.decode())
    assert (
        "Verfall: Alle 7 Tage verlieren alle 30 Punkte, ob sie spielen oder nicht; nie unter 0."
        in text
    )
    assert "Verfall: an diesem Tag allen abgezogen" in text


def test_the_history_of_the_api_has_a_row_for_each_date() -> None:
    ann = rated_server()
    with late(15):
        rate_due_tracks()
        rows = Client().get(f"/api/v1/players/{ann.pk}/history").json()["results"]
        ladder = Client().get("/api/v1/ladders/live").json()
    told = [(row["kind"], row["rating_before"], row["rating_after"], row["games"]) for row in rows]
    assert told == [("decay", 490, 460, 0), ("decay", 520, 490, 0), ("match", 500, 520, 1)]
    assert [row["at"][:10] for row in rows[:2]] == ["2026-03-15", "2026-03-08"]
    assert ladder["drift_days"] == 7
    assert ladder["drift_next_at"][:10] == "2026-03-22"


def test_with_periods_the_next_date_is_the_end_of_the_one_that_is_open() -> None:
    arena = make_arena(2)
    rated = arena.track("elo", days=10, shown=True, inflation=2.5)
    arena.play(Played(0, 0, 1, 1.0))
    arena.rate(rated, day=25)
    with late(25):
        (shown,) = with_drift(ratings_of_player(arena.players[0], START + 25 * DAY))
    assert shown.drift is not None
    assert (shown.drift.points, shown.drift.every, shown.drift.total) == (2.5, 10, 5)
    assert shown.drift.next_at == START + 30 * DAY


def test_nothing_is_said_where_nothing_drifts() -> None:
    arena = make_arena(2)
    rated = arena.track("elo", shown=True)
    arena.play(Played(0, 0, 1, 1.0))
    arena.rate(rated, day=25)
    with late(25), translation.override("en"):
        (shown,) = with_drift(ratings_of_player(arena.players[0], START + 25 * DAY))
    assert shown.drift is None
