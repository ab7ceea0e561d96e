"""Outsiders: who reads what is not meant to be learnt from, and how far.

Every address of the site is asked for a few matches and players. Where the answers are alike, whoever is asked about,
they tell nothing. Where they differ, the address is asked for every match and player; lists are read on to their
ends. Every stream of events is listened to while matches are played, and the matches it names are asked for.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from django.conf import settings
from django.test import Client
from redis import Redis

from api.auth.issue import issue_token
from api.auth.scopes import PLAYER_SCOPES
from events.live import hub
from events.live.messages import Message
from ratings.models import Game, Player
from tests.hidden.inference.pool import Pool
from tests.hidden.inference.reading import Clues, read
from tests.hidden.surfaces import (
    Answer,
    Visitor,
    addresses,
    ask,
    concerns,
    is_for_all_times,
    is_for_staff,
    routes,
    visitors,
)

__all__ = ["Listening", "Outsider", "outsiders_of"]

_NEXT = re.compile(r'rel="next" href="([^"#]+)|"next": ?"http://testserver([^"]+)')
_TOKEN = re.compile(r"\w+")
# What differs between two answers that say the same.
_CHANCE = re.compile(
    r'csrfmiddlewaretoken" value="\w+"|csrftoken=\w+|[Ee]xpires[=:][^;\n]+|RateLimit-\w+: \d+|Content-Length: \d+'
    r"|^(# |process_|python_|evenmatch_(?!track_backlog|live_tickets)).*\n",
    re.MULTILINE,
)
_SAMPLES = 4
_MOST_PAGES = 60
# What streams are told besides, to know that they listen, and that they have heard everything.
_BEGIN, _END = "test.begin", "test.end"


@dataclass(slots=True)
class Outsider:
    """Somebody who reads as one or several visitors, and what was read so far. `heard`: what streams have told."""

    name: str
    visitors: list[Visitor]
    clues: Clues = field(default_factory=Clues)
    streams: list[tuple[Visitor, str]] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    asked: set[tuple[str, str]] = field(default_factory=set)

    def read_everything(self, pool: Pool, names: Mapping[str, int], some: Sequence[Player]) -> None:
        """Ask everywhere for a few matches and players, and where that tells anything, for all."""
        theatre, every = pool.theatre, list(pool.theatre.matches)
        known = _known(pool)
        theatre.crowd[:], theatre.matches[:] = some, every[:: max(1, len(every) // _SAMPLES)]
        told: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        for visitor, address in self._addresses(pool):
            answer = self._read(visitor, address, names)
            kind = visitor.name, _without(known, address, address)
            told[kind].add(_without(known, address, _CHANCE.sub("", answer.text)))
        telling = {kind for kind, texts in told.items() if len(texts) > 1}
        theatre.crowd[:], theatre.matches[:] = pool.players, every
        if telling:
            for visitor, address in self._addresses(pool):
                if (visitor.name, _without(known, address, address)) in telling:
                    self._read(visitor, address, names)
        theatre.crowd.clear()

    def follow(self, pool: Pool, names: Mapping[str, int]) -> None:
        """Ask for the matches that streams have named."""
        named = {
            int(number) for line in self.heard for number in re.findall(r'"match":(\d+)', line)
        }
        every, pool.theatre.matches[:] = list(pool.theatre.matches), sorted(named)
        for visitor, address in self._addresses(pool) if named else ():
            if set(map(int, re.findall(r"\d+", address))) & named:
                self._read(visitor, address, names)
        pool.theatre.matches[:] = every

    def _addresses(self, pool: Pool) -> Iterator[tuple[Visitor, str]]:
        for route in routes():
            if is_for_staff(route) or is_for_all_times(route):
                continue
            for address in addresses(route, pool.theatre):
                for visitor in self.visitors:
                    is_known = (visitor.name, address) in self.asked
                    if not is_known and concerns(visitor, address) and _is_meant(visitor, address):
                        yield visitor, address

    def _read(self, visitor: Visitor, address: str, names: Mapping[str, int]) -> Answer:
        """Read an address, and on to the end of the list that begins there."""
        first = answer = self._ask(visitor, address, names)
        for _page in range(_MOST_PAGES):
            on = _NEXT.search(answer.text)
            if on is None:
                break
            way = (on.group(1) or on.group(2)).replace("&amp;", "&")
            way = way if way.startswith("/") else f"{address.partition('?')[0]}{way}"
            if (visitor.name, way) in self.asked:
                break
            answer = self._ask(visitor, way, names)
        return first

    def _ask(self, visitor: Visitor, address: str, names: Mapping[str, int]) -> Answer:
        self.asked.add((visitor.name, address))
        answer = ask(visitor, address)
        if "text/event-stream" in answer.text:
            self.streams.append((visitor, address))
        else:
            surface = re.sub(r"\d+|\?.*", "", address)
            read(surface, address, answer.text, names, self.clues)
        return answer


class Listening(ExitStack):
    """Have outsiders listen to all streams they have found; what was told meanwhile is in `heard` after the block."""

    def __init__(self, outsiders: Sequence[Outsider]) -> None:
        super().__init__()
        self._open: list[tuple[Outsider, Iterator[bytes]]] = []
        self._outsiders = outsiders

    def __enter__(self) -> "Listening":
        """Open them, and wait until each is connected."""
        super().__enter__()
        for outsider in self._outsiders:
            for visitor, address in outsider.streams:
                client = Client(headers=visitor.headers)
                client.cookies = visitor.client.cookies
                response = client.get(address)
                assert response.streaming, address
                self.callback(response.close)
                self._open.append((outsider, iter(response)))
        for _outsider, events in self._open:
            seen = b""
            while _BEGIN.encode() not in seen:
                _tell_all_streams(_BEGIN)
                seen = next(events)
        return self

    def hear(self) -> None:
        """Take down what was told until now."""
        _tell_all_streams(_END)
        for outsider, events in self._open:
            chunk = b""
            while _END.encode() not in chunk:
                chunk = next(events)
                outsider.heard += [
                    it
                    for it in chunk.decode().split("\n\n")
                    if it.startswith("data:") and _BEGIN not in it and _END not in it
                ]


def outsiders_of(pool: Pool) -> list[Outsider]:
    """Everybody who must not learn how strong the players are."""
    theatre = pool.theatre
    by_name = {visitor.name: visitor for visitor in visitors(theatre)}
    elsewhere = Player(game=Game.objects.get(slug="chess"), external_id="far")
    elsewhere.call("Zoe")
    elsewhere.save()
    token = issue_token(player=elsewhere, name="far", scopes=PLAYER_SCOPES)[1]
    far = Visitor("another game's player", Client(), {"Authorization": f"Bearer {token}"})
    return [
        Outsider("an anonymous visitor", [by_name["nobody"], by_name["whoever reads the metrics"]]),
        Outsider("another player", [by_name["another player"], by_name["another player's token"]]),
        Outsider("another game's client", [by_name["another server"], far]),
    ]


def _is_meant(visitor: Visitor, address: str) -> bool:
    """Whoever reads the metrics reads nothing else."""
    return address.startswith("/metrics") or visitor.name != "whoever reads the metrics"


def _known(pool: Pool) -> dict[str, tuple[str, ...]]:
    """By each word that may stand in an address: all words that mean the same match or player."""
    known: dict[str, tuple[str, ...]] = {str(pk): (str(pk),) for pk in pool.theatre.matches}
    for player in pool.players[1:]:  # not Otto, to whom the own pages look different
        words = (str(player.pk), player.external_id, player.name)
        for word in words:
            known[word] = (*known.get(word, ()), *words)
    return known


def _without(known: Mapping[str, tuple[str, ...]], address: str, text: str) -> str:
    """A text without whom or what its address asks about."""
    asked = {same for word in _TOKEN.findall(address) for same in known.get(word, ())}
    return _TOKEN.sub(lambda hit: "…" if hit.group(0) in asked else hit.group(0), text)


def _tell_all_streams(kind: str) -> None:
    """Tell all streams of this process by their own topics."""
    topics = {topic for one in list(hub._hub._streams) for topic in one.topics}
    with Redis.from_url(settings.REDIS_URL) as client:
        client.publish(settings.LIVE_CHANNEL, Message(tuple(sorted(topics)), kind, {}).packed())
