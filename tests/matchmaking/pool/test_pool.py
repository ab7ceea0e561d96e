"""The life of a pool: who is new, returned and lost, by whose clocks; what became of searches; who quits."""

import csv
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from foundation import clock
from matchmaking.admin import pool as page
from matchmaking.admin.pool_week import heat_map, hours_of
from matchmaking.models import Offer, OfferTicket, Ticket, TicketMember
from matchmaking.pool import people
from matchmaking.pool import period as periods
from matchmaking.pool.activity import Totals, activity_of
from matchmaking.pool.people import habits_of
from matchmaking.pool.period import Period, as_far_as_possible
from matchmaking.pool.searches import searches_of
from ratings.models import ImportedFile, Match, MatchState, Participant
from tests.matchmaking.hall import Hall, make_hall
from tests.ratings.admin_cast import operator

pytestmark = pytest.mark.django_db

# A Monday, a quarter to midnight in London: Tuesday in Berlin.
LATE = datetime(2026, 3, 2, 23, 45, tzinfo=UTC)
SINCE, UNTIL = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 15, tzinfo=UTC)
DAY = timedelta(days=1)


def period_of(hall: Hall, zone: str = "UTC", *, is_queue: bool = False) -> Period:
    return Period(
        ladders=(hall.ladder.pk,),
        queues=(hall.queue.pk,),
        is_queue=is_queue,
        since=SINCE,
        until=UNTIL,
        zone=ZoneInfo(zone),
    )


def play(
    hall: Hall, at: datetime, *numbers: int, left: int | None = None, state: str = "confirmed"
) -> Match:
    match = Match.objects.create(
        ladder=hall.ladder,
        game=hall.ladder.game,
        external_id=f"m{Match.objects.count()}",
        state=state,
        played_at=at,
        confirmed_at=at if state == MatchState.CONFIRMED else None,
    )
    Participant.objects.bulk_create(
        Participant(match=match, player=hall.players[one], team=team, left_early=one == left)
        for team, one in enumerate(numbers)
    )
    return match


def search(hall: Hall, at: datetime, seconds: float, state: str, *numbers: int) -> Ticket:
    ticket = Ticket.objects.create(
        queue=hall.queue,
        state=state,
        waiting_since=at,
        ended_at=None if state == "waiting" else at + timedelta(seconds=seconds),
    )
    TicketMember.objects.bulk_create(
        TicketMember(ticket=ticket, player=hall.players[one], live=state == "waiting")
        for one in numbers
    )
    return ticket


def offer(hall: Hall, at: datetime, state: str, *answers: tuple[Ticket, str]) -> Offer:
    made = Offer.objects.create(
        queue=hall.queue,
        state=state,
        created_at=at,
        expires_at=at + timedelta(seconds=20),
        match=play(hall, at, 0, 1) if state == "accepted" else None,
    )
    for team, (ticket, answer) in enumerate(answers):
        OfferTicket.objects.create(
            offer=made, ticket=ticket, team=team, live=False, **({answer: at} if answer else {})
        )
    return made


def cell(weekday: int, hour: int) -> int:
    return weekday * 24 + hour


def test_new_returned_and_lost_players_by_the_clocks_of_a_zone() -> None:
    hall = make_hall(8)
    play(hall, SINCE - 60 * DAY, 0, 1)
    play(hall, SINCE - 20 * DAY, 1, 2)
    play(hall, SINCE - 3 * DAY, 2, 3)
    play(hall, SINCE, 6, 7, state="aborted")
    play(hall, LATE, 0, 4)  # 0 comes back, 4 is new
    play(hall, LATE + DAY, 4, 1)  # 1 has stayed; 2 and 3 are lost
    play(hall, UNTIL, 5, 6)  # is not in it any more
    found = activity_of(period_of(hall))
    assert found.totals == Totals(matches=2, players=3, new=1, returning=1, lost=2)
    assert found.totals.stayed == 1
    assert found.cells["new"][cell(0, 23)] == found.cells["returning"][cell(0, 23)] == 1
    assert found.cells["matches"][cell(1, 23)] == 1
    last = (SINCE - 3 * DAY).weekday()
    assert found.cells["lost"][cell(last, 0)] == 2
    assert [(one.begins.day, one.matches, one.players, one.new) for one in found.stretches] == [
        (2, 1, 2, 1),
        (3, 1, 2, 0),
    ]
    berlin = activity_of(period_of(hall, "Europe/Berlin"))
    assert berlin.totals == found.totals
    assert berlin.cells["new"][cell(1, 0)] == 1
    assert sum(berlin.cells["players"]) == 4
    # Through a queue only matches count that it made.
    accepted = offer(hall, LATE + 5 * DAY, "accepted")
    assert accepted.match is not None
    of_queue = activity_of(period_of(hall, is_queue=True))
    assert (of_queue.totals.matches, of_queue.totals.players, of_queue.totals.new) == (1, 2, 0)


def test_annulled_matches_were_played_but_not_those_of_an_import_that_was_taken_back() -> None:
    hall = make_hall(6)
    wrong, right = (
        ImportedFile.objects.create(
            ladder=hall.ladder,
            name=name,
            digest=name,
            rows=2,
            new_matches=2,
            taken_back_at=UNTIL if name == "wrong" else None,
        )
        for name in ("wrong", "right")
    )
    for file, at, numbers in (
        (wrong, SINCE - 40 * DAY, (0, 1)),  # would make them known
        (wrong, SINCE - DAY, (2, 3)),  # would make them lost
        (wrong, LATE, (4, 5)),
        (right, LATE + DAY, (0, 4)),
    ):
        Match.objects.filter(pk=play(hall, at, *numbers, state="annulled").pk).update(source=file)
    play(hall, LATE + 2 * DAY, 1, 4, state="annulled", left=4)  # as a cheater's are
    found = activity_of(period_of(hall))
    assert found.totals == Totals(matches=2, players=3, new=3, returning=0, lost=0)


def test_what_became_of_searches_and_how_far_one_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    hall = make_hall(6)
    for number, seconds in enumerate([5, 20, 40]):
        search(hall, LATE, seconds, "matched", number)
    search(hall, LATE + 2 * DAY, 100, "cancelled", 3)
    search(hall, LATE, 20, "expired", 4)
    search(hall, UNTIL, 5, "matched", 0)
    search(hall, UNTIL - timedelta(seconds=70), 0, "waiting", 5)
    found = searches_of(period_of(hall), UNTIL)
    assert (found.number, found.p50, found.share) == (5, 20.0, 0.6)
    assert found.p90 == pytest.approx(36)
    assert (found.cells["searches"][cell(0, 23)], found.cells["p50"][cell(0, 23)]) == (4, 20.0)
    assert (found.cells["searches"][cell(2, 23)], found.cells["p50"][cell(2, 23)]) == (1, None)
    by_step = {one.at_least: one for one in found.ended}
    assert (by_step[0].matched, by_step[10].matched, by_step[10].expired) == (1, 1, 1)
    assert (by_step[60].cancelled, by_step[60].live, by_step[60].share) == (1, 1, 0.0)
    assert found.sums == {"matched": 3, "cancelled": 1, "expired": 1, "live": 1}
    period = period_of(hall)
    activity = activity_of(period)
    # Who searched was online: four on the first evening, one on the other.
    assert activity.cells["players"][cell(0, 23)] == 4
    week = heat_map("players", period, activity, found)
    assert week.rows[23][1][0].text == "2"  # of two Mondays
    assert (week.rows[23][1][0].shade, week.rows[0][1][0].shade) == (9, 0)
    assert heat_map("p50", period, activity, found).rows[23][1][2].text == "–"
    assert sum(hours_of(period)) == 14 * 24
    assert as_far_as_possible(period) == period
    monkeypatch.setattr(periods, "AMONG", 2)
    for number in range(3):
        play(hall, SINCE - (number + 1) * DAY, 0, 1)
    cut = as_far_as_possible(period)
    assert cut.since == LATE + timedelta(seconds=5)
    assert cut.known_since == SINCE - 3 * DAY
    assert cut.before.known_since is None


def test_who_leaves_declines_and_lets_offers_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "LEAST", 2)
    hall = make_hall(5)
    for number in range(3):
        play(hall, LATE, 0, 1, left=0 if number else 1)
    play(hall, LATE, 2, 3, left=2)  # once says nothing
    for number in range(2):
        together = search(hall, LATE, 5, "cancelled", 0, 4)
        other = search(hall, LATE, 5, "matched", 1)
        offer(hall, LATE, "declined", (together, "declined_at"), (other, ""))
        other = search(hall, LATE, 5, "matched", 1)
        offer(hall, LATE, "expired", (other, "" if number else "accepted_at"))
    found = habits_of(period_of(hall))
    said = {name: [(one.name, one.number, one.of) for one in rows] for name, rows in found.items()}
    assert said == {
        "left": [("player 0", 2, 3), ("player 1", 1, 3)],
        "declined": [("player 0", 2, 2), ("player 4", 2, 2)],
        "passed": [("player 1", 1, 4)],
    }
    assert found["left"][0].share == pytest.approx(2 / 3)


def test_the_page_its_files_and_who_may_look(monkeypatch: pytest.MonkeyPatch) -> None:
    address, olga = reverse("admin:matchmaking_queue_pool"), operator()
    assert "There is no game yet." in olga.get(address).content.decode()
    monkeypatch.setattr(people, "LEAST", 1)
    hall = make_hall(3)
    hall.players[0].call("=cmd|1")
    hall.players[0].save()
    play(hall, LATE, 0, 1, left=0)
    search(hall, LATE, 30, "matched", 0)
    with clock.at(UNTIL):
        shown = olga.get(address, {"queue": hall.queue.pk}).content.decode()
        assert "Searches by hour and weekday" in shown
        assert f"{address}?" not in shown
        assert "Those of an import that was taken back do not" in shown
        shown = olga.get(address, {"figure": "matches", "zone": "Europe/Berlin"}).content.decode()
        assert "Matches by hour and weekday" in shown
        assert "Hours are those of Europe/Berlin" in shown
        assert 'class="heat-9"' in shown
        assert reverse("admin:ratings_player_change", args=[hall.players[0].pk]) in shown
        days = {"days": "", "since": "2026-03-01", "until": "2026-03-04"}
        rows = csv.reader(olga.get(address, {**days, "csv": "week"}).content.decode().splitlines())
        week = list(rows)
        assert week[0][:5] == ["weekday", "hour", "zone", "searches", "p50"]
        assert week[1 + cell(0, 23)][:5] == ["1", "23", "UTC", "1", "30.0"]
        files = {
            name: olga.get(address, {**days, "csv": name})
            for name in ("people", "stretches", "searches")
        }
        assert "left" in files["people"].content.decode()
        assert "'=cmd|1" in files["people"].content.decode()
        assert files["searches"].content.decode().splitlines()[3] == "30,1,0,0,0"
        assert (
            files["stretches"]["Content-Disposition"] == 'attachment; filename="pool-stretches.csv"'
        )
        other = make_hall(1)
        chosen = {"game": other.ladder.game_id, "queue": hall.queue.pk}
        assert 'class="heat-9"' not in olga.get(address, chosen).content.decode()
        # One that only Python has heard of.
        monkeypatch.setattr(page, "available_timezones", lambda: {"UTC", "Mars"})
        for wrong, told in (
            ({"zone": "Mars"}, "is no time zone"),
            ({"zone": "Venus"}, "is no time zone"),
            ({"days": "", "since": "0001-01-01", "until": "0001-01-02"}, "greater than or equal"),
            ({"days": "", "since": "9999-12-30", "until": "9999-12-31"}, "less than or equal"),
            ({"days": "5"}, "Select a valid choice"),
            ({"days": "", "since": "2026-03-05"}, "Choose a day"),
            ({"days": "", "since": "2026-03-05", "until": "2026-03-04"}, "comes before the first"),
            ({"days": "", "since": "2024-03-05", "until": "2026-03-04"}, "At most 366 days"),
            ({"game": "0"}, "Select a valid choice"),
            ({"game": "x"}, "Select a valid choice"),
            ({"queue": "9" * 30}, "Select a valid choice"),
            ({"csv": "all"}, "must be one of week"),
        ):
            answer = olga.get(address, wrong)
            assert (answer.status_code, told in answer.content.decode()) == (400, True), wrong
    for names, status in (
        (("view_queue", "view_ticket", "view_offer", "view_match"), 403),
        (("view_queue", "view_ticket", "view_offer", "view_match", "view_player"), 200),
    ):
        staff = User.objects.create_user(f"staff {status}", password="long secret", is_staff=True)
        staff.user_permissions.set(Permission.objects.filter(codename__in=names))
        client = Client()
        client.force_login(staff)
        assert client.get(address).status_code == status
