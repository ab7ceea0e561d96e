"""All who use the site while it is upgraded, and what they were told."""

from collections import Counter
from dataclasses import dataclass, field
from threading import Thread

from config.embedded.processes import wait_until
from demo.play.truth import Persona
from tests.under_fire.servers.listener import Listener
from tests.under_fire.servers.players import Players
from tests.under_fire.site.results import Results
from tests.under_fire.site.stored import LONGEST, PLAYED, compare, count
from tests.under_fire.site.visitor import PAGES, Visitor
from tests.under_fire.upgraded.visitors import Reader, SignedIn

__all__ = ["Told", "Traffic"]

_PLAYERS = 12
_PATIENCE = 75.0  # seconds, as the proxy's: who is slow has not failed
_AT_A_TIME = 20
_READ = ("/", "/ladders/demo-duel/", "/search/?q=a")


@dataclass(frozen=True)
class Told:
    """What callers were told in all: acknowledged acts by kind, results, visits, and messages of streams."""

    acts: Counter[str] = field(default_factory=Counter)
    results: int = 0
    visits: int = 0
    messages: int = 0


class Traffic:
    """Players, a game's server, an open stream, visitors and somebody who is signed in."""

    def __init__(self, url: str, key: str, database: str, seed: int) -> None:
        self._database, name = database, f"upgraded{seed}"
        cast = {f"{name}-p{n}": Persona.of_a(f"{name}-p{n}") for n in range(_PLAYERS)}
        queues = {"demo-blitz": 1.0, "demo-duel": 0.5}
        self.players = Players(url, key, cast, queues, seed, patience=_PATIENCE)
        self.results = Results(url, key, list(cast), patience=_PATIENCE)
        self.batches = Results(url, key, list(cast), at_a_time=_AT_A_TIME, patience=_PATIENCE)
        self._listener = Listener(url, key)
        self.signed_in = SignedIn(url, name, _PATIENCE)
        self.visitors: list[Visitor] = [Visitor(url, path, _PATIENCE) for path in PAGES]
        self.visitors += [Reader(url, path, _PATIENCE) for path in _READ]
        self.visitors.append(self.signed_in)

    def start(self) -> None:
        """Begin, and wait until some have played and have been rated. Raises RuntimeError where nobody does."""
        before = self._played()
        self.results.introduce()
        everybody: list[Thread] = [self.players, *self._senders(), self._listener, *self.visitors]
        for one in everybody:
            one.start()
        if not wait_until(lambda: self._played() > before, seconds=LONGEST, every=0.2):
            raise RuntimeError(f"nobody has played within {LONGEST:.0f} s")

    def goes_on(self) -> bool:
        """Whether from now on somebody plays, and results are taken, alone and many at a time."""
        before = self._so_far()
        return wait_until(
            lambda: all(now > then for now, then in zip(self._so_far(), before, strict=True)),
            seconds=LONGEST,
            every=0.2,
        )

    def end(self) -> Told:
        """Have all of them stop, and tell what they were told."""
        self.players.go_home()
        ending: list[Listener | Results | Visitor] = [
            *self._senders(),
            self._listener,
            *self.visitors,
        ]
        for one in ending:
            one.end()
        return Told(
            acts=Counter(str(row["what"]) for row in self.players.kept),
            results=sum(len(one.told) for one in self._senders()),
            visits=sum(visitor.visits() for visitor in self.visitors),
            messages=self._listener.events,
        )

    def failures(self) -> Counter[str]:
        """What failed, whoever asked for it; too many requests is none of it."""
        found: Counter[str] = Counter()
        for who, failed in (
            ("players", self.players.failures),
            ("results", self.results.failures),
            ("batches", self.batches.failures),
            *((visitor.path, visitor.faults()) for visitor in self.visitors),
        ):
            found.update({f"{who}: {what}": number for what, number in failed.items()})
        return Counter({what: n for what, n in found.items() if not what.endswith(": 429")})

    def wrongs(self) -> dict[str, int]:
        """What is stored, held against what they were told, once all have stopped."""
        return compare(self._database, self.players.kept, self._senders())

    def _senders(self) -> list[Results]:
        return [self.results, self.batches]

    def _played(self) -> int:
        return count(self._database, PLAYED)

    def _so_far(self) -> list[int]:
        return [self._played(), *(len(one.told) for one in self._senders())]
