"""The client of the simulated players against a server of its own that is away, busy, or says no."""

import asyncio
import json
import random
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from api.contract.problems import PROBLEMS
from demo.maps import map_preferences
from demo.play import client as module
from demo.play.client import Client, RateLimit, RefusalError
from demo.play.player import SimulatedLife, World
from demo.play.truth import Persona

Answer = tuple[int, dict[str, str], dict[str, Any]]


class Site:
    """Gives prepared answers, one a request, and notes what was asked."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                site.asked.append((self.command, self.path, dict(self.headers), body))
                status, headers, given = site.answers.pop(0)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(json.dumps(given).encode())

            do_GET = do_POST = answer  # noqa: N815 - the names that http.server calls

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, args=[0.02])
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def ask(
        self, question: Callable[[Client], Awaitable[dict[str, Any]]], **more: Any
    ) -> dict[str, Any]:
        async def run() -> dict[str, Any]:
            client = Client(self.url, "em_srv_x", rate_limit=RateLimit(1000.0, burst=100), **more)
            try:
                return await question(client)
            finally:
                await client.close()

        return asyncio.run(run())


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(module, "_FIRST_WAIT", 0.01)
    monkeypatch.setattr(module, "_TIMEOUT", 120.0)  # a machine that is held up is not away
    site = Site()
    yield site
    site.close()


def test_it_asks_with_its_key(site: Site) -> None:
    site.answers = [(200, {}, {"id": 5})]
    assert site.ask(lambda api: api.get("tickets/5")) == {"id": 5}
    [(method, path, headers, _body)] = site.asked
    assert (method, path) == ("GET", "/api/v1/tickets/5")
    assert headers["Authorization"] == "Bearer em_srv_x"
    assert "X-Forwarded-Proto" not in headers


def test_a_site_that_is_busy_gets_the_same_request_again(site: Site) -> None:
    again = {"Retry-After": "0"}
    site.answers = [
        (503, {}, {"code": "unavailable"}),
        (429, again, {"code": "rate_limited"}),
        (409, again, {"code": "in_progress"}),
        (201, {}, {"id": 1}),
    ]
    assert site.ask(lambda api: api.post("tickets", queue="demo-duel", player="a")) == {"id": 1}
    assert len(site.asked) == 4
    assert len({headers["Idempotency-Key"] for _, _, headers, _ in site.asked}) == 1
    assert {body for *_, body in site.asked} == {b'{"queue":"demo-duel","player":"a"}'}


def test_two_requests_have_two_keys(site: Site) -> None:
    site.answers = [(200, {}, {}), (200, {}, {})]
    for _ in range(2):
        site.ask(lambda api: api.post("tickets/1/accept"))
    assert len({headers["Idempotency-Key"] for _, _, headers, _ in site.asked}) == 2


def test_a_refusal_is_told(site: Site) -> None:
    site.answers = [(409, {}, {"code": "already_playing", "detail": "no", "match": 7})]
    with pytest.raises(RefusalError) as refused:
        site.ask(lambda api: api.post("tickets", queue="q", player="a"))
    assert refused.value.code == "already_playing"
    assert refused.value.body["match"] == 7
    assert not refused.value.is_of_the_key


def test_a_bad_key_is_known_as_such(site: Site) -> None:
    site.answers = [(401, {}, {"code": "revoked_token"})]
    with pytest.raises(RefusalError) as refused:
        site.ask(lambda api: api.get("tickets/1"))
    assert refused.value.is_of_the_key


def test_behind_https_it_says_what_a_proxy_would(site: Site) -> None:
    site.answers = [(200, {}, {})]
    site.ask(lambda api: api.get("tickets/5"), https=True)
    assert site.asked[0][2]["X-Forwarded-Proto"] == "https"


def test_a_site_that_is_away_is_waited_for() -> None:
    async def run(port: int) -> None:
        client = Client(
            f"http://127.0.0.1:{port}", "em_srv_x", rate_limit=RateLimit(1000.0, burst=100)
        )
        asked = asyncio.create_task(client.get("tickets/1"))
        done, _ = await asyncio.wait([asked], timeout=0.2)
        assert not done  # patient, and without an error
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        await client.close()

    with socket.socket() as silent:  # holds its port, and listens to nobody
        silent.bind(("127.0.0.1", 0))
        asyncio.run(run(silent.getsockname()[1]))


def test_maps_are_asked_for_again_when_an_operator_has_changed_them(site: Site) -> None:
    maps = ["Bridge", "Mill", "Tower"]
    wishing = next(name for name in map(str, range(100)) if map_preferences(name, maps))
    refusal = {"code": "wrong_wishes"}
    site.answers = [(200, {}, {"maps": maps}), (422, {}, refusal), (200, {}, {"maps": []})]
    assert PROBLEMS["wrong_wishes"].status == 422

    async def search(client: Client) -> dict[str, Any]:
        world = World(client, {}, {}, seed=1)
        persona = Persona(wishing, strength=1500.0, activity=1.0, manners=1.0)
        life = SimulatedLife(world, persona, random.Random(1), queue="duel")
        assert await life._find_match() is None
        return {"maps": await world.maps_of("duel")}

    assert site.ask(search) == {"maps": []}
    [(_, _, _, before), (_, _, _, asked), (_, path, _, _)] = site.asked
    assert before == b""
    assert json.loads(asked)["maps"] == map_preferences(wishing, maps)["maps"]
    assert path == "/api/v1/queues/duel"


def test_of_two_friends_one_plays_alone_where_the_other_could_not_come(site: Site) -> None:
    """The other is in a match of before, say: in this one nobody speaks for them."""
    ann, ben, cy = (Persona(name, 1500.0, activity=1.0, manners=1.0) for name in ("a", "b", "c"))
    teams = [{"team": n, "members": [member(n, one)]} for n, one in enumerate((ann, cy))]
    match = {"state": "playing", "teams": teams, "reports": [], "map": "", "neutral": True}

    async def play(client: Client) -> dict[str, Any]:
        world = World(client, {one.id: one for one in (ann, ben, cy)}, {}, seed=1, hurry=1e6)
        life = SimulatedLife(world, ann, random.Random(1), queue="pairs", friend=ben)
        await life._play(7)
        return {}

    nothing: Answer = (200, {}, {})
    site.answers = [(200, {}, match), nothing, nothing, nothing]
    site.ask(play)
    said = [json.loads(body) for method, *_, body in site.asked if method == "POST"]
    assert {one["player"] for one in said} == {"a"}


def member(number: int, persona: Persona) -> dict[str, Any]:
    return {"player": {"id": number, "external_id": persona.id}}
