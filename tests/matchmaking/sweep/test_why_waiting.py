"""Why a ticket waits: on its page and on the command line, and then the sweep does what was said."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from foundation.timekeeping.models import Heartbeat
from matchmaking.models import Avoided, TicketState
from matchmaking.sweep.why_waiting import OutOfSweep, WhyWaiting, why_waiting
from matchmaking.sweep.why_words import why_in_words
from matchmaking.tickets import lifecycle
from ratings.models import Mode, Sanction, SanctionKind, SuspendedFrom
from tests.matchmaking.hall import Hall, make_hall
from tests.ratings.admin_cast import operator, staff

pytestmark = pytest.mark.django_db


def look(hall: Hall, number: int) -> WhyWaiting:
    with hall.at_now():
        return why_waiting(hall.tickets[number])


def lines(hall: Hall, number: int) -> str:
    said = why_in_words(look(hall, number), shows_sanctions=True)
    return "\n".join([*said.about, *said.verdict])


def test_what_is_said_is_what_the_sweeps_do() -> None:
    hall = make_hall(5, gap_start=100, gap_per_second=5, settings={"rematch": {"use": "off"}})
    hall.rate({0: 1500, 1: 1660, 2: 1710, 3: 2400, 4: 1450})
    hall.join(0)
    assert "Nobody else waits here." in lines(hall, 0)
    hall.wait(10)
    hall.join(1, 2, 3, 4)
    hall.beat(0)
    Avoided.objects.create(player=hall.players[4], avoided=hall.players[0])
    why = look(hall, 1)
    assert why.findings is not None  # 1660 and 1710 are 50 apart
    assert set(why.findings.match.tolist()) == {1, 2}
    hall.cancel(2)
    said = why_in_words(look(hall, 0), shows_sanctions=True)
    gap, avoided = said.rows[0], next(row for row in said.rows if row.name == "Avoid lists")
    assert (gap.name, gap.accepted, gap.nearest, gap.alone, gap.left) == (
        "Rating gap", "150", "50", 2, 1,
    )  # fmt: skip
    # How many, and nothing that tells who.
    assert (avoided.alone, avoided.then, avoided.left, avoided.nearest) == (1, 1, 0, "–")
    assert said.match == []
    assert said.following == [hall.tickets[1]]
    assert "In 0:12, at ±210 points, 1 of 3 would fit" in "\n".join(said.verdict)
    assert (said.moments[0].when, said.moments[0].accepted, said.moments[0].fit) == (
        "now", "±150", 0,
    )  # fmt: skip
    hall.wait(11)
    hall.beat(0, 1, 3, 4)
    assert hall.sweep().offers == 0
    hall.wait(1)
    why = look(hall, 0)
    assert why.findings is not None
    assert why.findings.match.size == 2
    assert hall.sweep().offers == 1
    assert hall.pairs() == {frozenset({0, 1})}


def test_a_ticket_that_no_sweep_asks_says_why() -> None:
    hall = make_hall(6, heartbeat_seconds=30)
    hall.join(0, 1, 2, 3, 4, 5)
    assert "never swept" in lines(hall, 0)
    hall.put_into_match(4, against=5)
    Sanction.objects.create(
        player=hall.players[3],
        kind=SanctionKind.SUSPENDED,
        suspended_from=SuspendedFrom.SEARCHING,
        imposed_at=hall.now,
        reason="bots",
    )
    assert look(hall, 3).out is OutOfSweep.SUSPENDED
    assert "suspended" in lines(hall, 3)
    assert "suspended" not in str(why_in_words(look(hall, 3), shows_sanctions=False))
    assert look(hall, 4).out is OutOfSweep.PLAYING
    why = look(hall, 2)
    assert (why.passed, len(why.waiting), why.offered) == (3, 3, 0)
    hall.cancel(2)
    assert look(hall, 2).out is OutOfSweep.ENDED
    hall.sweep()  # of the first two who wait
    assert look(hall, 0).out is OutOfSweep.OFFERED
    assert hall.ticket(3).state == TicketState.CANCELLED
    hall.wait(31)
    assert look(hall, 4).out is OutOfSweep.SILENT
    assert "Nothing was heard from it for 31 s" in lines(hall, 4)
    assert "last swept 0:31 ago" in lines(hall, 4)


def test_the_page_and_the_command_say_it_and_hidden_ratings_stay_hidden() -> None:
    hall = make_hall(3, mode=Mode.NORMAL, gap_cap=200)
    hall.rate({0: 1000, 1: 1650})
    hall.join(0, 1)
    ticket = hall.tickets[0]
    page, part = (
        reverse(f"admin:matchmaking_ticket_{name}", args=[ticket]) for name in ("change", "why")
    )
    viewer = staff("view_ticket", "view_match")
    blind = staff("view_ticket")
    nobody, olga = staff("view_queue"), operator()
    with hall.at_now():
        for address in (page, part):
            for who in (viewer, olga):
                shown = who.get(address).content.decode()
                assert "Nobody fits by now." in shown
                assert "That will not change within an hour" in shown
                assert ">650<" in shown
            shown = blind.get(address).content.decode()
            assert "for those who may view matches" in shown
            assert "650" not in shown
            assert nobody.get(address).status_code == 403
        said = StringIO()
        call_command("why", str(ticket), stdout=said)
        assert "Rating gap" in said.getvalue()
        assert "That will not change within an hour" in said.getvalue()
        with pytest.raises(CommandError, match="there is no ticket 999999"):
            call_command("why", "999999")
        assert olga.get(reverse("admin:matchmaking_ticket_why", args=[999999])).status_code == 404
    hall.cancel(0)
    with hall.at_now():
        assert "Why it waits" not in viewer.get(page).content.decode()
        assert "has ended: cancelled" in viewer.get(part).content.decode()


@pytest.mark.django_db(transaction=True)
def test_it_is_told_also_when_no_worker_has_looked_at_the_clock() -> None:
    """The look is written down, which a snapshot could not."""
    hall = make_hall(1)
    ticket = lifecycle.join(queue=hall.queue, player=hall.players[0])
    Heartbeat.objects.all().delete()
    assert why_waiting(ticket.pk).findings is not None
    assert Heartbeat.objects.exists()
