"""The page that lets players see another track: what it says before, who may, what it does and refuses."""

import html
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import AuditEntry
from foundation import clock
from matchmaking.models import Queue
from ratings.models import RatingTrack
from ratings.tasks import rate_due_tracks
from ratings.tracks.promotion import shown_track
from tests.leaderboards.site import HTMX, Site, make_site
from tests.ratings.admin_cast import operator, staff
from tests.ratings.arena import DAY, START
from tests.shown import as_shown

pytestmark = pytest.mark.django_db
NIGHT = 30.0
NOTE = {"note": "It predicts better."}


def make_rated_site(system: str = "trueskill", **rules: Any) -> tuple[Site, RatingTrack]:
    """Elo is shown, another system is not."""
    site = make_site(system="elo", days=None, lists_provisional=True, **rules)
    other = site.arena.track(system)
    site.rate(day=NIGHT)
    site.arena.rate(other, day=NIGHT)
    return site, other


def address(track: RatingTrack) -> str:
    return reverse("admin:leaderboards_board_show", args=[track.pk])


def page_of(client: Client, track: RatingTrack, query: str = "", **more: Any) -> Any:
    with clock.at(START + NIGHT * DAY):
        return client.get(address(track) + query, **more)


def ask(client: Client, track: RatingTrack) -> Any:
    with clock.at(START + NIGHT * DAY):
        return client.post(address(track), NOTE, follow=True)


def test_it_says_what_would_change_and_changes_nothing() -> None:
    site, other = make_rated_site()
    queue = Queue.objects.create(ladder=site.arena.ladder, slug="duel", name="Duel queue")
    answer = page_of(operator(), other)
    text = as_shown(answer.content.decode())
    assert "Show Go · trueskill to players" in text
    assert '<th scope="row">System</th><td>Elo</td><td>TrueSkill</td>' in text
    assert "1 queue no longer suits the ratings." in text
    assert f'href="/admin/matchmaking/queue/{queue.pk}/change/">Duel queue</a>' in text
    assert (
        '<td>Rating gap at the start</td><td class="figure">100</td><td class="figure">2.1</td>'
        in text
    )
    assert f'hx-get="{address(other)}"' in text
    assert shown_track(site.arena.ladder) == site.track
    assert not RatingTrack.objects.filter(shown_next=True).exists()


def test_queues_are_spoken_of_where_there_are_some() -> None:
    site, other = make_rated_site("elo")
    words = "Their settings mean the same on the scale of this track."
    olga = operator()
    assert words not in page_of(olga, other).content.decode()
    Queue.objects.create(ladder=site.arena.ladder, slug="duel", name="Duel queue")
    assert words in page_of(olga, other).content.decode()


@pytest.mark.parametrize("way", ["htmx", "now"])
def test_both_boards_side_by_side(way: str) -> None:
    _site, other = make_rated_site()
    by_htmx = {"headers": HTMX} if way == "htmx" else {}
    answer = page_of(operator(), other, "" if by_htmx else "?now=1", **by_htmx)
    text = " ".join(answer.content.decode().split())
    assert ("<html" in text) is (way == "now")
    assert "hx-get" not in text
    assert answer.context["preview"].top[0].player.name == "Anna"
    for name in ("Anna", "Björn", "Çelik", "Dmitri"):
        assert name in text
    assert "4 players are on both leaderboards." in text
    assert '<span class="rating-value">25.0</span>' in text


def test_players_see_it_when_the_worker_has_done_it() -> None:
    site, other = make_rated_site()
    Queue.objects.create(ladder=site.arena.ladder, slug="duel", name="Duel queue")
    answer = ask(operator(), other)
    said = " ".join(str(message) for message in answer.context["messages"])
    assert "Players see Go · trueskill as soon as its leaderboard is ready" in said
    assert "Look at the settings of: Duel queue." in said
    assert shown_track(site.arena.ladder) == site.track
    with clock.at(START + NIGHT * DAY):
        rate_due_tracks()
    assert shown_track(site.arena.ladder) == other
    entry = AuditEntry.objects.get(action="track.show_requested")
    assert entry.actor is not None
    assert (entry.note, entry.target_id) == (NOTE["note"], str(other.pk))


def test_a_reason_is_required() -> None:
    _site, other = make_rated_site()
    with clock.at(START + NIGHT * DAY):
        answer = operator().post(address(other), {"note": ""})
    assert "Say why, so that others can understand it later." in answer.content.decode()
    assert not RatingTrack.objects.filter(shown_next=True).exists()


@pytest.mark.parametrize("codename", ["view_ratingtrack", "add_ratingtrack", "change_board"])
def test_it_requires_the_permission_to_change_tracks(codename: str) -> None:
    _site, other = make_rated_site()
    client = staff(codename)
    assert page_of(client, other).status_code == 403
    assert page_of(client, other, headers=HTMX).status_code == 403
    assert ask(client, other).status_code == 403
    assert not RatingTrack.objects.filter(shown_next=True).exists()


def test_it_requires_staff() -> None:
    _site, other = make_rated_site()
    assert page_of(Client(), other).status_code == 302


def test_a_track_that_is_not_there() -> None:
    assert operator().get("/admin/leaderboards/board/show/123456789/").status_code == 404


def test_what_cannot_be_shown_is_said_on_the_page_and_when_asked() -> None:
    site, _other = make_rated_site()
    client, late = operator(), site.arena.track("elo", k_new=50)
    text = page_of(client, late).content.decode()
    assert "has not caught up: it has rated up to match 0 of 12" in text
    assert '<form method="post" novalidate>' not in text
    said = [str(message) for message in ask(client, late).context["messages"]]
    assert "has not caught up" in said[0]
    assert page_of(client, site.track).content.decode().count("Players see Go · elo already.") == 1


def test_taking_it_back() -> None:
    site, other = make_rated_site()
    client = operator()
    ask(client, other)
    text = page_of(client, site.track).content.decode()
    assert "Keep showing Go · elo" in text
    said = [str(message) for message in ask(client, site.track).context["messages"]]
    assert said == ["Players keep seeing Go · elo."]
    assert not RatingTrack.objects.filter(shown_next=True).exists()


def test_the_comparison_and_the_track_lead_to_it() -> None:
    site, other = make_rated_site()
    client, ladder = operator(), site.arena.ladder
    compare = reverse("admin:ratings_ladder_compare", args=[ladder.pk])

    def ways(address_of_page: str, who: Client = client) -> list[int]:
        text = who.get(address_of_page).content.decode()
        return [pk for pk in (other.pk, site.track.pk) if address(RatingTrack(pk=pk)) in text]

    change_of = {
        t.pk: reverse("admin:ratings_ratingtrack_change", args=[t.pk]) for t in (other, site.track)
    }
    assert ways(compare) == ways(change_of[other.pk]) == [other.pk]
    assert ways(change_of[site.track.pk]) == []
    looker = staff("view_ratingtrack")
    assert ways(compare, looker) == ways(change_of[other.pk], looker) == []
    ask(client, other)
    assert ways(compare) == ways(change_of[site.track.pk]) == [site.track.pk]
    assert ways(change_of[other.pk]) == []


def test_a_ladder_in_normal_mode_has_no_board_to_compare() -> None:
    _site, other = make_rated_site(mode="normal")
    client = operator()
    text = page_of(client, other, "?now=1").content.decode()
    assert "The ladder is in normal mode: no page for players shows its ratings" in text
    assert "track-preview" not in text
    assert "Anna" not in page_of(client, other, headers=HTMX).content.decode()


def test_a_system_that_asks_for_more() -> None:
    site, _other = make_rated_site()
    frags = site.arena.track("frags")
    RatingTrack.objects.filter(pk=frags.pk).update(rated_seq=site.arena.ladder.matches.count())
    text = page_of(operator(), frags).content.decode()
    assert "Results must include more:" in text
    assert "a score for everyone." in text
    assert "minutes for everyone." not in text


def test_the_number_of_queries_does_not_grow_with_players() -> None:
    client = operator()

    def queries(players: int) -> int:
        _site, other = make_rated_site(players=players, slug=f"go-{players}")
        page_of(client, other)
        with CaptureQueriesContext(connection) as captured:
            page_of(client, other, "?now=1")
        return len(captured)

    assert queries(3) == queries(6)


def test_a_queue_that_suits_neither_track_is_told_of() -> None:
    """Both are on one scale, so that nothing would mean something else; yet the gap was made for another."""
    site, other = make_rated_site("elo")
    Queue.objects.create(ladder=site.arena.ladder, slug="duel", name="Duel queue", gap_start=4)
    text = html.unescape(page_of(operator(), other).content.decode())
    told = "Duel queue: Rating gap at the start is 4, but on the scale of this ladder's ratings 100"
    assert told in text
    assert "Their settings mean the same" in text
