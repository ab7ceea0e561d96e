"""The start page and the page of a game."""

import html
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from matchmaking.models import Queue, Ticket, TicketMember
from ratings.matches.start import start_match
from ratings.models import Game, Ladder, Match, MatchState, Mode
from tests.leaderboards.site import HTMX, Site, count_queries, make_site
from tests.ratings.arena import Played
from tests.worlds import shared

pytestmark = pytest.mark.django_db


@shared
def site() -> Site:
    return make_site()


ADDRESSES = ["/", "/games/go/"]


@pytest.mark.django_db(transaction=True)
def test_the_first_steps_lead_to_a_queue_to_play_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its commands as they stand there, one after the other."""
    monkeypatch.chdir(tmp_path)
    Path("matches.csv").write_text("date,player_a,player_b,score_a\n2026-11-01,Ann,Bob,1\n")
    text = Client().get("/").content.decode()
    text = re.sub(r"</?span[^>]*>", "", text)
    commands = re.findall(r"<pre><code>\S+ manage\.py (.+)</code></pre>", text)
    assert [command.split()[0] for command in commands] == [
        "createsuperuser",
        "import_matches",
        "add_queue",
    ]
    for command in commands[1:]:
        call_command(*html.unescape(command).split(), stdout=StringIO())
    queue = Queue.objects.get()
    assert f'href="/play/in/{queue.slug}/"' in Client().get("/play/").content.decode()


@pytest.mark.parametrize("address", ADDRESSES)
def test_it_works(address: str, site: Site) -> None:
    text = site.text(address)
    assert f'href="{site.address}"' in text
    assert f'href="/players/{site.anna.pk}/"' in text
    assert "<b>4</b> players" in text
    assert "<b>12</b> matches" in text
    assert text.count("lines-result") == min(12, 8 if address == "/" else 12)


def test_leaders_come_best_first() -> None:
    text = make_site().text("/")
    leaders = text[text.index("ladder-leaders") : text.index("card-facts")]
    assert leaders.index("Anna") < leaders.index("Björn") < leaders.index("Çelik")
    assert "Dmitri" not in leaders
    assert "rating-provisional" not in leaders


def test_provisional_leaders_are_marked() -> None:
    text = make_site(established_after=1000, lists_provisional=True).text("/")
    leaders = text[text.index("ladder-leaders") : text.index("card-facts")]
    assert leaders.count("rating-provisional") == 3


@pytest.mark.parametrize("system", ["elo", "glicko"])
def test_latest_matches_show_what_they_did(system: str) -> None:
    site = make_site(system=system, days=None if system == "elo" else 7.0)
    lines = site.text("/").split("lines-result")[1:]
    assert len(lines) == 8
    for line in lines:
        assert "delta-gain" in line
        assert "delta-loss" in line


def test_a_match_that_waits_says_so(site: Site) -> None:
    site.play(Played(20.0, 0, 1, 1.0))
    assert "not rated yet" in site.text("/")


def test_an_empty_site_says_what_to_do() -> None:
    answer = Client().get("/")
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "import_matches" in text
    assert "createsuperuser" in text
    assert "/admin/" in text


def test_a_game_without_ladders_says_so() -> None:
    Game.objects.create(slug="chess", name="Chess")
    answer = Client().get("/games/chess/")
    assert answer.status_code == 200
    assert "No public ladder yet" in answer.content.decode()


def test_a_simulated_game_says_so(site: Site) -> None:
    Game.objects.update(simulated=True)
    assert "simulated" in site.text("/games/go/")


def test_a_game_that_is_not_there() -> None:
    assert Client().get("/games/nothing/").status_code == 404


@pytest.mark.parametrize("address", ADDRESSES)
def test_it_hides_what_is_not_public(address: str) -> None:
    site = make_site(mode=Mode.NORMAL)
    text = site.text(address)
    assert site.address not in text
    assert "lines-result" not in text
    assert "Anna" not in text


def test_it_hides_a_track_that_is_not_shown() -> None:
    text = make_site(shown=False).text("/")
    assert "ladder-leaders" not in text
    assert "delta-gain" not in text


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_number_of_queries_is_constant(address: str) -> None:
    site = make_site(players=3, rounds=1)
    few = count_queries(site, address)
    add_ladders(site, 3)
    assert count_queries(site, address) == few


@pytest.mark.parametrize("address", ADDRESSES)
def test_it_speaks_german(address: str, site: Site) -> None:
    with translation.override("de"):
        answer = site.get(address, {"Accept-Language": "de"})
    assert answer.status_code == 200
    assert '<html lang="de"' in answer.content.decode()


def test_figures_of_now_and_nothing_new(site: Site) -> None:
    player = site.arena.players[3]
    queue = Queue.objects.create(ladder=site.arena.ladder, slug="go", name="Go")
    TicketMember.objects.create(ticket=Ticket.objects.create(queue=queue), player=player)
    Match.objects.filter(pk=site.matches[0].pk).update(played_at=site.now)
    page = site.text("/")
    figures = re.findall(r'class="stat-value">([\d,]+)<', page)
    assert figures == ["1", "0", "1"]
    found = re.search(r'data-live-calm hx-get="([^"]+)"', page)
    assert found is not None
    address = html.unescape(found[1])
    assert site.get(address, HTMX).status_code == 204
    assert count_queries_of_nothing(site, address) < count_queries(site, "/")
    Match.objects.filter(pk=site.matches[0].pk).update(
        state=MatchState.PLAYING,
        due_at=site.now,
        confirmed_at=None,
        ladder_seq=None,
        counts_at=None,
    )
    news = site.get(address, HTMX).content.decode()
    assert news.lstrip().startswith('<div class="home-live"')
    assert re.findall(r'class="stat-value">([\d,]+)<', news) == ["1", "1", "0"]
    Match.objects.filter(pk=site.matches[0].pk).update(state=MatchState.REPORTED)
    assert re.findall(r'class="stat-value">([\d,]+)<', site.text("/")) == ["1", "1", "0"]


def test_normal_mode_is_in_no_figure() -> None:
    """One person searches, plays or has played today: a total would be that person."""
    site = make_site(mode=Mode.NORMAL)
    queue = Queue.objects.create(ladder=site.arena.ladder, slug="go", name="Go")
    ticket = Ticket.objects.create(queue=queue)
    TicketMember.objects.create(ticket=ticket, player=site.arena.players[3])
    Match.objects.filter(pk=site.matches[0].pk).update(played_at=site.now)
    Ladder.objects.create(
        game=site.arena.game, slug="open", name="Open"
    )  # the page has its figures
    start_match(ladder=site.arena.ladder, teams=[[player.pk] for player in site.arena.players[:2]])
    assert re.findall(r'class="stat-value">([\d,]+)<', site.text("/")) == ["0", "0", "0"]


def count_queries_of_nothing(site: Site, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert site.get(address, HTMX).status_code == 204
    return len(queries)


def add_ladders(site: Site, count: int) -> None:
    """More ladders of the same game, with players and matches of their own."""
    for number in range(count):
        site.arena.ladder.pk = None
        site.arena.ladder._state.adding = True
        site.arena.ladder.slug = f"go-{number}"
        site.arena.ladder.last_seq = 0
        site.arena.ladder.counted_until = None
        site.arena.ladder.save()
        track = site.arena.track("glicko", days=7.0, shown=True)
        more = Site(site.arena, track, [], site.now)
        more.play(Played(0.5, 0, 1, 1.0), Played(8.5, 1, 2, 1.0), Played(9.0, 0, 2, 0.5))
        more.rate(day=40)


@pytest.mark.parametrize("language", ["en", "de"])
def test_its_two_searches_have_names_of_their_own(language: str, site: Site) -> None:
    text = site.text("/", {"Accept-Language": language})
    names = re.findall(r'role="search" aria-label="([^"]+)"', text)
    assert len(names) == len(set(names)) == 2


def test_it_says_which_matches_its_figures_count(site: Site) -> None:
    assert "Counted in ranked mode alone" in site.text("/")
