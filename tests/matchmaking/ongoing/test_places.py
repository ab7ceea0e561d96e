"""A match of several sides on its players' pages: the places they report, and the score they may expect."""

import re
from datetime import timedelta

import pytest

from foundation import clock
from matchmaking.models import Ticket
from matchmaking.offers import answer as offers
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from ratings.matches import decide
from ratings.matches.deadlines import settle_due
from ratings.matches.result import Result
from ratings.matches.start import start_match
from ratings.models import OPEN, Ladder, Match, MatchState, Mode, Report
from tests.matchmaking.hall import make_hall
from tests.matchmaking.squads import make_team_hall
from tests.matchmaking.visiting import accounts, queue_page_of, text_of, words_of

pytestmark = pytest.mark.django_db


def test_places_of_a_free_for_all() -> None:
    hall = make_team_hall(4, size=1, gap_start=1000)
    hall.ladder.team_count = 4
    hall.ladder.save(update_fields=["team_count"])
    (anna,) = accounts(hall, "anna")
    tickets = [lifecycle.join(queue=hall.queue, player=player) for player in hall.players]
    sweep.run_queue(hall.queue.pk)
    for ticket in tickets:
        offers.accept(ticket_id=ticket.pk)
    text = words_of(anna, queue_page_of(hall))
    assert "Which place did you take?" in text
    assert "How did it end?" not in text
    assert "We won" not in text
    match = Match.objects.get()
    seats = {seat.player_id: seat.team for seat in match.participants.all()}
    own = seats[hall.players[0].pk]
    order = tuple((team - own) % 4 for team in range(4))  # Anna is the best of all
    decide.confirm_by_server(match_id=match.pk, result=Result(ranks=order))
    assert "You finished 1st of 4" in words_of(anna, queue_page_of(hall))
    shared = tuple(int(team != own and team != (own + 1) % 4) for team in range(4))
    for team, rank in enumerate(shared):
        match.participants.filter(team=team).update(rank=rank)
    assert "You finished tied for 1st of 4" in words_of(anna, queue_page_of(hall))


def test_places_of_a_free_for_all_are_reported_on_the_page() -> None:
    hall = make_team_hall(4, size=1, gap_start=1000)
    hall.ladder.team_count = 4
    hall.ladder.save(update_fields=["team_count"])
    names = ("anna", "bernd", "carla", "dora")
    clients = accounts(hall, *names)
    for player in hall.players:
        lifecycle.join(queue=hall.queue, player=player)
    sweep.run_queue(hall.queue.pk)
    for ticket in Ticket.objects.all():
        offers.accept(ticket_id=ticket.pk)
    match = Match.objects.get()
    address = f"/play/matches/{match.pk}/"
    for place in range(1, 5):
        assert f'name="place" value="{place}"' in text_of(clients[0], address)
    assert "I lost" not in text_of(clients[0], address)
    for client, place in zip(clients, (2, 1, 4, 3), strict=True):
        assert match.state in OPEN
        answer = client.post(f"{address}report/", {"place": place})
        assert answer.status_code == 302
        match.refresh_from_db()
        if place == 2:
            assert "“I finished 2nd.”" in text_of(clients[2], address)
            assert "Waiting for" in words_of(client, address)
    assert match.state == MatchState.CONFIRMED
    ranks = {seat.player.name: seat.rank for seat in match.participants.select_related("player")}
    assert ranks == {"Anna": 1, "Bernd": 0, "Carla": 3, "Dora": 2}
    assert "You finished 3rd of 4" in words_of(clients[3], address)
    german = {"Accept-Language": "de"}
    assert "Du wurdest 3. von 4" in words_of(clients[3], address, **german)


def test_a_dispute_for_want_of_reports_says_what_is_missing() -> None:
    """First and third of four leave two places open: nobody contradicts anybody."""
    hall = make_team_hall(4, size=1, gap_start=1000)
    hall.ladder.team_count = 4
    hall.ladder.save(update_fields=["team_count"])
    clients = accounts(hall, "anna", "bernd", "carla")
    with clock.at(clock.now() - timedelta(days=1)):
        match = start_match(ladder=hall.ladder, teams=[[one.pk] for one in hall.players])
        for client, place in zip(clients, (1, 3), strict=False):
            client.post(f"/play/matches/{match.pk}/report/", {"place": str(place)})
    settle_due()
    match.refresh_from_db()
    assert match.state == MatchState.DISPUTED
    address = f"/play/matches/{match.pk}/"
    for client in clients:
        text = words_of(client, address)
        assert "Reports are missing, and without them the places can't be told" in text
        assert "contradict" not in text
        assert "disagree" not in text
    clients[2].post(f"{address}report/", {"place": "3"})
    assert "Your reports contradict each other" in words_of(clients[0], address)


def test_a_place_that_was_shared_is_reported_on_the_page() -> None:
    hall = make_team_hall(3, size=1, gap_start=1000)
    hall.ladder.team_count = 3
    hall.ladder.save(update_fields=["team_count"])
    clients = accounts(hall, "anna", "bernd", "carla")
    match = start_match(ladder=hall.ladder, teams=[[one.pk] for one in hall.players])
    for client, place in zip(clients, (1, 1, 3), strict=True):
        shared = {"shared": "1"} if place == 1 else {}
        client.post(f"/play/matches/{match.pk}/report/", {"place": str(place), **shared})
    match.refresh_from_db()
    assert match.state == MatchState.CONFIRMED
    assert sorted(seat.rank or 0 for seat in match.participants.all()) == [0, 0, 1]


@pytest.mark.parametrize(("said", "outcome"), [("left", "lost"), ("not_played", "not_played")])
def test_among_many_the_place_in_the_list_is_not_said_with_another_button(
    said: str, outcome: str
) -> None:
    hall = make_team_hall(13, size=1, gap_start=1000)
    hall.ladder.team_count = 13
    hall.ladder.save(update_fields=["team_count"])
    (anna,) = accounts(hall, "anna")
    match = start_match(ladder=hall.ladder, teams=[[one.pk] for one in hall.players])
    address = f"/play/matches/{match.pk}/"
    choice = f'<select class="input" id="report-place-{match.pk}" name="place" hx-preserve>'
    assert choice in text_of(anna, address)
    # A browser sends what is chosen in a list, whichever button is pressed.
    anna.post(f"{address}report/", {"place": "1", "outcome": said})
    report = Report.objects.get()
    assert (report.outcome, report.place, report.left_early) == (outcome, None, said == "left")


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"place": "5"},
        {"place": "0"},
        {"place": "x"},
        {"place": "1", "outcome": "won"},
        {"outcome": "lost"},
    ],
)
def test_a_place_that_says_nothing_is_refused(given: dict[str, str]) -> None:
    hall = make_team_hall(4, size=1, gap_start=1000)
    hall.ladder.team_count = 4
    hall.ladder.save(update_fields=["team_count"])
    (anna,) = accounts(hall, "anna")
    match = start_match(ladder=hall.ladder, teams=[[one.pk] for one in hall.players])
    anna.post(f"/play/matches/{match.pk}/report/", given)
    assert not Report.objects.exists()
    assert "notice-error" in text_of(anna, f"/play/matches/{match.pk}/")


@pytest.mark.parametrize(("count", "size"), [(2, 2), (4, 1)])
def test_the_score_to_be_expected_stands_before_the_match(count: int, size: int) -> None:
    hall = make_hall(4, team_count=count, team_size=size)
    (anna,) = accounts(hall, "anna")
    hall.rate({0: 40.0, 1: 20.0, 2: 25.0, 3: 25.0}, deviation=2.0)
    players = [one.pk for one in hall.players]
    teams = [players[at : at + size] for at in range(0, 4, size)]
    match = start_match(ladder=hall.ladder, teams=teams)
    text = text_of(anna, f"/play/matches/{match.pk}/")
    if count == 2:
        assert 'class="expected-bar"' in text
    else:
        found = [float(one) for one in re.findall(r"Expected <b>([\d.]+)</b>", text)]
        assert len(found) == 4
        assert found[0] == max(found)
        assert sum(found) == pytest.approx(2.0, abs=0.03)
    Ladder.objects.update(mode=Mode.NORMAL)
    text = text_of(anna, f"/play/matches/{match.pk}/")
    assert "Expected" not in text
    assert "expected-bar" not in text
