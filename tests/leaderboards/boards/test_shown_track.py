"""Boards and pages when another track is shown: never empty, and what a recount of the ratings says."""

import re
from typing import Any

import pytest
from django.db import connection

from events.models import Event
from foundation import clock
from leaderboards.boards import ranking, refresh
from leaderboards.boards.preview import preview_board
from leaderboards.models import Board, Standing
from leaderboards.visibility import shown_tracks
from ratings.models import RatingTrack
from ratings.runs import replay
from ratings.runs.run import rate_track
from ratings.tasks import rate_due_tracks
from ratings.tracks.promotion import promote_requested, request_promotion
from tests.leaderboards.cast import check_buckets
from tests.leaderboards.site import HTMX, Site, make_site
from tests.ratings.arena import DAY, START, Played

pytestmark = pytest.mark.django_db
NIGHT = 30.0
NOW = START + NIGHT * DAY


@pytest.fixture(autouse=True)
def _wake_ups_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker would do at once is done when the test says so."""
    monkeypatch.setattr("ratings.tracks.promotion.wake", lambda _task: None)


def make_rated_site(**rules: Any) -> tuple[Site, RatingTrack]:
    """Elo is shown, Glicko is not."""
    site = make_site(players=5, system="elo", days=None, lists_provisional=True, **rules)
    glicko = site.arena.track("glicko", days=7)
    site.rate(day=NIGHT)
    site.arena.rate(glicko, day=NIGHT)
    return site, glicko


def ask(track: RatingTrack) -> None:
    with clock.at(NOW):
        request_promotion(track=track, by=None, note="")


def work() -> None:
    with clock.at(NOW):
        rate_due_tracks()


def follow() -> None:
    """What is done when the events are delivered."""
    with clock.at(NOW):
        refresh.follow(list(Event.objects.order_by("pk")))


def board(site: Site) -> list[tuple[str, float, int | None]]:
    track = shown_tracks([site.arena.ladder])[site.arena.ladder.pk]
    return [(row.name, row.value, row.rank) for row in ranking.page(track).rows]


def recount(track: RatingTrack) -> list[tuple[str, float, int]]:
    """The board by the ratings themselves."""
    with clock.at(NOW):
        lines = preview_board(
            None, RatingTrack.objects.select_related("ladder").get(pk=track.pk), now=NOW
        )
    return [(line.player.name, line.value, line.rank) for line in lines.top]


def test_the_board_is_complete_the_moment_it_is_shown() -> None:
    site, glicko = make_rated_site()
    before = board(site)
    ask(glicko)
    with clock.at(NOW):
        refresh.prepare(glicko.pk)
        assert refresh.refresh(glicko.pk) == 0
        assert refresh._due_tracks() == []
        refresh.refresh_due()
        refresh.flip_due()
        assert Standing.objects.filter(track=glicko).count() == 5
        assert not Standing.objects.public().filter(track=glicko).exists()
        assert board(site) == before
        assert promote_requested(glicko.pk)
    assert board(site) == recount(glicko) != before
    check_buckets(glicko)


def test_what_was_rated_after_the_board_was_built_is_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the work without the ladder's lock and the switch: the rest is done under it."""
    site, _glicko = make_rated_site()
    other = site.arena.track("elo", k_new=80)
    site.arena.rate(other, day=NIGHT)
    ask(other)

    def play_once(_track: int) -> None:
        if site.arena.ladder.matches.count() == 20:
            site.play(Played(day=NIGHT - 1, first=4, second=0, score=1.0))
            rate_track(other.pk)

    monkeypatch.setattr(replay, "_preparers", [*replay._preparers, play_once])
    with clock.at(NOW):
        assert promote_requested(other.pk)
    assert board(site) == recount(other)
    assert shown_tracks([site.arena.ladder])[site.arena.ladder.pk].rated_seq == 21
    check_buckets(other)


def test_the_board_shown_before_is_taken_away() -> None:
    site, glicko = make_rated_site()
    ask(glicko)
    work()
    assert set(Board.objects.values_list("track", flat=True)) == {site.track.pk, glicko.pk}
    follow()
    assert Board.objects.get().track == glicko
    assert set(Standing.objects.values_list("track", flat=True)) == {glicko.pk}


def test_a_request_taken_back_leaves_no_board_behind() -> None:
    site, glicko = make_rated_site()
    before = board(site)
    ask(glicko)
    with clock.at(NOW):
        refresh.prepare(glicko.pk)
    ask(site.track)
    with clock.at(NOW):
        refresh.refresh_due()
    assert Board.objects.get().track == site.track
    assert board(site) == before


def test_a_ladder_in_normal_mode_gets_no_board() -> None:
    site, glicko = make_rated_site(mode="normal")
    ask(glicko)
    work()
    follow()
    glicko.refresh_from_db()
    assert glicko.shown
    assert not Board.objects.exists()
    assert site.get(site.address).status_code == 404


def test_open_pages_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that were told while the board was built, and saw the old one again, too."""
    told: list[tuple[list[str], str]] = []
    site, glicko = make_rated_site()
    ask(glicko)
    with clock.at(NOW):
        refresh.prepare(glicko.pk)
        monkeypatch.setattr(refresh, "broadcast", lambda to, kind, **_ids: told.append((to, kind)))
        assert promote_requested(glicko.pk)
    assert told == []
    follow()
    ladder = site.arena.ladder
    topics = [f"ladder:{ladder.pk}", f"game:{ladder.game_id}", "site"]
    assert told == [(topics, "standings.updated")]


def test_the_matches_on_a_player_page_that_is_open_tell_of_the_new_track() -> None:
    site, _glicko = make_rated_site()
    other = site.arena.track("elo", k_new=80)
    site.arena.rate(other, day=NIGHT)
    (again,) = re.findall(r"/players/\d+/\?seen=\w+", site.text(f"/players/{site.anna.pk}/"))
    assert site.get(again, HTMX).status_code == 204
    ask(other)
    work()
    change = other.changes.filter(player=site.anna).latest("pk")
    assert f"+{change.value_after - change.value_before:.1f}</span>" in site.text(again, HTMX)


class KilledError(Exception):
    """In place of the end of the process."""


def killed_at(statement: int, track: RatingTrack) -> bool:
    """Show the track, and end before this statement of its work; whether it came so far."""
    left = [statement]

    def end(execute: object, *given: object) -> object:
        left[0] -= 1
        if left[0] == -1:  # what follows it takes back
            raise KilledError
        return execute(*given)  # type: ignore[operator]

    try:
        with connection.execute_wrapper(end):
            promote_requested(track.pk)
    except KilledError:
        return True
    return False


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_ended_between_any_two_statements_players_see_a_whole_board() -> None:
    site, glicko = make_rated_site()
    before, after = board(site), recount(glicko)
    ask(glicko)
    statement = 0
    with clock.at(NOW):
        while killed_at(statement, glicko):
            assert board(site) == before
            statement += 1
    assert statement > 20
    assert board(site) == after
    check_buckets(glicko)


def test_pages_tell_of_the_track_that_is_shown() -> None:
    site, glicko = make_rated_site()
    ask(glicko)
    work()
    follow()
    mine, old = (site.anna.ratings.get(track=track).value for track in (glicko, site.track))
    for address in ("/", "/search/?q=a", site.address, f"/players/{site.anna.pk}/"):
        text = site.text(address)
        assert f"{mine:.0f}" in text, address
        assert f"{old:.0f}" not in re.sub(r"<[^>]+>", " ", text), address  # tags have keys of rows
    (told,) = site.get(f"/api/v1/players/{site.anna.pk}/ratings").json()["results"]
    assert (told["system"], told["rating"], told["rank"]) == ("glicko", mine, 1)
