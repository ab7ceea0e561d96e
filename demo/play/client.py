"""The REST API as the simulated players use it: patient with a site that is away, honest about refusals."""

import asyncio
import random
import uuid
from typing import Any

import httpx
import structlog

from demo.play.pace import Pace

__all__ = ["Client", "RefusalError"]

log = structlog.get_logger(__name__)

# Whoever watches when the site is back sees them play on within seconds; `Pace` keeps them from coming all at once.
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 4.0
_TIMEOUT = 10.0  # seconds after which a site that does not answer is away
_CLIENT_ERROR, _UNAUTHORIZED, _SERVER_ERROR = 400, 401, 500


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
        pace: Pace,
        https: bool = False,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        headers = {"Authorization": f"Bearer {key}", "Accept": "application/json"}
        if https:  # the public address is: we come from where a proxy would
            headers["X-Forwarded-Proto"] = "https"
        self._pace = pace
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

    async def _send(self, method: str, path: str, **request: Any) -> dict[str, Any]:
        """Send until there is an answer; between tries wait longer and longer."""
        wait = _FIRST_WAIT
        while True:
            answer = await self._try(method, path, **request)
            if answer is not None and answer.status_code < _CLIENT_ERROR:
                return _read(answer)
            if answer is not None and _is_final(answer):
                raise RefusalError(answer.status_code, _read(answer))
            asked = float(answer.headers.get("Retry-After", 0)) if answer is not None else 0.0
            await asyncio.sleep(max(asked, wait * self._luck.uniform(0.5, 1.0)))
            wait = min(2 * wait, _LONGEST_WAIT)

    async def _try(self, method: str, path: str, **request: Any) -> httpx.Response | None:
        await self._pace.turn()
        try:
            return await self._http.request(method, path, **request)
        except httpx.TransportError as error:
            log.info("site.away", error=type(error).__name__)
            return None


def _is_final(answer: httpx.Response) -> bool:
    """Whether asking again would not help."""
    return answer.status_code < _SERVER_ERROR and "Retry-After" not in answer.headers


def _read(answer: httpx.Response) -> dict[str, Any]:
    try:
        body = answer.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {"results": body}
