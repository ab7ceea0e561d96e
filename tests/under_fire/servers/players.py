"""Players over HTTP: the demo's, in a hurry; what the API acknowledged to them is kept."""

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from demo.play.client import Client, RateLimit
from demo.play.crowd import Crowd
from demo.play.player import World
from demo.play.truth import Persona

__all__ = ["Kept", "Players"]

_ONLINE = 20
_HURRY = 5.0
_PER_SECOND, _BURST = 15.0, 5

Kept = dict[str, str | int | None]


@dataclass
class Players(threading.Thread):
    """Some dozens of players, online until told to go home.

    kept      what they may count on
    failures  how often there was no answer, or one that says that the site has failed
    patience  seconds for which an answer is waited for
    """

    url: str
    key: str
    roster: Mapping[str, Persona]
    queues: Mapping[str, float]
    seed: int
    kept: list[Kept] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)
    patience: float = 10.0

    def __post_init__(self) -> None:
        super().__init__(name="players", daemon=True)
        self._asked = threading.Event()
        self.failure: BaseException | None = None

    __hash__ = threading.Thread.__hash__

    def run(self) -> None:
        """Play until told to go home, or until something is wrong with all of them."""
        try:
            asyncio.run(self._live())
        except BaseException as error:
            self.failure = error

    def go_home(self) -> None:
        """End the searches under way, and stop. Raises what ended them before."""
        self.leave()
        if self.failure is not None:
            raise self.failure

    def leave(self) -> None:
        """End the searches under way, and stop, whatever has gone wrong."""
        self._asked.set()
        self.join()

    def check(self) -> None:
        """Raise what has sent everybody home before they were told to go, if anything has."""
        if not self.is_alive():
            raise RuntimeError(
                "the players of the trial have ended by themselves"
            ) from self.failure

    async def _live(self) -> None:
        api = _KeepingClient(self)
        world = World(api, dict(self.roster), dict(self.queues), self.seed, hurry=_HURRY)
        luck = random.Random(self.seed)
        crowd = asyncio.create_task(Crowd(world, luck, fewest=_ONLINE, most=_ONLINE).live())
        try:
            while not self._asked.is_set() and not crowd.done():
                await asyncio.sleep(0.1)
        finally:
            crowd.cancel()
            [ended] = await asyncio.gather(crowd, return_exceptions=True)
            await api.close()
        if not isinstance(ended, asyncio.CancelledError) and isinstance(ended, BaseException):
            raise ended


class _KeepingClient(Client):
    """Keeps what was answered to each request that does something."""

    def __init__(self, players: Players) -> None:
        super().__init__(
            players.url,
            players.key,
            rate_limit=RateLimit(_PER_SECOND, burst=_BURST),
            transport=_Counting(players.failures),
        )
        self._http.timeout = httpx.Timeout(players.patience)
        self._players = players

    async def post(self, path: str, **body: object) -> dict[str, Any]:
        answer = await super().post(path, **body)
        if (kept := _kept_of(path, body, answer)) is not None:
            self._players.kept.append(kept)
        return answer


class _Counting(httpx.AsyncHTTPTransport):
    """Counts what fails, before it is tried again."""

    def __init__(self, failures: Counter[str]) -> None:
        super().__init__(trust_env=False)
        self._failures = failures

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            answer = await super().handle_async_request(request)
        except httpx.TransportError as error:
            self._failures[type(error).__name__] += 1
            raise
        if answer.is_server_error:
            self._failures[str(answer.status_code)] += 1
        return answer


def _kept_of(path: str, body: Mapping[str, Any], answer: Mapping[str, Any]) -> Kept | None:
    """What the answer to this request promises; None of what is not counted, as of rooms and notices."""
    kind, _, rest = path.partition("/")
    number, _, act = rest.partition("/")
    if kind == "matches" and act in {"result", "abort"}:  # the game's word, where many finish
        return {"what": f"{act} told", "match": int(number)}
    if kind == "matches":
        return {"what": "reported", "match": int(number), "name": body["player"]}
    if kind != "tickets":
        return None
    if not rest:
        return {"what": "joined", "ticket": answer["id"], "name": body["player"]}
    what = {"accept": "accepted", "decline": "declined", "cancel": "cancelled"}.get(act)
    if what is None:
        return None
    offer, match = (answer.get("offer") or {}).get("id"), answer.get("match")
    if what == "accepted" and offer is None and match is None:
        what = "accepted, and over since"
    return {"what": what, "ticket": int(number), "match": match, "offer": offer}
