"""What is hidden is hidden: ratings of a ladder in normal mode stand on no page and in nothing that is sent.

A play with planted ratings goes through queue, sweep, offer, match, reports, rating run and replay. After each act
every address of the site is asked by everybody who is not staff, and what comes back is searched for every number
that tells of the ratings. Not even the game's own server is told. The same search on a ranked ladder finds them.
"""

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import unified_diff

import pytest
from django.conf import settings
from django.core import mail
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path, resolve
from redis import Redis

from accounts.models import User
from config.urls import urlpatterns as site_urlpatterns
from events.models import Event
from foundation import kept_pages
from ratings.models import Mode, Rating, RatingChange
from tests.forms import is_full
from tests.hidden.sentinels import find_secrets
from tests.hidden.surfaces import (
    Answer,
    MissingSampleError,
    addresses,
    ask,
    ask_all,
    is_for_all_times,
    is_for_staff,
    routes,
    send_all,
    visitors,
)
from tests.hidden.theatre import ACTS, Theatre, make_theatre, plant, secrets_of

pytestmark = pytest.mark.django_db(transaction=True)
# What differs between two answers that say the same.
_CHANCE = re.compile(
    r'csrfmiddlewaretoken" value="\w+"|csrftoken=\w+|sessionid=\w+|messages=[^;\n]+|[Ee]xpires[=:][^;\n]+'
    r"|RateLimit-\w+: \d+|Content-Length: \d+"
    # A stream that cannot know what it has missed says so, to everybody and without a word more.
    r"|^event: resync\ndata: \{\}\n{1,2}"
    # Places in what was told, by numbers of transactions.
    r'|(?<="cursor":)"[^"]+"|(?<="after":)"[^"]+"|^id: .*\n'
    # What the process has counted; that of the database stays.
    r"|^(# |process_|python_|evenmatch_(?!track_backlog|live_tickets)).*\n",
    re.MULTILINE,
)


# Of a line of the log: its digits may be anything.
_MEASURED = re.compile(r"'(?:seconds|timestamp)': [^,}]+")


def changes(route: str) -> bool:
    """Routes at which it matters what has been played."""
    return not is_for_all_times(route)


# After which acts to look; in an everyday run after two, and at the second alone with other ratings.
LOOKED_AT = ("offered", "playing", "rated", "annulled") if is_full() else ("offered", "rated")
LOOKED_AT_TWICE = ("offered", "rated") if is_full() else ("rated",)
LOOKED_AT_EVERYWHERE = ("rated",)


@dataclass
class Overheard:
    """What was logged, and told to open pages."""

    lines: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)


class _Listening(logging.Handler):
    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self.lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        line = f"{record.name} {record.msg!r} {record.args!r} {record.exc_text or ''}"
        self.lines.append(_MEASURED.sub("", line))


@contextmanager
def overhearing() -> Iterator[Overheard]:
    """Take down the logs, and what goes through Valkey to all open pages, whoever may listen to it."""
    heard, root = Overheard(), logging.getLogger()
    handler = _Listening(heard.lines)
    root.addHandler(handler)
    try:
        with Redis.from_url(settings.REDIS_URL) as client, client.pubsub() as channel:
            channel.subscribe(settings.LIVE_CHANNEL)
            yield heard
            client.publish(settings.LIVE_CHANNEL, b"end")
            for message in channel.listen():
                if message["data"] == b"end":
                    break
                heard.messages.append(str(message["data"]))
    finally:
        root.removeHandler(handler)


def leaks_in(theatre: Theatre, answers: Iterable[Answer]) -> list[str]:
    """Where secrets stand, and as what."""
    secrets = secrets_of(theatre)
    return [
        f"{answer.place}: {', '.join(found)}"
        for answer in answers
        if (found := find_secrets(answer.text, secrets))
    ]


def play_until(theatre: Theatre, last: str) -> None:
    """Play the acts up to this one."""
    for name, act in ACTS.items():
        with theatre.at_now():
            act(theatre)
        if name == last:
            return


@pytest.fixture
def _keep_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what one asker is shown be shown to the next, as in production."""
    monkeypatch.setattr(settings, "PAGES_KEPT", 1000.0)


@pytest.mark.full
@pytest.mark.usefixtures("_keep_pages")
def test_nobody_is_told_what_is_hidden() -> None:
    """Neither numbers, nor ranks, orders, colours: whatever were made of hidden ratings would change with them."""
    theatre = make_theatre(Mode.NORMAL)
    with overhearing() as heard:
        for name, act in ACTS.items():
            with theatre.at_now():
                act(theatre)
                if name in LOOKED_AT:
                    look_around(theatre, name)
        with theatre.at_now():
            assert leaks_in(theatre, send_all(theatre)) == []
    secrets = secrets_of(theatre)
    assert len(heard.lines) > 100
    assert not find_secrets("\n".join(heard.lines), secrets)
    assert len(heard.messages) > 10
    assert not find_secrets("\n".join(heard.messages), secrets)
    events = [str(event.payload) for event in Event.objects.all()]
    assert len(events) > 10
    assert not find_secrets("\n".join(events), secrets)
    assert not find_secrets("\n".join(str(one.message()) for one in mail.outbox), secrets)


def look_around(theatre: Theatre, act: str) -> None:
    """Ask at every address; after some acts once more with other ratings."""
    kept_pages.forget_pages()
    answers = [*ask_all(theatre, changes)]
    assert len(answers) > 100
    assert leaks_in(theatre, answers) == [], act
    kept = "\n".join(page.marked for page in kept_pages._pages.values())
    assert len(kept) > 10_000
    assert not find_secrets(kept, secrets_of(theatre))
    if act in LOOKED_AT_TWICE:
        change_hidden(theatre)
        kept_pages.forget_pages()
        others = [plain(answer) for answer in ask_all(theatre, changes)]
        plant(theatre)
        assert differences([plain(answer) for answer in answers], others) == [], act
    if act in LOOKED_AT_EVERYWHERE:
        assert leaks_in(theatre, ask_all(theatre, is_for_all_times)) == [], act


@pytest.mark.full
def test_the_same_search_finds_what_a_ranked_ladder_shows() -> None:
    theatre = make_theatre(Mode.RANKED)
    play_until(theatre, "rated")
    anna, match = theatre.people["Anna"].player.pk, theatre.matches[0]
    places = (
        "GET / as nobody ",
        "GET /games/go/ as a player, in German",
        f"GET /ladders/{theatre.ladder.slug}/ as nobody",
        f"GET /ladders/{theatre.ladder.slug}/ as a player's page that asks for a part",
        f"GET /players/{anna}/ as nobody",
        f"GET /matches/{match}/ as a player, in German",
        f"GET /play/matches/{match}/ as a player",
        f"GET /api/v1/ladders/{theatre.ladder.slug}/leaderboard as nobody",
        f"GET /api/v1/players/{anna}/ratings as the game's server",
        f"GET /api/v1/players/{anna}/history as another player's token",
        f"GET /api/v1/matches/{match} as nobody",
    )
    asked = {resolve(place.split()[1]).route for place in places}
    with theatre.at_now():
        leaks = "\n".join(leaks_in(theatre, ask_all(theatre, asked.__contains__)))
    for place in places:
        assert place in leaks, place


def differences(before: Sequence[tuple[str, str]], after: Sequence[tuple[str, str]]) -> list[str]:
    """Where answers differ, and how."""
    return [
        "\n".join([one[0], other[0], *unified_diff(one[1].split("\n"), other[1].split("\n"), n=0)])
        for one, other in zip(before, after, strict=True)
        if one != other
    ]


@pytest.mark.full
def test_other_ratings_change_what_a_ranked_ladder_shows() -> None:
    theatre = make_theatre(Mode.RANKED)
    play_until(theatre, "rated")
    address = f"/api/v1/players/{theatre.people['Anna'].player.pk}/ratings"
    with theatre.at_now(), transaction.atomic():
        nobody = visitors(theatre)[0]
        before = plain(ask(nobody, address))
        change_hidden(theatre)
        after = plain(ask(nobody, address))
        transaction.set_rollback(True)
    assert before != after


def plain(answer: Answer) -> tuple[str, str]:
    """An answer without what comes by chance, and counts and times of the process."""
    return answer.place, _CHANCE.sub("", answer.text)


@transaction.atomic
def change_hidden(theatre: Theatre) -> None:
    """Turn everything that is hidden round: ratings, their history, how far apart the sides of offers were."""
    plant(theatre, shift=41357.25, reverse=True)
    theatre.track.periods.update(mean=1.0, spread=2.0)
    changes = list(RatingChange.objects.filter(track__ladder=theatre.ladder))
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL evenmatch.drop_ledger = 'on'")
        cursor.execute(
            "DELETE FROM ratings_ratingchange WHERE id = ANY(%s)", [[one.pk for one in changes]]
        )
        cursor.execute("UPDATE matchmaking_offer SET gap = gap + 77.5")
    for change in changes:
        change.value_before, change.value_after = change.value_after + 511.0, change.value_before
        change.expected, change.weight = 0.25, 17.0
    RatingChange.objects.bulk_create(changes)


def test_the_administration_is_closed_to_everybody_else() -> None:
    theatre = make_theatre(Mode.NORMAL)
    play_until(theatre, "rated")
    staff_routes = [route for route in routes() if is_for_staff(route)]
    assert len(staff_routes) > 100
    secrets, outsiders = secrets_of(theatre), (visitors(theatre)[0], visitors(theatre)[1])
    with theatre.at_now():
        for route in staff_routes:
            for address in addresses(route, theatre):
                for visitor in outsiders:
                    answer = ask(visitor, address)
                    is_open = answer.status == 200 and route != "admin/login/"
                    assert not is_open, answer.place
                    assert not find_secrets(answer.text, secrets), answer.place


def test_staff_see_them() -> None:
    """Which also shows that the search finds them on pages of the administration."""
    theatre = make_theatre(Mode.NORMAL)
    play_until(theatre, "rated")
    User.objects.create_superuser("operator", password="a good password")
    visitor = visitors(theatre)[0]
    visitor.client.login(username="operator", password="a good password")
    with theatre.at_now():
        assert leaks_in(theatre, iter([ask(visitor, "/admin/ratings/rating/")]))


def leak(request: HttpRequest) -> HttpResponse:
    """A page that should not be."""
    values = Rating.objects.order_by("pk").values_list("value", flat=True)
    return HttpResponse(f"<li>{values[0]:,.0f}</li>")


def leak_in_header(request: HttpRequest) -> HttpResponse:
    """Another."""
    return HttpResponse(headers={"X-Rating": str(Rating.objects.latest("pk").value)})


def best(request: HttpRequest) -> HttpResponse:
    """One that tells who is best, without any number."""
    return HttpResponse(Rating.objects.latest("value").player.name)


def unknown(request: HttpRequest, thing: str) -> HttpResponse:
    """A page with a parameter that the test has never heard of."""
    return HttpResponse(thing)


urlpatterns = [*site_urlpatterns]


@contextmanager
def pages(*more: object) -> Iterator[None]:
    """Add pages to the site."""
    from django.test import override_settings
    from django.urls import clear_url_caches

    urlpatterns[len(site_urlpatterns) :] = more
    clear_url_caches()
    try:
        with override_settings(ROOT_URLCONF=__name__):
            yield
    finally:
        del urlpatterns[len(site_urlpatterns) :]
        clear_url_caches()


def test_a_new_page_that_shows_them_is_found() -> None:
    theatre = make_theatre(Mode.NORMAL)
    with pages(path("leak/", leak), path("other/", leak_in_header)), theatre.at_now():
        theatre.matches.append(1)
        ACTS["searching"](theatre)
        leaks = leaks_in(theatre, ask_all(theatre, lambda route: route in ("leak/", "other/")))
    assert any(leak.startswith("GET /leak/ as nobody ") for leak in leaks)
    assert any(
        leak.startswith("GET /other/ as the game's server") or "/other/" in leak for leak in leaks
    )


def test_a_new_page_that_tells_of_their_order_is_found() -> None:
    theatre = make_theatre(Mode.NORMAL)
    with pages(path("best/", best)), theatre.at_now(), transaction.atomic():
        nobody = visitors(theatre)[0]
        before = plain(ask(nobody, "/best/"))
        change_hidden(theatre)
        assert plain(ask(nobody, "/best/")) != before
        transaction.set_rollback(True)


def test_a_new_address_with_an_unknown_parameter_must_be_made_known() -> None:
    theatre = make_theatre(Mode.NORMAL)
    with pages(path("things/<slug:thing>/", unknown)), theatre.at_now():
        ACTS["searching"](theatre)
        with pytest.raises(MissingSampleError, match="add a line to VALUES"):
            list(ask_all(theatre, lambda route: route.startswith("things")))
