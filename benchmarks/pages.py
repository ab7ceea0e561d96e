"""Pages as a visitor waits for them, each beside a bare one: the frame of every page and nothing in it.

The server's time of one request, from the address to the last byte, in one process, on a site of 1,000,000 players.
Both are asked by turns, by the same reader: signed out, and signed in with a player of the game. Warm is a page that
somebody has just seen; cold one that nobody has since something was written.
"""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import BytesIO
from statistics import median
from typing import Any

from benchmarks.figure import Figure

NAME = "pages"
WARM_CALLS, COLD_CALLS, MATCHES = 60, 9, 60
Reader = dict[str, str]


def run() -> Iterator[Figure]:
    """Load, then each page for each reader, warm and cold."""
    from django.conf import settings
    from django.test import override_settings

    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    storages = {**settings.STORAGES, "staticfiles": plain}
    with override_settings(STORAGES=storages, ROOT_URLCONF="benchmarks.bare.urls"):
        addresses, someone, change = _site()
        for who, reader in (("signed out", {}), ("signed in", someone)):
            for page, address in addresses.items():
                yield from _measure(f"pages: {page}, {who}", address, reader, change)


def _measure(
    name: str, address: str, reader: Reader, change: Callable[[], None]
) -> Iterator[Figure]:
    """Times warm and cold beside those of the bare page, queries, and bytes as they are sent."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    ask = _asker()
    warm, bare, cold = [], [], []
    for _ in range(WARM_CALLS):
        bare.append(_seconds(ask, "/bare-page", reader))
        warm.append(_seconds(ask, address, reader))
    for _ in range(COLD_CALLS):
        change()
        cold.append(_seconds(ask, address, reader))
    peer = {"peer": "a page with the same frame and nothing in it", "unit": "ms"}
    beside = round(1000 * median(bare), 3)
    for kind, times in (("warm", warm), ("cold", cold)):
        value = round(1000 * median(times), 3)
        yield Figure(name=f"{name}, {kind}", value=value, peer_value=beside, **peer)
    change()
    with CaptureQueriesContext(connection) as queries:
        ask(address, reader)
    yield Figure(name=f"{name}, cold, queries", value=len(queries), unit="queries")
    body = ask(address, reader)
    yield Figure(name=f"{name}, sent", value=len(body) / 1000, unit="kB")


def _seconds(ask: Callable[[str, Reader], bytes], address: str, reader: Reader) -> float:
    began = time.perf_counter()
    ask(address, reader)
    return time.perf_counter() - began


def _asker() -> Callable[[str, Reader], bytes]:
    """What sends a request through every middleware, as the web server does, and gives the body as it is sent."""
    from django.core.wsgi import get_wsgi_application

    application = get_wsgi_application()

    def ask(address: str, reader: Reader) -> bytes:
        path, _, query = address.partition("?")
        heads: dict[str, Any] = {}

        def begin(status: str, headers: list[tuple[str, str]], _info: object = None) -> Any:
            heads.update(dict(headers), status=status)
            return bytes

        environ = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "localhost",
            "HTTP_ACCEPT_ENCODING": "gzip",
            "HTTP_ACCEPT_LANGUAGE": "en",
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(),
            "wsgi.errors": BytesIO(),
            **reader,
        }
        answer = application(environ, begin)
        body = b"".join(answer)
        answer.close()
        if not heads["status"].startswith("200"):
            raise RuntimeError(f"{address} answered {heads['status']}")
        return body

    return ask


def _site() -> tuple[dict[str, str], Reader, Callable[[], None]]:
    """Addresses of pages, the header of a signed-in reader, and what makes every page cold."""
    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.test import Client

    from benchmarks import busy_period, leaderboard
    from foundation.kept_pages import forget_pages
    from leaderboards.boards import refresh
    from leaderboards.models import Standing
    from matchmaking.models import Queue
    from ratings.models import Ladder, Player
    from ratings.runs.run import rate_track
    from ratings.tracks.parameters import create_track

    track = leaderboard.load()
    ladder, game = track.ladder, track.ladder.game
    Queue.objects.create(ladder=ladder, slug=f"{game.slug}-queue", name="Benchmark")
    listed = Standing.objects.filter(track=track, listed=True).order_by("-order_value")
    middle = listed[listed.count() // 2].player_id
    user = get_user_model().objects.create_user(username="reader")
    Player.objects.filter(pk=middle).update(user=user)
    # Matches of the reader on a ladder of its own, which rates each at once.
    instant = Ladder.objects.create(game=game, slug=f"{game.slug}-instant", name="At once")
    at_once = create_track(
        ladder=instant, system="elo", parameters={}, period_days=None, shown=True
    )
    others = list(listed.values_list("player_id", flat=True)[:MATCHES])
    played = _play(instant, middle, others)
    rate_track(at_once.pk)
    refresh.refresh(at_once.pk)
    busy = busy_period.make_site(busy_period.MANY, is_open=False)
    signed_in = Client(headers={"host": "localhost"})
    signed_in.force_login(user)
    session = signed_in.cookies[settings.SESSION_COOKIE_NAME].value
    board = ladder.get_absolute_url()

    pages = {
        "home": "/",
        "game": f"/games/{game.slug}/",
        "leaderboard, top": board,
        "leaderboard, deep": f"{board}?rank=300000",
        "leaderboard, around me": f"{board}?player={middle}",
        "player": f"/players/{middle}/",
        "player, 20,000 games in a period": busy["player"],
        "match": f"/matches/{played[-1]}/",
        "match, one of 20,000 in a period": busy["match"],
        "play": "/play/",
        "search": "/search/?q=player+77",
    }
    return pages, {"HTTP_COOKIE": f"{settings.SESSION_COOKIE_NAME}={session}"}, forget_pages


def _play(ladder: Any, one: int, others: list[int]) -> list[int]:
    """Matches of one player, an hour between two of them, won and lost by turns; gives their ids."""
    from foundation import clock
    from ratings.models import Match, Participant

    began = clock.now() - timedelta(hours=len(others))
    moments = [began + timedelta(hours=number) for number in range(len(others))]
    matches = Match.objects.bulk_create(
        Match(
            ladder=ladder,
            game_id=ladder.game_id,
            external_id=f"{ladder.slug} {number}",
            state="confirmed",
            played_at=at,
            confirmed_at=at,
        )
        for number, at in enumerate(moments)
    )
    Participant.objects.bulk_create(
        Participant(match=match, player_id=player, team=team, rank=int(team == number % 2))
        for number, (match, other) in enumerate(zip(matches, others, strict=True))
        for team, player in enumerate((one, other))
    )
    return [match.pk for match in matches]
