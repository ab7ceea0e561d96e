"""One open page: reads the stream of events that a game's server may listen to, and comes back when it breaks."""

import contextlib
import json
import threading

import httpx

__all__ = ["Listener"]

_COMES_BACK = 3.0  # seconds, as browsers are told to


class Listener(threading.Thread):
    """Notes which matches were named in events, and how often the stream had to be opened."""

    def __init__(self, url: str, key: str) -> None:
        super().__init__(name="listener", daemon=True)
        self.newest_match, self.events, self.opened = 0, 0, 0
        self._url, self._key = f"{url}/api/v1/stream", key
        self._ended = threading.Event()

    def run(self) -> None:
        """Listen until told to end."""
        while not self._ended.is_set():
            with contextlib.suppress(httpx.TransportError):
                self._listen()
            self._ended.wait(_COMES_BACK)

    def end(self) -> None:
        """Stop listening; the thread ends with the next event, or with the program."""
        self._ended.set()

    def _listen(self) -> None:
        headers = {"Authorization": f"Bearer {self._key}"}
        timeout = httpx.Timeout(10.0, read=18.0)  # as docs/api.md advises
        with (
            httpx.Client(timeout=timeout, trust_env=False) as client,
            client.stream("GET", self._url, headers=headers) as answer,
        ):
            self.opened += answer.is_success
            for line in answer.iter_lines():
                if self._ended.is_set():
                    return
                if line.startswith("data: ") and (told := json.loads(line[6:])):
                    self._note(told)

    def _note(self, told: dict[str, dict[str, int]]) -> None:
        self.events += 1
        self.newest_match = max(self.newest_match, told["ids"].get("match", 0))
