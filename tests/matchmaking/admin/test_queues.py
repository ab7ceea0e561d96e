"""A queue's page: its form with ranges, how it widens, how it is doing, and opening and closing."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry
from foundation import clock
from matchmaking.admin.widening import widening_of
from matchmaking.models import Queue
from matchmaking.queues.queue_stats import offers_of_a_day
from ratings.models import Ladder, Mode
from tests.matchmaking.hall import Hall, make_hall
from tests.ratings.admin_cast import staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    return make_hall(6)


def page(hall: Hall, name: str = "change") -> str:
    return reverse(f"admin:matchmaking_queue_{name}", args=[hall.queue.pk])


def opened(client: Client, hall: Hall, **changes: Any) -> dict[str, Any]:
    """What a browser that has just opened the form sends."""
    shown = client.get(page(hall))
    sent: dict[str, Any] = {"opened_as": shown.context["opened_as"]}
    for bound in shown.context["adminform"].form:
        if bound.value() is not None and bound.value() is not False:
            sent[bound.html_name] = bound.value()
    return {**sent, "note": "because", **changes}


@pytest.mark.parametrize(
    ("values", "gaps"),
    [
        ({"gap_start": 100, "gap_per_second": 5, "gap_cap": ""}, [100, 150, 250, 400, 700]),
        ({"gap_start": "50", "gap_per_second": "2.5", "gap_cap": "150"}, [50, 75, 125, 150, 150]),
        ({"gap_start": 0, "gap_per_second": 0, "gap_cap": None}, [0, 0, 0, 0, 0]),
    ],
)
def test_the_preview_has_what_the_sweep_accepts(values: dict[str, Any], gaps: list[float]) -> None:
    widening = widening_of(values)
    assert widening is not None
    assert [gap for _second, gap, _x, _y in widening.rows] == gaps


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"gap_start": "-1", "gap_per_second": "5"},
        {"gap_start": "x", "gap_per_second": "5"},
        {"gap_start": "100", "gap_per_second": "5", "gap_cap": "50"},
        {"gap_start": "1e999", "gap_per_second": "nan"},
    ],
)
def test_the_preview_follows_the_form_and_says_when_it_cannot(
    client: Client, values: dict[str, str]
) -> None:
    address = reverse("admin:matchmaking_queue_widening")
    good = client.get(address, {"gap_start": "30", "gap_per_second": "1", "gap_cap": "60"})
    assert "<polyline" in good.content.decode()
    assert "after 0:30" in good.content.decode()
    small = client.get(address, {"gap_start": "2.1", "gap_per_second": "0"})
    assert '<td class="figure">2.1</td>' in small.content.decode()
    bad = client.get(address, values)
    assert bad.status_code == 200
    assert "Enter gaps of 0 or more" in bad.content.decode()


def test_the_page_shows_the_preview_of_its_values(hall: Hall, client: Client) -> None:
    shown = client.get(page(hall)).content.decode()
    assert reverse("admin:matchmaking_queue_widening") in shown
    assert '<td class="figure">700</td>' in shown
    assert "django_htmx/htmx" in shown


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        (
            "accept_seconds",
            2,
            "Seconds to accept must be a whole number between 3 and 600; you gave 2.",
        ),
        ("gap_start", -1, "Rating gap at the start must be between 0 and 100,000; you gave -1."),
        (
            "gap_cap",
            50,
            "The largest rating gap must be at least the gap at the start, 100; you gave 50.",
        ),
        (
            "heartbeat_seconds",
            "",
            "Seconds until a silent search ends must be between 5 and 3,600; the field is empty.",
        ),
    ],
)
def test_a_value_out_of_range_is_refused_by_name(
    hall: Hall, client: Client, name: str, value: object, words: str
) -> None:
    sent = opened(client, hall, **{name: value})
    assert words in client.post(page(hall), sent).content.decode()
    assert not AuditEntry.objects.filter(action="queue.changed").exists()


def test_a_change_is_kept_with_its_note_and_leaves_the_sweep_alone(
    hall: Hall, client: Client
) -> None:
    sent = opened(client, hall, gap_cap=500, note="evening")
    Queue.objects.filter(pk=hall.queue.pk).update(swept_at=hall.now)
    client.post(page(hall), sent)
    hall.queue.refresh_from_db()
    assert (hall.queue.gap_cap, hall.queue.swept_at) == (500, hall.now)
    entry = AuditEntry.objects.get(action="queue.changed")
    assert (entry.before, entry.after, entry.note) == (
        {"gap_cap": None},
        {"gap_cap": 500.0},
        "evening",
    )


def test_a_queue_is_closed_and_opened_with_a_reason(hall: Hall, client: Client) -> None:
    assert page(hall, "close") in client.get(page(hall)).content.decode()
    hall.join(0)
    asked = client.get(page(hall, "close")).content.decode()
    assert "The 1 search that is running goes on" in " ".join(asked.split())
    client.post(page(hall, "close"), {"note": "maintenance"})
    assert not Queue.objects.filter(is_open=True).exists()
    assert AuditEntry.objects.get(action="queue.closed").note == "maintenance"
    again = client.post(page(hall, "close"), {"note": "again"}, follow=True)
    assert "This queue is closed already." in again.content.decode()
    client.post(page(hall, "open"), {"note": "done"})
    assert Queue.objects.filter(is_open=True).exists()
    assert AuditEntry.objects.filter(action__startswith="queue.").count() == 2


@pytest.mark.parametrize("name", ["open", "close", "waiting"])
def test_staff_without_rights_does_and_sees_nothing(hall: Hall, name: str) -> None:
    clerk = staff()
    assert clerk.get(page(hall, name)).status_code == 403
    assert clerk.post(page(hall, name), {"note": "x"}).status_code == 403
    assert clerk.get(reverse("admin:matchmaking_queue_widening")).status_code == 403
    assert Client().get(page(hall, name)).status_code == 302


def test_figures_name_who_waits_and_what_was_offered(hall: Hall, client: Client) -> None:
    hall.rate({0: 1500.0, 1: 1540.0, 2: 1500.0, 3: 1510.0})
    hall.join(0, 1)
    hall.sweep()
    hall.accept(0)
    hall.accept(1)
    hall.join(2, 3)
    hall.sweep()
    hall.decline(2)
    hall.wait(65)
    hall.beat(3)
    with hall.at_now():
        shown = client.get(page(hall, "waiting")).content.decode()
        day = offers_of_a_day(hall.queue)
    assert "player 3" in shown
    assert "player 2" not in shown
    assert "1:05" in shown
    assert "accepted by all" in shown
    assert day is not None
    assert (day.ended, day.accepted, day.declined, day.expired) == (2, 0.5, 0.5, 0.0)
    assert day.gap == pytest.approx(25.0)
    with hall.at_now():
        assert "Mean rating gap: 25." in client.get(page(hall)).content.decode()


def test_gaps_of_normal_mode_are_for_who_may_view_matches(hall: Hall) -> None:
    hall.rate({0: 1500.0, 1: 1537.0})
    hall.join(0, 1)
    hall.sweep()
    hall.decline(0)
    Ladder.objects.update(mode=Mode.NORMAL)

    def shown_to(*codenames: str) -> list[str]:
        client = staff(*codenames)
        with hall.at_now():
            return [client.get(page(hall, name)).content.decode() for name in ("waiting", "change")]

    for text in shown_to("view_queue"):
        assert "Waiting now" in text
        assert '<td class="figure">37</td>' not in text
        assert "Mean rating gap" not in text
    waiting, whole = shown_to("view_queue", "view_match")
    assert '<td class="figure">37</td>' in waiting
    assert "Mean rating gap: 37." in whole


def test_a_day_is_over_after_a_day(hall: Hall) -> None:
    hall.join(0, 1)
    hall.sweep()
    hall.decline(0)
    hall.wait(86_500)
    with clock.at(hall.now):
        assert offers_of_a_day(hall.queue) is None


def test_figures_take_as_many_queries_for_many_as_for_few(
    hall: Hall, client: Client, django_assert_max_num_queries: Any
) -> None:
    hall.join(*range(6))
    with hall.at_now(), django_assert_max_num_queries(8):
        client.get(page(hall, "waiting"))


@pytest.mark.parametrize("button", ["_save", "_addanother"])
def test_who_saves_gaps_of_another_scale_is_told(client: Client, hall: Hall, button: str) -> None:
    sent = opened(client, hall, gap_start=3, gap_per_second=0.1, **{button: "1"})
    answer = client.post(page(hall), sent, follow=True)
    told = [str(message) for message in answer.context["messages"]]
    assert "changed successfully" in told[-1]
    assert "It seems to be meant for another scale." in told[0]
    suits = opened(client, hall, gap_start=90, gap_per_second=5, **{button: "1"})
    answer = client.post(page(hall), suits, follow=True)
    assert not [m for m in answer.context["messages"] if "another scale" in str(m)]
