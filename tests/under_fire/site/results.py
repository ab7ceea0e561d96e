"""A game's server that sends results of its own matches, and sends each again until it is told that it is there."""

import threading
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import httpx
import psycopg

from config.embedded.processes import wait_until

__all__ = ["Results"]

LADDER = "demo-blitz"
_EVERY = 0.3  # seconds
_FOUND = """
SELECT count(*) AS stored, count(DISTINCT external_id) AS of_those_sent,
       count(DISTINCT external_id) FILTER (WHERE external_id = ANY(%(told)s)) AS told,
       count(*) FILTER (WHERE 2 <> (SELECT count(*) FROM ratings_ratingchange AS change
           JOIN ratings_ratingtrack AS track ON track.id = change.track_id AND track.shown
           WHERE change.match_id = match.id)) AS not_rated_once
FROM ratings_match AS match WHERE external_id LIKE %(pattern)s
"""


class Results(threading.Thread):
    """Sends a result every moment. `told` are the ids that the site has said it keeps."""

    def __init__(self, url: str, key: str, players: Sequence[str]) -> None:
        super().__init__(name="results", daemon=True)
        self.told: list[str] = []
        self.sent = 0
        self._players, self._name = players, players[0]
        self._url, self._ended = f"{url}/api/v1/results", threading.Event()
        self._headers = {"Authorization": f"Bearer {key}"}

    def introduce(self) -> None:
        """Send a result of each player: who is in one is known to the site."""
        for _ in self._players:
            self._send_one()

    def run(self) -> None:
        """Send until told to end; the last one, too, until there is an answer."""
        while not self._ended.wait(_EVERY):
            self._send_one()

    def _send_one(self) -> None:
        number, count = self.sent, len(self._players)
        one, other = self._players[number % count], self._players[(number + 1) % count]
        result = {
            "ladder": LADDER,
            "external_id": f"{self._name}-{number}",
            "teams": [[one], [other]],
            "ranks": [number % 2, (number + 1) % 2],
            "played_at": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        }
        self.sent += 1
        while not self._is_kept(result):
            time.sleep(_EVERY)
        self.told.append(f"{self._name}-{number}")

    def end(self) -> None:
        """Stop, once what was begun is known to be there."""
        self._ended.set()
        self.join(120)

    def _is_kept(self, result: Mapping[str, object]) -> bool:
        try:
            answer = httpx.post(
                self._url,
                json={"results": [result]},
                headers=self._headers,
                timeout=10.0,
                trust_env=False,
            )
        except httpx.TransportError:
            return False
        if answer.is_client_error and answer.status_code != httpx.codes.TOO_MANY_REQUESTS:
            raise RuntimeError(answer.text)
        return bool(answer.is_success and not answer.json()["refused"])

    def wrongs(self, session: psycopg.Connection[tuple[int, ...]]) -> dict[str, int]:
        """What was lost, doubled, or not rated exactly once."""

        def found() -> tuple[int, ...]:
            terms = {"told": self.told, "pattern": f"{self._name}-%"}
            return session.execute(_FOUND, terms).fetchone() or (0, 0, 0, 0)

        wait_until(lambda: found()[3] == 0, seconds=60)
        stored, of_those_sent, told, not_rated_once = found()
        return {
            "results: acknowledged, and lost": len(self.told) - told,
            "results: stored twice": stored - of_those_sent,
            "results: not rated exactly once": not_rated_once,
            "results: none was sent": int(not self.told),
        }
