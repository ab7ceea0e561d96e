"""The REST API as the simulated players use it: patient with a site that is away, honest about refusals."""

import asyncio
import random
import uuid
from typing import Any

import httpx
import structlog

__all__ = ["Client", "RateLimit", "RefusalError"]

log = structlog.get_logger(__name__)

# Whoever watches when the site is back sees them play on within seconds; `RateLimit` spreads them.
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 4.0
_TIMEOUT = 10.0  # seconds after which a site that does not answer is away
_CLIENT_ERROR, _UNAUTHORIZED, _SERVER_ERROR = 400, 401, 500


class RateLimit:
    """Requests of all simulated players: `per_second` in the long run, `burst` at once after a rest."""

    def __init__(self, per_second: float, *, burst: int) -> None:
        self._interval = 1.0 / per_second
        self._credit = (burst - 1) * self._interval
        self._next = float("-inf")

    def delay(self, now: float) -> float:
        """Take the next place in the line; returns the seconds until it is that one's turn."""
        mine = max(self._next, now - self._credit)
        self._next = mine + self._interval
        return max(0.0, mine - now)

    async def turn(self) -> None:
        """Wait for one's turn."""
        await asyncio.sleep(self.delay(asyncio.get_running_loop().time()))


class RefusalError(Exception):
    """The API said no: `code` is its stable name for why, `body` the whole answer."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(f"{status} {body.get('code')}: {body.get('detail')}")
        self.status = status
        self.code = str(body.get("code", ""))
        self.body = body

    @property
    def is_of_the_key(self) -> bool:
        """Whether the server key is not, or no longer, good."""
        return self.status == _UNAUTHORIZED


class Client:
    """Speaks for the players of one game with a server key."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        rate_limit: RateLimit,
        https: bool = False,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        headers = {"Authorization": f"Bearer {key}", "Accept": "application/json"}
        if https:  # the public address is: we come from where a proxy would
            headers["X-Forwarded-Proto"] = "https"
        self._rate_limit = rate_limit
        self._luck = random.Random()  # noqa: S311 - spreads retries; decides nothing
        self._http = httpx.AsyncClient(
            base_url=f"{url}/api/v1/",
            headers=headers,
            timeout=_TIMEOUT,
            transport=transport,
            trust_env=False,  # no proxy stands between us and our own site
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def get(self, path: str, **query: str | int) -> dict[str, Any]:
        """Read something. Raises RefusalError."""
        return await self._send("GET", path, params=query)

    async def post(self, path: str, **body: object) -> dict[str, Any]:
        """Do something, once, however often it has to be sent. Raises RefusalError."""
        return await self._send(
            "POST", path, json=body, headers={"Idempotency-Key": str(uuid.uuid4())}
        )

    async def patch(self, path: str, **body: object) -> dict[str, Any]:
        """Change something; the same again changes nothing. Raises RefusalError."""
        return await self._send("PATCH", path, json=body)

    async def put(self, path: str, **body: object) -> dict[str, Any]:
        """Say how something is to be; the same again changes nothing. Raises RefusalError."""
        return await self._send("PUT", path, json=body)

    async def _send(self, method: str, path: str, **request: Any) -> dict[str, Any]:
        """Send until there is an answer; between tries wait longer and longer."""
        wait = _FIRST_WAIT
        while True:
            await self._rate_limit.turn()
            asked = 0.0
            try:
                answer = await self._http.request(method, path, **request)
            except httpx.TransportError as error:
                log.info("site.away", error=type(error).__name__)
            else:
                if answer.status_code < _CLIENT_ERROR:
                    return _read(answer)
                if answer.status_code < _SERVER_ERROR and "Retry-After" not in answer.headers:
                    raise RefusalError(answer.status_code, _read(answer))  # asking again is no help
                asked = float(answer.headers.get("Retry-After", 0))
            await asyncio.sleep(max(asked, wait * self._luck.uniform(0.5, 1.0)))
            wait = min(2 * wait, _LONGEST_WAIT)


def _read(answer: httpx.Response) -> dict[str, Any]:
    try:
        body = answer.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {"results": body}
