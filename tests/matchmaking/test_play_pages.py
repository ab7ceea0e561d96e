"""The pages for players: what each state shows, who may act, and how much is read."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from foundation import clock
from matchmaking import offers, queueing, sweep
from matchmaking.models import Offer, Queue, Ticket, TicketState
from ratings import reporting
from ratings.models import Match, MatchState, Mode, Outcome, Player, Report
from ratings.naming import skeleton_of
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def make_account(hall: Hall, number: int, name: str) -> Client:
    """Sign in an account that owns a player of the hall."""
    user = User.objects.create_user(name, password="a good password")
    player = hall.players[number]
    player.user, player.name, player.skeleton = user, name.capitalize(), skeleton_of(name)
    player.save()
    client = Client()
    client.force_login(user)
    return client


def room_of(hall: Hall) -> str:
    return f"/play/in/{hall.queue.slug}/"


def text_of(client: Client, address: str, **more: Any) -> str:
    answer = client.get(address, **more)
    assert answer.status_code == 200, answer.content.decode()[:300]
    return str(answer.content.decode())


def stage_of(client: Client, hall: Hall) -> str:
    found = re.search(r'data-stage="([a-z.]+)"', text_of(client, room_of(hall)))
    assert found is not None
    return found[1]


def search(hall: Hall, *numbers: int) -> list[Ticket]:
    return [queueing.join(queue=hall.queue, player=hall.players[n]) for n in numbers]


def meet(hall: Hall) -> Match:
    """Let players 0 and 1 be in a match."""
    tickets = search(hall, 0, 1)
    sweep.run_queue(hall.queue.pk)
    for ticket in tickets:
        offer = offers.accept(ticket_id=ticket.pk)
    assert offer.match is not None
    return offer.match


def say(match: Match, hall: Hall, number: int, outcome: Outcome) -> None:
    reporting.report(match_id=match.pk, player_id=hall.players[number].pk, outcome=outcome)


def test_a_visitor_sees_the_queues_and_the_way_in() -> None:
    hall = make_hall()
    search(hall, 0, 1, 2)
    text = text_of(Client(), "/play/")
    assert f'href="/accounts/login/?next={room_of(hall)}"' in text
    assert "<dd>3</dd>" in text
    assert "My players" not in text
    room = text_of(Client(), room_of(hall))
    assert f'href="/accounts/signup/?next={room_of(hall)}"' in room
    assert stage_of(Client(), hall) == "visitor"


def test_closed_queues_are_not_listed_and_say_so() -> None:
    hall = make_hall(is_open=False)
    client = make_account(hall, 0, "anna")
    assert room_of(hall) not in text_of(client, "/play/")
    assert "This queue is closed" in text_of(client, room_of(hall))
    client.post(f"{room_of(hall)}search/")
    assert "This queue is closed. Choose another one." in text_of(client, room_of(hall))
    assert not Ticket.objects.exists()


def test_a_queue_that_is_not_there() -> None:
    assert Client().get("/play/in/nothing/").status_code == 404
    assert Client().get("/play/matches/1/").status_code == 302


def test_an_account_makes_its_player() -> None:
    hall = make_hall()
    client = Client()
    client.force_login(User.objects.create_user("carla"))
    text = text_of(client, room_of(hall))
    assert "Play Go as" in text
    assert 'value="carla"' in text
    client.post(f"{room_of(hall)}search/")
    assert not Ticket.objects.exists()
    answer = client.post(f"{room_of(hall)}player/", {"name": "  Carla   the Great "})
    assert answer.status_code == 302
    player = Player.objects.get(user__username="carla")
    assert (player.name, player.game) == ("Carla the Great", hall.ladder.game)
    assert "You play as Carla the Great." in text_of(client, room_of(hall))
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
    answer = client.post(f"{room_of(hall)}player/", {"name": name})
    assert answer.status_code == 422
    assert words in html.unescape(answer.content.decode())
    assert not Player.objects.filter(user__username="carla").exists()


def test_the_suggested_name_is_free() -> None:
    hall = make_hall()
    make_account(hall, 0, "anna")
    client = Client()
    client.force_login(User.objects.create_user("Anna"))
    assert 'value="Anna 2"' in text_of(client, room_of(hall))


def test_an_account_has_one_player_in_a_game() -> None:
    hall = make_hall()
    client = make_account(hall, 0, "anna")
    client.post(f"{room_of(hall)}player/", {"name": "Other"})
    assert "You play this game as Anna already." in text_of(client, room_of(hall))
    assert Player.objects.filter(user__isnull=False).count() == 1


def test_a_search_is_begun_shown_and_cancelled() -> None:
    hall = make_hall()
    client = make_account(hall, 0, "anna")
    assert stage_of(client, hall) == "idle"
    assert client.post(f"{room_of(hall)}search/").status_code == 302
    assert stage_of(client, hall) == "searching"
    assert "±&#8239;100 points" in text_of(client, room_of(hall))
    assert "Back to your search" in text_of(client, "/play/")
    client.post(f"{room_of(hall)}search/")  # another tab
    ticket = Ticket.objects.get()
    assert client.post(f"/play/tickets/{ticket.pk}/cancel/").status_code == 302
    assert "Your search has ended." in text_of(client, room_of(hall))
    assert stage_of(client, hall) == "idle"


def test_only_one_queue_of_a_game_at_a_time() -> None:
    hall = make_hall()
    client = make_account(hall, 0, "anna")
    other = Queue.objects.create(ladder=hall.ladder, slug="other", name="Other")
    search(hall, 0)
    text = text_of(client, f"/play/in/{other.slug}/")
    assert "You search in Go" in text
    assert 'data-stage="elsewhere"' in text


def test_an_offer_hides_the_opponent_until_all_have_accepted() -> None:
    hall = make_hall()
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    search(hall, 0, 1)
    sweep.run_queue(hall.queue.pk)
    offered = text_of(anna, room_of(hall))
    assert "Match found" in offered
    assert "0 of 2 have accepted" in offered
    assert "Bernd" not in offered
    own = Ticket.objects.get(members__player=hall.players[0])
    anna.post(f"/play/tickets/{own.pk}/accept/", {"offer": own.offers.get().offer_id})
    accepted = text_of(anna, room_of(hall))
    assert "1 of 2 have accepted" in accepted
    assert "Bernd" not in accepted
    other = Ticket.objects.get(members__player=hall.players[1])
    bernd.post(f"/play/tickets/{other.pk}/accept/", {"offer": other.offers.get().offer_id})
    assert "You play Bernd" in text_of(anna, room_of(hall))
    assert stage_of(bernd, hall) == "meeting.playing"
    assert "You are in a match" in text_of(anna, "/play/")


def test_who_declines_is_out_and_the_other_waits_on() -> None:
    hall = make_hall()
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    own, other = search(hall, 0, 1)
    sweep.run_queue(hall.queue.pk)
    anna.post(f"/play/tickets/{own.pk}/decline/", {"offer": own.offers.get().offer_id})
    assert "You declined, so your search has ended." in text_of(anna, room_of(hall))
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
    assert "This offer is over." in text_of(anna, room_of(hall))
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


def test_a_match_is_reported_by_both() -> None:
    hall = make_hall()
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    match = meet(hall)
    report = f"/play/matches/{match.pk}/report/"
    answer = anna.post(report, {"outcome": "won", "queue": hall.queue.slug})
    assert answer.headers["Location"] == room_of(hall)
    assert stage_of(anna, hall) == "meeting.told"
    assert "“I won.”" in text_of(bernd, room_of(hall))
    assert bernd.post(report, {"outcome": "lost"}).headers["Location"].endswith(f"/{match.pk}/")
    text = text_of(anna, room_of(hall))
    assert "You won against Bernd" in text
    assert "Find another match" in text
    match.refresh_from_db()
    assert match.state == MatchState.CONFIRMED


@pytest.mark.parametrize(
    ("said", "state", "words"),
    [
        (("won", "won"), "disputed", "Your reports contradict each other"),
        (("not_played", "not_played"), "aborted", "was not played"),
        (("left", "won"), "confirmed", "You lost against Bernd"),
        (("drawn", "drawn"), "confirmed", "A draw with Bernd"),
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
    assert words in text_of(clients[0], room_of(hall))
    assert match.participants.filter(left_early=True).count() == (said[0] == "left")


def test_a_word_that_means_nothing_is_refused() -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    match = meet(hall)
    anna.post(f"/play/matches/{match.pk}/report/", {"outcome": "cheated"})
    assert "Choose how the match ended." in text_of(anna, f"/play/matches/{match.pk}/")
    assert not Report.objects.exists()


def test_a_match_of_the_game_itself_can_be_reported() -> None:
    """A match that no queue has made stands in every room of the game, and by itself."""
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    with clock.at(clock.now() - timedelta(minutes=5)):
        hall.seconds = (clock.now() - hall.now).total_seconds()
        match = hall.put_into_match(0, 1)
    assert stage_of(anna, hall) == "meeting.playing"
    assert "How did it end?" in text_of(anna, f"/play/matches/{match.pk}/")


def test_a_search_that_ended_in_silence_is_told() -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    search(hall, 0)
    Ticket.objects.update(seen_at=clock.now() - timedelta(hours=1))
    sweep.run_queue(hall.queue.pk)
    assert "this page was away for more than 60 s." in text_of(anna, room_of(hall))
    assert stage_of(anna, hall) == "idle"
    Queue.objects.create(ladder=hall.ladder, slug="other", name="Other")
    assert "was away" not in text_of(anna, "/play/in/other/")
    search(hall, 0)
    assert "was away" not in text_of(anna, room_of(hall))


def test_who_does_not_answer_is_out_and_told() -> None:
    hall = make_hall()
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    _own, other = search(hall, 0, 1)
    sweep.run_queue(hall.queue.pk)
    offers.accept(ticket_id=other.pk)
    past = clock.now() - timedelta(minutes=2)
    Offer.objects.update(created_at=past, expires_at=past + timedelta(seconds=20))
    sweep.run_queue(hall.queue.pk)
    assert "you did not answer an offer in time" in text_of(anna, room_of(hall))
    assert "Somebody else did not accept the last offer." in text_of(bernd, room_of(hall))
    assert stage_of(bernd, hall) == "searching"


def test_looking_is_a_sign_of_life() -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    (ticket,) = search(hall, 0)
    Ticket.objects.update(seen_at=clock.now() - timedelta(seconds=50))
    text_of(anna, room_of(hall))
    ticket.refresh_from_db()
    assert clock.now() - ticket.seen_at < timedelta(seconds=5)


def test_normal_mode_shows_no_number() -> None:
    hall = make_hall(mode=Mode.NORMAL, gap_start=5432.0)
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    hall.rate({0: 54321.0, 1: 54329.0})
    search(hall, 0)
    texts = [text_of(anna, room_of(hall)), text_of(anna, "/play/")]
    queueing.leave(ticket_id=Ticket.objects.get().pk)
    match = meet(hall)
    texts.append(text_of(bernd, room_of(hall)))
    say(match, hall, 0, Outcome.WON)
    say(match, hall, 1, Outcome.LOST)
    texts += [text_of(anna, room_of(hall)), text_of(anna, f"/play/matches/{match.pk}/")]
    for text in texts:
        assert "5432" not in text
        assert "543" not in re.sub(r"<[^>]+>", "", text)
        assert 'class="rating' not in text
        assert "expected" not in text
    assert "Normal mode: no public rating is kept." in texts[-1]


def test_ranked_mode_shows_rating_and_expectation() -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    hall.rate({0: 1600.0, 1: 1500.0})
    meet(hall)
    text = text_of(anna, room_of(hall))
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
    part = text_of(anna, room_of(hall), headers=HTMX)
    assert part.lstrip().startswith('<div class="room room-searching"')
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
    answer = Client().post(f"{room_of(hall)}search/", headers=HTMX)
    assert "/accounts/login/" in answer.headers["HX-Redirect"]


@pytest.mark.parametrize("address", ["/play/", "room"])
def test_the_number_of_queries_is_bounded(address: str) -> None:
    hall = make_hall(players=8)
    anna = make_account(hall, 0, "anna")
    path = room_of(hall) if address == "room" else address
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
    assert count_queries(anna, room_of(hall)) <= 18


def count_queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        text_of(client, path)
    return len(queries)


def test_it_speaks_german() -> None:
    hall = make_hall()
    text = text_of(Client(), room_of(hall), headers={"Accept-Language": "de"})
    assert '<html lang="de"' in text
