"""The pages for players: what each state shows, who may act, and how much is read."""

import html

import pytest
from django.test import Client

from accounts.models import User
from matchmaking.models import Queue, Ticket, TicketState
from matchmaking.pages.queue_page import QueuePage
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from ratings.models import Player, Report
from tests.matchmaking.hall import NOON, make_hall
from tests.matchmaking.visiting import (
    make_account,
    meet,
    queue_page_of,
    search,
    stage_of,
    text_of,
)

pytestmark = pytest.mark.django_db


def test_a_visitor_sees_the_queues_and_the_way_in() -> None:
    hall = make_hall()
    search(hall, 0, 1, 2)
    text = text_of(Client(), "/play/")
    assert f'href="/accounts/login/?next={queue_page_of(hall)}"' in text
    assert "<dd>3</dd>" in text
    assert "My players" not in text
    page = text_of(Client(), queue_page_of(hall))
    assert f'href="/accounts/signup/?next={queue_page_of(hall)}"' in page
    assert stage_of(Client(), hall) == "visitor"


def test_closed_queues_are_not_listed_and_say_so() -> None:
    hall = make_hall(is_open=False)
    client = make_account(hall, 0, "anna")
    assert queue_page_of(hall) not in text_of(client, "/play/")
    assert "This queue is closed" in text_of(client, queue_page_of(hall))
    client.post(f"{queue_page_of(hall)}search/")
    assert "This queue is closed. Choose another one." in text_of(client, queue_page_of(hall))
    assert not Ticket.objects.exists()


def test_without_an_open_queue_an_admin_is_led_to_where_one_is_opened() -> None:
    hall = make_hall(is_open=False)
    way = 'href="/admin/matchmaking/queue/"'
    boss = Client()
    boss.force_login(User.objects.create_superuser("boss"))
    assert way in text_of(boss, "/play/")
    assert way not in text_of(Client(), "/play/")
    helper = Client()  # who may not see queues there
    helper.force_login(User.objects.create_user("helper", is_staff=True))
    assert way not in text_of(helper, "/play/")
    hall.queue.is_open = True
    hall.queue.save()
    assert way not in text_of(boss, "/play/")


def test_in_german_the_button_for_a_queue_is_no_step_of_the_first_ones() -> None:
    """A button says what it does, a step tells what to do; in English both are "Open a queue"."""
    boss = Client(headers={"Accept-Language": "de"})
    boss.force_login(User.objects.create_superuser("boss"))
    assert ">Warteschlange öffnen<" in text_of(boss, "/play/")
    assert "<h3>Öffne eine Warteschlange</h3>" in text_of(boss, "/")


def test_a_queue_that_is_not_there() -> None:
    assert Client().get("/play/in/nothing/").status_code == 404
    assert Client().get("/play/matches/1/").status_code == 302


@pytest.mark.parametrize(
    ("language", "told"), [("en", "no page shows it"), ("de", "keine Seite zeigt sie")]
)
def test_what_is_said_of_normal_mode_is_no_more_than_is_so(language: str, told: str) -> None:
    """How long somebody searches alone with one other bounds how far apart the two ratings are."""
    hall = make_hall()
    text = " ".join(
        text_of(Client(headers={"accept-language": language}), queue_page_of(hall)).split()
    )
    assert told in text
    for promised in ("nobody sees it", "Niemand sieht sie"):
        assert promised not in text
    waits = {
        "en": "how far apart your two ratings are",
        "de": "wie weit eure beiden Wertungen auseinanderliegen",
    }
    assert waits[language] in text


def test_an_account_makes_its_player() -> None:
    hall = make_hall()
    client = Client()
    client.force_login(User.objects.create_user("carla"))
    text = text_of(client, queue_page_of(hall))
    assert "Play Go as" in text
    assert 'value="carla"' in text
    client.post(f"{queue_page_of(hall)}search/")
    assert not Ticket.objects.exists()
    answer = client.post(f"{queue_page_of(hall)}player/", {"name": "  Carla   the Great "})
    assert answer.status_code == 302
    player = Player.objects.get(user__username="carla")
    assert (player.name, player.game) == ("Carla the Great", hall.ladder.game)
    assert "You play as Carla the Great." in text_of(client, queue_page_of(hall))
    assert "Carla the Great" in text_of(client, "/play/")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "This field is required"),
        ("A", "2 to 40 characters"),
        ("***", "at least one letter"),
        ("ca\u200brla", "cannot be seen"),
        ("ANNA", "is taken"),
        ("Änna", "is taken"),
    ],
)
def test_a_name_is_refused_with_its_reason(name: str, words: str) -> None:
    hall = make_hall()
    make_account(hall, 0, "anna")
    client = Client()
    client.force_login(User.objects.create_user("carla"))
    answer = client.post(f"{queue_page_of(hall)}player/", {"name": name})
    assert answer.status_code == 422
    assert words in html.unescape(answer.content.decode())
    assert not Player.objects.filter(user__username="carla").exists()


def test_the_suggested_name_is_free() -> None:
    hall = make_hall()
    hall.players[0].call("Anna")
    hall.players[0].save()
    client = Client()
    client.force_login(User.objects.create_user("Anna"))
    assert 'value="Anna 2"' in text_of(client, queue_page_of(hall))


def test_an_account_has_one_player_in_a_game() -> None:
    hall = make_hall()
    client = make_account(hall, 0, "anna")
    client.post(f"{queue_page_of(hall)}player/", {"name": "Other"})
    assert "You already play this game as Anna." in text_of(client, queue_page_of(hall))
    assert Player.objects.filter(user__isnull=False).count() == 1


def test_a_search_is_begun_shown_and_cancelled() -> None:
    hall = make_hall()
    client = make_account(hall, 0, "anna")
    assert stage_of(client, hall) == "idle"
    assert client.post(f"{queue_page_of(hall)}search/").status_code == 302
    assert stage_of(client, hall) == "searching"
    assert "±&#8239;100 points" in text_of(client, queue_page_of(hall))
    assert "Back to your search" in text_of(client, "/play/")
    client.post(f"{queue_page_of(hall)}search/")  # another tab
    ticket = Ticket.objects.get()
    assert client.post(f"/play/tickets/{ticket.pk}/cancel/").status_code == 302
    assert "Your search has ended." in text_of(client, queue_page_of(hall))
    assert stage_of(client, hall) == "idle"


def test_who_runs_the_site_has_ended_a_search() -> None:
    hall = make_hall()
    client, olga = make_account(hall, 0, "anna"), User.objects.create_user("olga")
    words = "Whoever runs this site has ended your search."
    (own,) = search(hall, 0)
    lifecycle.cancel(ticket_id=own.pk)
    assert words not in text_of(client, queue_page_of(hall))
    (ended,) = search(hall, 0)
    lifecycle.cancel(ticket_id=ended.pk, by=olga, note="asked us to")
    assert words in text_of(client, queue_page_of(hall))


@pytest.mark.parametrize(
    ("gap", "reach"),
    [(0, 0), (0.34, 0.3), (2.1, 2), (9.9, 9.5), (12, 10), (100.4, 100), (140, 125)],
)
def test_how_far_a_search_reaches_is_told_in_steps_of_the_scale(gap: float, reach: float) -> None:
    wide = {"gap_start": gap, "gap_cap": None}
    page = QueuePage(queue=Queue(**wide, gap_per_second=1.0), now=NOON, stage="searching")
    assert page.reach == pytest.approx(reach)
    assert QueuePage(queue=Queue(**wide, gap_per_second=0.0), now=NOON).reach == gap


def test_a_search_on_a_small_scale_does_not_reach_further_than_it_does() -> None:
    hall = make_hall(gap_start=2.1, gap_per_second=0)
    client = make_account(hall, 0, "anna")
    client.post(f"{queue_page_of(hall)}search/")
    assert "±&#8239;2.1 points" in text_of(client, queue_page_of(hall))


@pytest.mark.parametrize(("apart", "words"), [(5000.0, "±"), (900.0, "everybody")])
def test_a_search_beyond_all_ratings_reaches_everybody(apart: float, words: str) -> None:
    """1500 is what beginners have."""
    hall = make_hall(gap_start=1000, gap_per_second=1.0, gap_cap=None)
    hall.rate({2: 1200.0, 3: 1200.0 + apart})
    client = make_account(hall, 0, "anna")
    client.post(f"{queue_page_of(hall)}search/")
    told = text_of(client, queue_page_of(hall)).partition("Search range")[2].partition("</dd>")[0]
    assert words in told
    assert ("points" in told) == ("widening" in told) == (words == "±")


def test_only_one_queue_of_a_game_at_a_time() -> None:
    hall = make_hall()
    client = make_account(hall, 0, "anna")
    other = Queue.objects.create(ladder=hall.ladder, slug="other", name="Other")
    search(hall, 0)
    text = text_of(client, f"/play/in/{other.slug}/")
    assert "You're searching in Go" in text
    assert 'data-stage="elsewhere"' in text


def test_an_offer_hides_the_opponent_until_all_have_accepted() -> None:
    hall = make_hall()
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    search(hall, 0, 1)
    sweep.run_queue(hall.queue.pk)
    offered = text_of(anna, queue_page_of(hall))
    assert "Match found" in offered
    assert "0 of 2 have accepted" in offered
    assert "Bernd" not in offered
    own = Ticket.objects.get(members__player=hall.players[0])
    anna.post(f"/play/tickets/{own.pk}/accept/", {"offer": own.offers.get().offer_id})
    accepted = text_of(anna, queue_page_of(hall))
    assert "1 of 2 have accepted" in accepted
    assert "Bernd" not in accepted
    other = Ticket.objects.get(members__player=hall.players[1])
    bernd.post(f"/play/tickets/{other.pk}/accept/", {"offer": other.offers.get().offer_id})
    assert "You're playing <bdi>Bernd</bdi>" in text_of(anna, queue_page_of(hall))
    assert stage_of(bernd, hall) == "match.playing"
    assert "You're in a match" in text_of(anna, "/play/")


@pytest.mark.parametrize(
    ("page", "stays"),
    [
        ("http://testserver/search/?q=ann", "/search/?q=ann"),
        ("http://elsewhere.example/search/", ""),
        ("http://testserver/no/such/page/", ""),
        ("http://testserver//elsewhere.example/", ""),
        ("", ""),
    ],
)
def test_who_declines_in_the_bar_stays_on_his_page(page: str, stays: str) -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    own, _other = search(hall, 0, 1)
    sweep.run_queue(hall.queue.pk)
    sent = {"offer": own.offers.get().offer_id}
    answer = anna.post(
        f"/play/tickets/{own.pk}/decline/", sent, headers={"Referer": page} if page else None
    )
    assert answer["Location"] == (stays or queue_page_of(hall))
    assert "You declined, so your search in Go has ended." in text_of(anna, answer["Location"])


def test_who_declines_is_out_and_the_other_waits_on() -> None:
    hall = make_hall()
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    own, other = search(hall, 0, 1)
    sweep.run_queue(hall.queue.pk)
    anna.post(f"/play/tickets/{own.pk}/decline/", {"offer": own.offers.get().offer_id})
    assert "You declined, so your search in Go has ended." in text_of(anna, queue_page_of(hall))
    assert stage_of(bernd, hall) == "searching"
    waiting_since = other.waiting_since
    other.refresh_from_db()
    assert other.waiting_since == waiting_since


def test_an_offer_that_was_not_seen_is_not_accepted() -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    own, _other = search(hall, 0, 1)
    sweep.run_queue(hall.queue.pk)
    anna.post(f"/play/tickets/{own.pk}/accept/", {"offer": own.offers.get().offer_id + 1000})
    assert "This offer is over." in text_of(anna, queue_page_of(hall))
    assert stage_of(anna, hall) == "offered"


@pytest.mark.parametrize("action", ["cancel", "accept", "decline"])
def test_nobody_acts_for_anothers_ticket(action: str) -> None:
    hall = make_hall()
    make_account(hall, 0, "anna")
    stranger = make_account(hall, 2, "mallory")
    own, _other = search(hall, 0, 1)
    sweep.run_queue(hall.queue.pk)
    assert stranger.post(f"/play/tickets/{own.pk}/{action}/").status_code == 404
    assert Client().post(f"/play/tickets/{own.pk}/{action}/").status_code == 302
    own.refresh_from_db()
    assert own.state == TicketState.OFFERED
    assert not own.offers.filter(accepted_at__isnull=False).exists()


def test_nobody_reports_anothers_match() -> None:
    hall = make_hall()
    stranger = make_account(hall, 2, "mallory")
    match = meet(hall)
    address = f"/play/matches/{match.pk}/"
    assert stranger.get(address).status_code == 404
    assert stranger.post(f"{address}report/", {"outcome": "won"}).status_code == 404
    assert Client().post(f"{address}report/", {"outcome": "won"}).status_code == 302
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    "address",
    ["in/{slug}/search/", "in/{slug}/player/", "tickets/1/cancel/", "tickets/1/accept/",
     "tickets/1/decline/", "matches/1/report/"],
)  # fmt: skip
def test_actions_are_posted_with_a_token(address: str) -> None:
    hall = make_hall()
    client = make_account(hall, 0, "anna")
    path = "/play/" + address.format(slug=hall.queue.slug)
    assert client.get(path).status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.get(username="anna"))
    assert strict.post(path).status_code == 403
