"""Previews of a queue's settings: with those who came lately, before anything is saved."""

import html
import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from foundation import clock
from matchmaking.admin.preview_chart import forecast_of
from matchmaking.models import Queue, Ticket, TicketMember, TicketState
from matchmaking.pairing.plan import Plan
from matchmaking.preview import jobs
from matchmaking.preview.jobs import NoPreviewError, ask, look, population_for
from matchmaking.preview.recent_arrivals import LEAST, population_of
from matchmaking.preview.simulation import Population
from matchmaking.preview.simulation.preview import Preview, preview
from ratings.models import Ladder
from tests.matchmaking.admin.test_queues import opened, page
from tests.matchmaking.hall import NOON, Hall, make_hall
from tests.ratings.admin_cast import operator

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall(own_cache: None) -> Hall:
    return make_hall(LEAST)


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Client:
    """Somebody who looks at pages, not at figures: a minute of a queue will do, however busy the machine is."""

    def briefly(plan: Plan, population: Population, *, budget_seconds: float) -> Preview:
        return preview(plan, replace(population, seconds=60.0), budget_seconds=600.0)

    monkeypatch.setattr(jobs, "preview", briefly)
    return operator()


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, nothing is cut short."""
    monkeypatch.setattr(jobs, "BUDGET", 600.0)


def come(hall: Hall, *, every: float, wishes: Any = None, until: float = 0.0) -> None:
    """Every player of the hall has searched once, one after another; the last `until` seconds before NOON."""
    for number, player in enumerate(hall.players):
        at = NOON - timedelta(seconds=until + every * number)
        ticket = Ticket.objects.create(
            queue=hall.queue,
            state=TicketState.CANCELLED,
            waiting_since=at,
            ended_at=at,
            wishes=wishes(number) if wishes else {},
        )
        TicketMember.objects.create(ticket=ticket, player=player, live=False)


def previewed(queue: Queue, population: Population) -> Preview:
    """Workers of tests answer at once."""
    return look({"it": ask(queue, population)}).found["it"]


def names_in(address: str) -> list[str]:
    """Of the questions that a page waits for."""
    return re.findall(r"=(\w{64})", address)


def measured(hall: Hall) -> Population:
    with clock.at(NOON):
        return population_of(hall.queue)


def test_who_came_is_measured(hall: Hall) -> None:
    hall.rate({number: 1400.0 + 200.0 * (number % 2) for number in range(LEAST)})
    come(
        hall,
        every=60,
        wishes=lambda n: {"languages": ["de", "en"] if n % 4 else ["fr"]} if n < 16 else {},
    )
    population = measured(hall)
    assert population.arrivals == pytest.approx(LEAST / (60 * (LEAST - 1)))
    assert (population.rating, population.spread) == (1500.0, 100.0)
    assert population.languages == (12.0, 4.0)
    assert population.no_language == pytest.approx(4 / LEAST)
    assert (population.regions, population.parties) == ((), (float(LEAST),))


def test_arrivals_are_those_of_the_busiest_hour(hall: Hall) -> None:
    come(hall, every=600)
    assert measured(hall).arrivals == pytest.approx(
        0.01
    )  # six an hour, and as little as is simulated
    Ticket.objects.update(waiting_since=NOON - timedelta(hours=5, minutes=10))
    assert measured(hall).arrivals == pytest.approx(0.01)
    Ticket.objects.all().delete()
    come(hall, every=10, until=5 * 3600)
    assert measured(hall).arrivals == pytest.approx(LEAST / 3600, abs=0.005)


def test_where_too_few_came_lately_one_a_second_is_assumed(hall: Hall) -> None:
    assert measured(hall) == Population()
    come(hall, every=60, until=86_400)
    assert measured(hall) == Population()


def test_a_wider_gap_ends_the_wait_of_the_best(hall: Hall, patience: None) -> None:
    population = replace(population_for(hall.queue, arrivals=2.0), seconds=60.0)
    hall.queue.gap_cap = hall.queue.gap_start
    narrow = previewed(hall.queue, population).report
    hall.queue.gap_cap, hall.queue.gap_start = None, 5000.0
    wide = previewed(hall.queue, population).report
    assert narrow.tickets == wide.tickets > 80
    assert narrow.share_unmatched is not None
    assert wide.share_unmatched is not None
    assert wide.share_unmatched < narrow.share_unmatched
    assert wide.gaps.p95 is not None
    assert narrow.gaps.p95 is not None
    assert wide.gaps.p95 > narrow.gaps.p95


def test_a_forecast_lays_out_figures_and_curves(hall: Hall, patience: None) -> None:
    population = replace(population_for(hall.queue, arrivals=1.0), seconds=60.0)
    found = previewed(hall.queue, population)
    forecast = forecast_of({"now": found, "typed": found})
    assert forecast.labels == ["now", "typed"]
    assert all(texts[0] == texts[1] for _label, texts in forecast.rows)
    assert [line.look for line in forecast.lines] == [0, 1]
    for line in forecast.lines:
        places = [tuple(map(float, point.split(","))) for point in line.points.split()]
        assert places[0] == (0.0, 100.0)
        assert places[-1][0] == 100.0
        assert places == sorted(places, key=lambda place: (place[0], -place[1]))
        assert all(0 <= x <= 100 and 0 <= y <= 100 for x, y in places)


def test_a_preview_shows_what_is_typed_beside_what_holds_and_saves_nothing(
    hall: Hall, client: Client
) -> None:
    asked = {"_preview": "1", "preview_arrivals": "0.5", "note": ""}
    sent = opened(client, hall, gap_start="10", gap_cap="10", language__use="must", **asked)
    shown = client.post(page(hall), sent)
    assert shown.status_code == 200
    assert shown.context["forecast"].labels == ["now", "as entered"]
    text = shown.content.decode()
    assert 'name="gap_start" value="10"' in text
    assert 'name="preview_arrivals" id="id_preview_arrivals" value="0.5"' in text
    assert "errornote" not in text
    hall.queue.refresh_from_db()
    assert (hall.queue.gap_start, hall.queue.settings) == (100.0, {})
    assert not AuditEntry.objects.filter(action="queue.changed").exists()


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"preview_arrivals": "1000"}, "Searches a second must be between 0.01 and 100"),
        ({"preview_arrivals": ""}, "the field is empty"),
        ({"region__start": "-1"}, "Latency at the start must be between 0 and 5,000"),
        ({"gap_cap": "1"}, "Largest rating gap: The largest rating gap must be at least"),
    ],
)
def test_a_preview_says_what_stands_in_its_way(
    hall: Hall, client: Client, changes: dict[str, str], problem: str
) -> None:
    sent = opened(client, hall, **{"_preview": "1", "preview_arrivals": "1", **changes})
    shown = client.post(page(hall), sent)
    assert "forecast" not in shown.context
    assert problem in " ".join(shown.context["problems"])


def test_a_queue_that_is_not_there_yet_is_previewed(hall: Hall, client: Client) -> None:
    four = Ladder.objects.create(
        game=hall.ladder.game, slug="four", name="Four", team_count=4, team_size=1
    )
    add = reverse("admin:matchmaking_queue_add")
    form = client.get(add).context["adminform"].form
    values = {bound.html_name: bound.value() for bound in form}
    sent = {name: v for name, v in values.items() if v is not None and v is not False}
    sent.update(ladder=four.pk, name="Four", slug="four", _preview="1", preview_arrivals="1")
    shown = client.post(add, sent)
    assert shown.context["forecast"].labels == ["as entered"]
    assert Queue.objects.count() == 1


def test_strategies_are_compared_on_request(hall: Hall, client: Client) -> None:
    address = reverse("admin:matchmaking_queue_strategies", args=[hall.queue.pk])
    shown = client.get(address, follow=True)
    assert shown.context["forecast"].labels == [
        "filters that widen",
        "buckets",
        "first come, first served",
    ]
    assert "<html" in shown.content.decode()
    asked = shown.redirect_chain[0][0]
    part = client.get(asked, headers={"HX-Request": "true"}).content.decode()
    assert "first come, first served" in part
    assert "<html" not in part
    quality = client.get(reverse("admin:matchmaking_queue_quality", args=[hall.queue.pk]))
    assert address in quality.content.decode()


class TestWorkers:
    """Pages wait for them, and say how far they are."""

    @pytest.fixture
    def nobody_works(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "_wake", lambda name: None)

    def asks(self, client: Client, hall: Hall, **changes: str) -> tuple[str, str]:
        """Press Preview: the page, and where it looks again."""
        sent = opened(client, hall, _preview="1", preview_arrivals="0.5", **changes)
        text = html.unescape(client.post(page(hall), sent).content.decode())
        (address,) = re.findall(r'hx-get="([^"]*/preview/[^"]*)"', text)
        return text, address

    def test_the_page_looks_again_until_all_is_done(
        self, hall: Hall, client: Client, nobody_works: None
    ) -> None:
        text, address = self.asks(client, hall, gap_start="10")
        assert "0 of 2 done" in text
        assert "Press Preview again" in text
        htmx = {"HX-Request": "true"}
        assert client.get(address, headers=htmx).status_code == 204
        now, typed = names_in(address)
        jobs.answer(now)
        assert "1 of 2 done" in client.get(address, headers=htmx).content.decode()
        jobs.answer(typed)
        done = client.get(address, headers=htmx).content.decode()
        assert "forecast-parts" in done
        assert "hx-get" not in done
        again = opened(client, hall, _preview="1", preview_arrivals="0.5", gap_start="10")
        assert "forecast-parts" in client.post(page(hall), again).content.decode()

    def test_two_operators_do_not_disturb_each_other(
        self, hall: Hall, client: Client, nobody_works: None
    ) -> None:
        _text, mine = self.asks(client, hall, gap_start="10")
        _text, theirs = self.asks(client, hall, gap_start="20")
        _text, same = self.asks(client, hall, gap_start="10")
        assert mine == same != theirs
        for name in names_in(mine):
            jobs.answer(name)
        assert "forecast-parts" in client.get(mine).content.decode()
        assert "1 of 2 done" in client.get(theirs).content.decode()

    def test_it_is_said_when_no_worker_answers(
        self, hall: Hall, client: Client, nobody_works: None
    ) -> None:
        with clock.at(NOON):
            _text, address = self.asks(client, hall)
        with clock.at(NOON + timedelta(seconds=30)):
            assert "No worker has answered so far" in client.get(address).content.decode()

    def test_what_is_lost_or_fails_is_told(
        self,
        hall: Hall,
        client: Client,
        nobody_works: None,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        _text, address = self.asks(client, hall)
        cache.delete_many(f"preview:4:question:{name}" for name in names_in(address))
        assert "no longer available" in client.get(address).content.decode()
        name = ask(hall.queue, Population(arrivals=0.5))
        monkeypatch.setattr(jobs, "preview", None)
        with pytest.raises(TypeError):
            jobs.answer(name)
        with pytest.raises(NoPreviewError, match="failed"):
            look({"now": name})
        assert look({"now": ask(hall.queue, Population(arrivals=0.5))}).found == {}

    def test_a_strategy_page_without_scripts_reloads_itself(
        self, hall: Hall, client: Client, nobody_works: None
    ) -> None:
        address = reverse("admin:matchmaking_queue_strategies", args=[hall.queue.pk])
        text = client.get(address, follow=True).content.decode()
        assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in text
        assert "0 of 3 done" in text


def test_settings_of_another_version_are_named(hall: Hall, client: Client) -> None:
    Queue.objects.update(settings={"weather": {"use": "must"}})
    address = reverse("admin:matchmaking_queue_strategies", args=[hall.queue.pk])
    shown = client.get(address, follow=True).content.decode()
    assert "so its default is used: weather" in shown
    assert "so its default is used: weather" in client.get(page(hall)).content.decode()
    sent = opened(client, hall, _preview="1", preview_arrivals="1")
    assert client.post(page(hall), sent).context["forecast"].labels == ["now", "as entered"]


def test_who_may_not_change_a_queue_previews_nothing(hall: Hall) -> None:
    clerk = Client()
    clerk.force_login(User.objects.create_user("carl", is_staff=True))
    assert clerk.post(page(hall), {"_preview": "1"}).status_code == 403
    address = reverse("admin:matchmaking_queue_strategies", args=[hall.queue.pk])
    assert clerk.get(address).status_code == 403
    assert clerk.get(reverse("admin:matchmaking_queue_preview")).status_code == 403


def test_columns_watched_for_different_times_are_not_compared(patience: None, hall: Hall) -> None:
    """On a busy machine one column had 2 searches and the other 42: "100 % even"."""
    come(hall, every=2.0)
    whole = previewed(hall.queue, replace(population_for(hall.queue), seconds=120.0))
    cut = replace(whole, seconds=whole.seconds / 20, is_cut=True)
    equal = forecast_of({"now": whole, "typed": whole})
    assert (equal.is_unequal, len(equal.lines)) == (False, 2)
    unequal = forecast_of({"now": whole, "typed": cut})
    assert (unequal.is_unequal, unequal.is_cut, unequal.lines) == (True, True, [])
    assert [label for label, _ in unequal.rows] == ["Searches", "Simulated time"]
    page = render_to_string("admin/matchmaking/queue/forecast.html", {"forecast": unequal})
    assert "be compared. Try again in a minute" in page
    assert "%" not in page
