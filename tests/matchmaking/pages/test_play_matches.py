"""The pages of matches for players, from the start to the result, and how much is read for them."""

import html
import re
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from foundation import clock
from matchmaking.models import Offer, Queue, Ticket
from matchmaking.offers import answer as offers
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from ratings.models import Game, MatchState, Mode, Outcome, Report
from tests.chance import without_chance
from tests.leaderboards.site import make_site
from tests.matchmaking.hall import make_hall
from tests.matchmaking.visiting import (
    HTMX,
    make_account,
    meet,
    queue_page_of,
    say,
    search,
    stage_of,
    text_of,
    words_of,
)
from tests.ratings.arena import DAY, START, Played

pytestmark = pytest.mark.django_db


def figures_of(client: Client) -> dict[str, str]:
    """Of the card of the only queue: how many search, and play."""
    found = re.findall(r"<dt>(Searching|Playing)</dt><dd>([\d,]+)</dd>", text_of(client, "/play/"))
    return dict(found)


def test_a_match_is_reported_by_both() -> None:
    hall = make_hall()
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    match = meet(hall)
    report = f"/play/matches/{match.pk}/report/"
    assert figures_of(anna) == {"Searching": "0", "Playing": "1"}
    answer = anna.post(report, {"outcome": "won", "queue": hall.queue.slug})
    assert answer.headers["Location"] == queue_page_of(hall)
    assert stage_of(anna, hall) == "match.reported"
    assert figures_of(anna)["Playing"] == "1"  # only one side has said so
    assert "“I won.”" in text_of(bernd, queue_page_of(hall))
    assert bernd.post(report, {"outcome": "lost"}).headers["Location"].endswith(f"/{match.pk}/")
    text = text_of(anna, queue_page_of(hall))
    assert "You won against <bdi>Bernd</bdi>" in text
    assert "Find another match" in text
    match.refresh_from_db()
    assert match.state == MatchState.CONFIRMED
    assert figures_of(anna)["Playing"] == "0"


@pytest.mark.parametrize(
    ("said", "state", "words"),
    [
        (("won", "won"), "disputed", "Your reports contradict each other"),
        (("not_played", "not_played"), "aborted", "was not played"),
        (("left", "won"), "confirmed", "You lost against Bernd"),
        (("drawn", "drawn"), "confirmed", "You drew with Bernd"),
    ],
)
def test_other_endings(said: tuple[str, str], state: str, words: str) -> None:
    hall = make_hall()
    clients = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    match = meet(hall)
    for client, outcome in zip(clients, said, strict=True):
        client.post(f"/play/matches/{match.pk}/report/", {"outcome": outcome})
    match.refresh_from_db()
    assert match.state == state
    assert words in words_of(clients[0], queue_page_of(hall))
    assert match.participants.filter(left_early=True).count() == (said[0] == "left")


def test_in_a_simulated_game_any_result_may_be_chosen() -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    meet(hall)
    assert "choose any result" not in text_of(anna, queue_page_of(hall))
    Game.objects.update(simulated=True)
    minutes = hall.ladder.abandon_minutes
    assert f"choose any result within {minutes} minutes" in text_of(anna, queue_page_of(hall))


def test_a_word_that_means_nothing_is_refused() -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    match = meet(hall)
    anna.post(f"/play/matches/{match.pk}/report/", {"outcome": "cheated"})
    assert "Choose how the match ended." in text_of(anna, f"/play/matches/{match.pk}/")
    assert not Report.objects.exists()


def test_a_match_of_the_game_itself_can_be_reported() -> None:
    """A match that no queue has made stands on the page of every queue of the game, and by itself."""
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    with clock.at(clock.now() - timedelta(minutes=5)):
        hall.seconds = (clock.now() - hall.now).total_seconds()
        match = hall.put_into_match(0, against=1)
    assert stage_of(anna, hall) == "match.playing"
    assert "How did it end?" in text_of(anna, f"/play/matches/{match.pk}/")


def test_a_search_that_ended_in_silence_is_told() -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    search(hall, 0)
    Ticket.objects.update(seen_at=clock.now() - timedelta(hours=1))
    sweep.run_queue(hall.queue.pk)
    assert "no page of this site was open for more than 60 s." in text_of(anna, queue_page_of(hall))
    assert stage_of(anna, hall) == "idle"
    Queue.objects.create(ladder=hall.ladder, slug="other", name="Other")
    assert "was away" not in text_of(anna, "/play/in/other/")
    search(hall, 0)
    assert "was away" not in text_of(anna, queue_page_of(hall))


def test_who_does_not_answer_is_out_and_told() -> None:
    hall = make_hall()
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    _own, other = search(hall, 0, 1)
    sweep.run_queue(hall.queue.pk)
    offers.accept(ticket_id=other.pk)
    past = clock.now() - timedelta(minutes=2)
    Offer.objects.update(created_at=past, expires_at=past + timedelta(seconds=20))
    sweep.run_queue(hall.queue.pk)
    assert "answer an offer in time" in text_of(anna, queue_page_of(hall))
    assert "Somebody else didn't accept the last offer." in text_of(bernd, queue_page_of(hall))
    assert stage_of(bernd, hall) == "searching"


def test_looking_is_a_sign_of_life() -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    (ticket,) = search(hall, 0)
    Ticket.objects.update(seen_at=clock.now() - timedelta(seconds=50))
    text_of(anna, queue_page_of(hall))
    ticket.refresh_from_db()
    assert clock.now() - ticket.seen_at < timedelta(seconds=40)


def test_normal_mode_shows_no_number() -> None:
    # No key of a row is as large.
    hall = make_hall(mode=Mode.NORMAL, gap_start=543_219_800.0)
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    hall.rate({0: 543_219_860.0, 1: 543_219_868.0})
    search(hall, 0)
    texts = [text_of(anna, queue_page_of(hall)), text_of(anna, "/play/")]
    lifecycle.cancel(ticket_id=Ticket.objects.get().pk)
    match = meet(hall)
    texts.append(text_of(bernd, queue_page_of(hall)))
    say(match, hall, 0, Outcome.WON)
    say(match, hall, 1, Outcome.LOST)
    texts += [text_of(anna, queue_page_of(hall)), text_of(anna, f"/play/matches/{match.pk}/")]
    for text in texts:
        assert re.search(r"543\D?219\D?8", without_chance(text)) is None
        assert 'class="rating' not in text
        assert "expected" not in text
    assert "Normal mode: there is no public rating." in texts[-1]


def test_ranked_mode_shows_rating_and_expectation() -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    hall.rate({0: 1600.0, 1: 1500.0})
    meet(hall)
    text = text_of(anna, queue_page_of(hall))
    assert 'class="expected-bar"' in text
    assert "1500</span>" in text


def test_who_takes_part_finds_the_way_from_the_match_to_the_report() -> None:
    hall = make_hall()
    anna, stranger = make_account(hall, 0, "anna"), make_account(hall, 2, "mallory")
    match = meet(hall)
    link = f'href="/play/matches/{match.pk}/"'
    assert link in text_of(anna, f"/matches/{match.pk}/")
    assert link not in text_of(stranger, f"/matches/{match.pk}/")
    say(match, hall, 0, Outcome.WON)
    say(match, hall, 1, Outcome.LOST)
    assert link not in text_of(anna, f"/matches/{match.pk}/")


def test_the_part_comes_alone_and_is_silent_without_news() -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    search(hall, 0)
    part = text_of(anna, queue_page_of(hall), headers=HTMX)
    assert part.lstrip().startswith('<div class="stage stage-searching"')
    again = re.search(r'hx-get="([^"]+)"', part)
    assert again is not None
    address = html.unescape(again[1])
    assert anna.get(address, headers=HTMX).status_code == 204
    search(hall, 1)
    sweep.run_queue(hall.queue.pk)
    news = text_of(anna, address, headers=HTMX)
    assert "Match found" in news
    assert 'id="announcement"' in news
    assert "Accept it within" in news


def test_visitors_who_act_in_a_part_are_sent_to_sign_in() -> None:
    hall = make_hall()
    answer = Client().post(f"{queue_page_of(hall)}search/", headers=HTMX)
    assert "/accounts/login/" in answer.headers["HX-Redirect"]


@pytest.mark.parametrize("address", ["/play/", "queue"])
def test_the_number_of_queries_is_bounded(address: str) -> None:
    hall = make_hall(players=8)
    anna = make_account(hall, 0, "anna")
    path = queue_page_of(hall) if address == "queue" else address
    few = count_queries(anna, path)
    for number in range(5):
        Queue.objects.create(ladder=hall.ladder, slug=f"q{number}", name=f"Queue {number}")
    search(hall, 1, 2, 3, 4, 5)
    assert count_queries(anna, path) == few
    search(hall, 0)
    assert count_queries(anna, path) <= few + 5
    sweep.run_queue(hall.queue.pk)
    assert count_queries(anna, path) <= few + 7


def test_a_match_is_read_with_few_queries() -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    meet(hall)
    assert count_queries(anna, queue_page_of(hall)) <= 22  # two of them for the bar


def count_queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        text_of(client, path)
    return len(queries)


def test_it_speaks_german() -> None:
    hall = make_hall()
    text = text_of(Client(), queue_page_of(hall), headers={"Accept-Language": "de"})
    assert '<html lang="de"' in text


def test_a_result_that_waits_for_the_end_of_a_short_period_counts_down() -> None:
    site = make_site(system="glicko", days=7.0)
    (match,) = site.play(Played(13.0, 0, 3, 1.0))
    site.arena.rate(site.track, day=13.5)
    site.anna.user = User.objects.create_user("anna")
    site.anna.save()
    client = Client()
    client.force_login(site.anna.user)
    address = f"/play/matches/{match.pk}/"
    with clock.at(START + 14 * DAY):
        (end,) = re.findall(r'period ends, at <time datetime="([^"]+)"', text_of(client, address))
    with clock.at(datetime.fromisoformat(end) - timedelta(seconds=90)):
        assert 'period ends, in <span role="timer"' in text_of(client, address)
        assert 'data-seconds="90">1:30</span>.' in text_of(client, address)
