"""The life of a pool, and why somebody waits: looked at by who may, ended by who helps, told to who waits."""

import csv
import io
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from foundation import clock
from matchmaking.models import Queue, Ticket
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from ratings.models import Player, Rating, RatingTrack, name_columns
from ratings.players.claim import make_player
from tests.end_to_end.operations.walkers import Walkers
from tests.end_to_end.players import make_queue, working
from tests.ratings.plain import PLAIN

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

POOL = "/admin/matchmaking/queue/pool/"
QUEUE_PAGE = "/play/in/blitz/"


@pytest.fixture
def queue() -> Queue:
    """Of those who wait, only whoever is near fits: 100 points at first, and 10 more with each minute."""
    return make_queue(
        gap_start=100.0, gap_per_second=1 / 6, heartbeat_seconds=600, accept_seconds=600
    )


def rate(player: Player, value: float) -> Player:
    track = RatingTrack.objects.get(ladder__game=player.game)
    Rating.objects.create(track=track, player=player, value=value, **{**PLAIN, "revision": 1})
    return player


def wait(queue: Queue, name: str, value: float, *, seconds: float = 0) -> Ticket:
    """Let somebody search whom a game brings, for so long already."""
    game = queue.ladder.game
    player = Player.objects.create(game=game, external_id=name, **name_columns(name))
    ticket = lifecycle.join(queue=queue, player=rate(player, value))
    since = clock.now() - timedelta(seconds=seconds)
    Ticket.objects.filter(pk=ticket.pk).update(waiting_since=since)
    return ticket


@pytest.mark.full
def test_why_a_search_waits(walkers: Walkers, queue: Queue) -> None:
    olga, anna = walkers.staff(), walkers.player("anna", width=390)
    rate(make_player(game=queue.ladder.game, user=anna.account, name="Anna"), 1500.0)
    far = [wait(queue, name, value) for name, value in (("Bernd", 1700.0), ("Cem", 1900.0))]
    anna.opens(QUEUE_PAGE)
    anna.page.get_by_role("button", name="Find a match").click()
    anna.reads("Searching for an opponent")
    sweep.run_queue(queue.pk)
    assert Ticket.objects.filter(state="waiting").count() == 3
    ticket = Ticket.objects.exclude(pk__in=[one.pk for one in far]).get()
    page = reverse("admin:matchmaking_ticket_change", args=[ticket.pk])
    cancel = reverse("admin:matchmaking_ticket_cancel", args=[ticket.pk])
    # From the list of those who search now to one of them.
    olga.opens("/admin/matchmaking/ticket/")
    olga.follows("now")
    olga.reads("Anna", "Bernd", "Cem")
    olga.page.locator(f'#result_list a[href^="{page}"]').click()
    why = olga.page.locator("#why")
    expect(why).to_contain_text("2 other searches wait here, of 2 players in all.")
    gap = why.locator("tbody tr", has=olga.page.get_by_role("rowheader", name="Rating gap"))
    expect(gap.get_by_role("cell")).to_have_text(
        ["must", re.compile("1\\d\\d"), "200", "2", "2", "2", "2", "0"]
    )
    expect(why).to_contain_text("Nobody fits by now.")
    expect(why).to_contain_text(re.compile(r"In .+, at ±\d+ points, 1 of 2 would fit"))
    expect(why.get_by_role("link", name="Bernd")).to_be_visible()
    expect(why.get_by_role("link", name="Cem")).to_have_count(0)
    olga.fits()
    # Somebody near comes; looked at again, the next sweep matches them.
    dora = wait(queue, "Dora", 1510.0)
    why.get_by_role("link", name="Look again").click()
    expect(why).to_contain_text("The next sweep matches it, with these:")
    expect(why.get_by_role("link", name="Dora")).to_be_visible()
    lifecycle.cancel(ticket_id=dora.pk)
    # All roles may look, staff without one may not; who merely looks ends nothing.
    viewer, support = walkers.staff("Viewer"), walkers.staff("Support")
    walkers.staff("").is_refused(page)
    viewer.opens(page)
    viewer.reads("Why it waits", "Rating gap")
    viewer.is_refused(cancel)
    support.opens(page)
    support.follows("End the search")
    support.reads("It is as if the player cancelled")
    with working():
        support.says_why("asked us to", "End the search")
        support.reads("The search was ended. No match will come of it.")
        anna.reads("Whoever runs this site has ended your search.")
    expect(anna.page.get_by_role("button", name="Find a match")).to_be_visible()
    support.reads("cancelled")


@pytest.mark.full
def test_who_plays_and_when(walkers: Walkers, queue: Queue, tmp_path: Path) -> None:
    olga, tuner = walkers.staff(), walkers.staff("Tuner")
    found = [wait(queue, name, 1500.0, seconds=30) for name in ("Anna", "Bernd")]
    sweep.run_queue(queue.pk)
    given_up = wait(queue, "Cem", 2500.0, seconds=300)
    lifecycle.cancel(ticket_id=given_up.pk)
    assert Ticket.objects.filter(state="offered").count() == len(found)
    walkers.staff("").is_refused(POOL)
    assert walkers.player("dora").status_of(POOL) == 302
    olga.opens(f"/admin/matchmaking/queue/{queue.pk}/change/")
    olga.follows("Who plays, and when")
    olga.reads("Searches by hour and weekday", "What became of searches", "Who quits")
    olga.page.get_by_label("Time", exact=True).select_option(label="the last 7 days")
    olga.page.get_by_label("By hour", exact=True).select_option(label="Wait, nine in ten within")
    olga.page.get_by_label("Time zone").fill("Europe/Berlin")
    olga.presses("Show")
    olga.reads("Wait, nine in ten within by hour and weekday", "Hours are those of Europe/Berlin")
    with olga.page.expect_download() as download:
        olga.page.locator('a[href$="csv=searches"]').click()
    download.value.save_as(tmp_path / "searches.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "searches.csv").read_text())))
    assert sum(int(row["cancelled"]) for row in rows) == 1
    assert sum(int(row["live"]) for row in rows) == len(found)
    olga.is_refused(f"{POOL}?zone=Mars", "“Mars” is no time zone", 400)
    tuner.opens(POOL)
    tuner.reads("Who plays, and when")
