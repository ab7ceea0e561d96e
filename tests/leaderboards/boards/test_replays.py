"""Boards and pages while ratings are computed anew: always one whole generation, never an empty page."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import InternalError, connection, transaction
from django.test import Client

from foundation import clock
from foundation.postgresql.transactions import one_snapshot
from leaderboards.boards import ranking, refresh
from leaderboards.models import Board, Standing
from leaderboards.visibility import shown_tracks
from ratings.models import Ladder, RatingTrack, TrackState
from ratings.runs.replay import finish_replay
from ratings.runs.run import due_replays, rate_track
from tests.leaderboards.cast import check_buckets
from tests.leaderboards.site import Site, add_players, make_site
from tests.processes import wait_until
from tests.ratings.arena import DAY, START, Played
from tests.ratings.replays import annul, rate_all

NIGHT = 30.0  # days after START: everything is over
KINDS = [("elo", None), ("glicko", 7.0)]


@pytest.fixture(autouse=True)
def _wake_ups_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker would do at once is done when the test says so."""
    monkeypatch.setattr("ratings.runs.replay.wake", lambda _task: None)


def make_rated_site(system: str, days: float | None) -> Site:
    """Everybody is listed, so that a page shows all of a generation."""
    site = make_site(system=system, days=days, lists_provisional=True)
    site.rate(day=NIGHT)
    return site


def board(ladder: Ladder) -> list[tuple[int, str, float]]:
    """What a visitor reads, as the page reads it."""
    track = shown_tracks([ladder])[ladder.pk]
    return [(row.rank, row.name, row.value) for row in ranking.page(track).rows]


def rated(track: RatingTrack) -> list[float]:
    return sorted(track.ratings.values_list("value", flat=True), reverse=True)


@pytest.mark.django_db
@pytest.mark.parametrize(("system", "days"), KINDS)
def test_the_board_of_a_replay_is_built_before_it_is_shown(system: str, days: float | None) -> None:
    site = make_rated_site(system, days)
    before = board(site.arena.ladder)
    (pk,) = annul(site.matches[0])
    with clock.at(START + NIGHT * DAY):
        rate_track(pk, until=START + NIGHT * DAY)
        refresh.prepare(pk)
        assert Standing.objects.filter(track=pk).count() == 4
        assert refresh.refresh(pk) == 0
        refresh.refresh_due()
        refresh.flip_due()
        assert Standing.objects.filter(track=pk).count() == 4
        assert not Standing.objects.public().filter(track=pk).exists()
        assert not Board.objects.public().filter(track=pk).exists()
        assert board(site.arena.ladder) == before
        assert finish_replay(pk)
        after = board(site.arena.ladder)
    assert after != before
    replay = RatingTrack.objects.get(pk=pk)
    assert [value for _, _, value in after] == rated(replay)
    check_buckets(replay)


@pytest.mark.django_db
def test_the_board_that_was_replaced_is_taken_away() -> None:
    site = make_rated_site("elo", None)
    annul(site.matches[0])
    rate_all(day=NIGHT)
    assert Board.objects.count() == 2
    with clock.at(START + NIGHT * DAY):
        refresh.refresh_due()
    assert Board.objects.get().track.state == TrackState.LIVE
    assert Standing.objects.filter(track=site.track).count() == 0


@pytest.mark.django_db
def test_a_shadow_s_replay_has_no_board() -> None:
    site = make_site(system="elo", days=None, shown=False)
    (pk,) = annul(site.matches[0])
    rate_all(day=NIGHT)
    assert RatingTrack.objects.get(pk=pk).state == TrackState.LIVE
    assert not Board.objects.exists()


@pytest.mark.django_db
def test_a_normal_ladder_s_replay_has_no_board() -> None:
    site = make_site(system="elo", days=None, mode="normal")
    (pk,) = annul(site.matches[0])
    rate_all(day=NIGHT)
    assert RatingTrack.objects.get(pk=pk).shown
    assert not Board.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("system", "days"), KINDS)
def test_a_page_begun_before_the_switch_ends_with_what_it_began(
    system: str, days: float | None
) -> None:
    site = make_rated_site(system, days)
    ladder = site.arena.ladder
    before = board(ladder)
    annul(site.matches[0])
    with one_snapshot():
        track = shown_tracks([ladder])[ladder.pk]
        in_another_session(switch)
        assert not due_replays_elsewhere()
        rows = ranking.page(track).rows
        assert [(row.rank, row.name, row.value) for row in rows] == before
        assert ranking.counts(track).listed == 4
        assert ranking.ranks_on([track], site.anna.pk)[track.pk].rank == 1
    assert [name for _, name, _ in board(ladder)]
    assert board(ladder) != before


def switch() -> None:
    rate_all(day=NIGHT)
    with clock.at(START + NIGHT * DAY):
        refresh.refresh_due()  # the board that was replaced is gone too


def due_replays_elsewhere() -> list[int]:
    found: list[int] = []
    in_another_session(lambda: found.extend(due_replays()))
    return found


def in_another_session(act: object) -> None:
    """Threads have connections of their own."""

    def run() -> None:
        try:
            act()  # type: ignore[operator]
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(300)
    assert not thread.is_alive()


@contextmanager
def reading(site: Site, address: str) -> Iterator[list[str]]:
    """Pages of this address, read over and over by another session while the block runs."""
    pages: list[str] = []
    over = threading.Event()

    def read() -> None:
        try:
            while not over.is_set():
                pages.append(site.text(address))
        finally:
            connection.close()

    thread = threading.Thread(target=read)
    thread.start()
    try:
        yield pages
    finally:
        over.set()
        thread.join(300)


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_readers_see_one_whole_generation_while_generations_change() -> None:
    site = make_rated_site("elo", None)
    known = {plain(site.text(site.address))}
    with reading(site, site.address) as pages:
        for match in site.matches[:5]:
            before = len(pages)
            annul(match)
            known.add(plain(site.text(site.address)))  # without the match among the latest
            switch()
            known.add(plain(site.text(site.address)))
            wait_until(lambda before=before: len(pages) > before)  # type: ignore[misc]
    assert len(known) > 5
    assert {plain(page) for page in pages} <= known


def plain(page: str) -> str:
    """A page without what differs from request to request."""
    return re.sub(r"(csrf|nonce)[^>]*>|seen=\w+", "", page)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["player", "match", "leaderboard", "home", "search", "game"])
def test_every_page_is_read_as_of_one_moment(kind: str) -> None:
    site = make_rated_site("elo", None)
    addresses = {
        "player": f"/players/{site.anna.pk}/",
        "match": f"/matches/{site.matches[1].pk}/",
        "leaderboard": site.address,
        "home": "/",
        "search": "/search/?q=Anna",
        "game": f"/games/{site.arena.game.slug}/",
    }
    levels: list[str] = []

    def look(execute: object, sql: str, *rest: object) -> object:
        result = execute(sql, *rest)  # type: ignore[operator]
        if "ratings_" in sql:
            levels.append("within" if connection.in_atomic_block else "without")
        return result

    with connection.execute_wrapper(look):
        Client().get(addresses[kind])
    assert set(levels) == {"within"}


@pytest.mark.django_db(transaction=True)
def test_a_snapshot_cannot_write() -> None:
    with pytest.raises(InternalError, match="read-only transaction"), one_snapshot():
        Ladder.objects.update(name="Chess")
    make_rated_site("elo", None)
    with transaction.atomic(), one_snapshot():
        assert Ladder.objects.update(name="Chess") == 1


@pytest.mark.django_db
@pytest.mark.parametrize(("system", "days"), KINDS)
def test_the_page_of_an_annulled_match_says_so(system: str, days: float | None) -> None:
    site = make_rated_site(system, days)
    match = site.matches[0]
    annul(match)
    during = site.text(f"/matches/{match.pk}/")
    assert "It no longer counts. The ratings are being recalculated without it." in during
    rate_all(day=NIGHT)
    page = site.text(f"/matches/{match.pk}/")
    assert "This match was annulled. It no longer counts." in page
    assert "being recalculated" not in page
    assert "was expected to score" not in page
    assert "In this rating period" not in page
    other = site.text(f"/matches/{site.matches[1].pk}/")
    assert "was expected to score" in other


@pytest.mark.django_db
def test_the_history_of_a_player_leaves_out_what_was_annulled() -> None:
    site = make_rated_site("elo", None)
    page = site.text(f"/players/{site.anna.pk}/")
    annul(site.matches[0])
    rate_all(day=NIGHT)
    with clock.at(START + NIGHT * DAY):
        refresh.refresh_due()
    after = site.text(f"/players/{site.anna.pk}/")
    assert f"/matches/{site.matches[0].pk}/" in after
    assert page != after
    track = shown_tracks([site.arena.ladder])[site.arena.ladder.pk]
    games = track.ratings.get(player=site.anna).games
    assert games == 5


@pytest.mark.django_db
def test_a_player_whose_only_match_was_annulled_has_a_page() -> None:
    site = make_rated_site("elo", None)
    add_players(site, 1)
    (match,) = site.play(Played(NIGHT - 1, 4, 0, 1.0))
    site.rate(day=NIGHT)
    newcomer = site.arena.players[4]
    annul(match)
    rate_all(day=NIGHT)
    page = site.text(f"/players/{newcomer.pk}/")
    assert newcomer.name in page
    assert not newcomer.ratings.public().exists()


@pytest.mark.django_db
def test_matches_of_an_annulled_period_are_told_without_it() -> None:
    """Every other game of the period keeps its explanation, from the new ledger."""
    site = make_rated_site("glicko", 7.0)
    annul(site.matches[0])
    rate_all(day=NIGHT)
    page = site.text(f"/matches/{site.matches[1].pk}/")
    assert "was expected to score" in page
    assert f"/matches/{site.matches[0].pk}/" not in page
