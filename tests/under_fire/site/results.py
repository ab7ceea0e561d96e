"""A game's server that sends results of its own matches, and sends each again until it is told that it is there."""

import threading
import time
from collections import Counter
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
    """Sends results every moment, so many at a time.

    told      the ids that the site has said it keeps
    failures  how often it said something else, by its status or by what was wrong with the connection
    patience  seconds for which an answer is waited for
    """

    def __init__(
        self,
        url: str,
        key: str,
        players: Sequence[str],
        *,
        at_a_time: int = 1,
        patience: float = 10.0,
    ) -> None:
        super().__init__(name=f"results, {at_a_time} at a time", daemon=True)
        self.told: list[str] = []
        self.failures: Counter[str] = Counter()
        self.sent, self._patience = 0, patience
        self._players, self._at_a_time = players, at_a_time
        self._name = players[0] if at_a_time == 1 else f"{at_a_time}-of-{players[0]}"
        self._url, self._ended = f"{url}/api/v1/results", threading.Event()
        self._headers = {"Authorization": f"Bearer {key}"}

    def introduce(self) -> None:
        """Send a result of each player: who is in one is known to the site."""
        for _ in self._players:
            self._send(1)

    def run(self) -> None:
        """Send until told to end; the last ones, too, until there is an answer."""
        while not self._ended.wait(_EVERY):
            self._send(self._at_a_time)

    def _send(self, number: int) -> None:
        results = [self._make() for _ in range(number)]
        while not self._are_kept(results):
            time.sleep(_EVERY)
        self.told += [str(result["external_id"]) for result in results]

    def _make(self) -> Mapping[str, object]:
        number, count = self.sent, len(self._players)
        one, other = self._players[number % count], self._players[(number + 1) % count]
        self.sent += 1
        return {
            "ladder": LADDER,
            "external_id": f"{self._name}-{number}",
            "teams": [[one], [other]],
            "ranks": [number % 2, (number + 1) % 2],
            "played_at": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        }

    def end(self) -> None:
        """Stop, once what was begun is known to be there."""
        self._ended.set()
        self.join(120)

    def _are_kept(self, results: Sequence[Mapping[str, object]]) -> bool:
        try:
            answer = httpx.post(
                self._url,
                json={"results": results},
                headers=self._headers,
                timeout=self._patience,
                trust_env=False,
            )
        except httpx.TransportError as error:
            self.failures[type(error).__name__] += 1
            return False
        if answer.is_client_error and answer.status_code != httpx.codes.TOO_MANY_REQUESTS:
            raise RuntimeError(answer.text)
        if not answer.is_success:
            self.failures[str(answer.status_code)] += 1
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
