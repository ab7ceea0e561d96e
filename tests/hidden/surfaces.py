"""Every address of the site, found from its URL configuration, and what visitors of every kind are answered there.

A new address joins by itself. One with parameters that are not known here needs a line in `VALUES`; one that only
takes POST or PUT has its bodies in `BODIES`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any

from django.db import transaction
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import get_resolver
from django.urls.resolvers import URLPattern, URLResolver

from api.problems import PROBLEMS
from tests.hidden.theatre import Theatre

__all__ = [
    "Answer",
    "MissingSampleError",
    "Visitor",
    "addresses",
    "ask",
    "ask_all",
    "is_for_all_times",
    "is_for_staff",
    "routes",
    "send_all",
    "visitors",
]

Values = Callable[[Theatre], list[object]]
_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
_METRICS = {"Authorization": "Bearer metrics-token-of-the-tests"}


class MissingSampleError(LookupError):
    """There is an address with parameters for which nothing is known to ask for."""


def _ladders(it: Theatre) -> list[object]:
    return [it.ladder.slug, it.empty.slug]


def _players(it: Theatre) -> list[object]:
    return [it.people[name].player.pk for name in ("Anna", "Otto")]


def _matches(it: Theatre) -> list[object]:
    return list(it.matches) or [1]


def _tickets(it: Theatre) -> list[object]:
    return [it.ticket(name).pk for name in ("Anna", "Bjoern", "Carla")]


def _queues(it: Theatre) -> list[object]:
    return [it.queue.slug]


def _external_ids(it: Theatre) -> list[object]:
    return [person.player.external_id for person in it.people.values()]


# What to ask for at addresses that begin so; the first line that fits counts.
VALUES: list[tuple[str, Values]] = [
    ("games/", lambda it: [it.game.slug]),
    ("ladders/", _ladders),
    ("players/", _players),
    ("matches/", _matches),
    ("play/matches/", _matches),
    ("play/tickets/", _tickets),
    ("play/in/", _queues),
    ("api/v1/problems/", lambda it: sorted(PROBLEMS)[:3]),
    ("api/v1/ladders/", _ladders),
    ("api/v1/players/by-external-id/", _external_ids),
    ("api/v1/players/", _players),
    ("api/v1/matches/", _matches),
    ("api/v1/queues/", _queues),
    ("api/v1/tickets/", _tickets),
    ("accounts/tokens/", lambda it: [1]),
]
# Addresses that are no plain text: one that fits each.
EXAMPLES = {
    "api/v1/^.*$": "api/v1/nothing/here",
    "accounts/^confirm-email/(?P<key>[-:\\w]+)/$": "accounts/confirm-email/abc/",
    "accounts/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$": (
        "accounts/password/reset/key/1-abc/"
    ),
}
# What can be asked for beyond the address, at addresses that begin so.
QUERIES: list[tuple[str, Callable[[Theatre], list[str]]]] = [
    (
        "ladders/",
        lambda it: [
            "everyone=1",
            "everyone=1&rank=1",
            f"everyone=1&player={it.people['Anna'].player.pk}",
            "q=an",
        ],
    ),
    ("players/", lambda it: [f"ladder={it.ladder.slug}", f"part=ratings&ladder={it.ladder.slug}"]),
    ("search/", lambda it: ["q=a", "q=anna", "q=otto"]),
    (
        "live/",
        lambda it: [
            "topic=site",
            "topic=player",
            *(f"topic=player:{pk}" for pk in _players(it)),
            *(f"topic=ladder:{one.pk}" for one in (it.ladder, it.empty)),
        ],
    ),
    (
        "api/v1/ladders/<slug:slug>/leaderboard",
        lambda it: ["everyone=1", f"around={it.people['Anna'].player.pk}", "rank=1&everyone=1"],
    ),
    ("api/v1/ladders/", lambda it: []),
    ("api/v1/ladders", lambda it: [f"game={it.game.slug}"]),
    ("api/v1/players/<int:player_id>/", lambda it: [f"ladder={it.ladder.slug}"]),
    ("api/v1/queues", lambda it: [f"game={it.game.slug}"]),
]


def _body_of_results(it: Theatre) -> dict[str, Any]:
    names = _external_ids(it)
    played = {
        "ladder": it.ladder.slug,
        "external_id": "sent",
        "teams": [[names[0]], [names[3]]],
        "ranks": [0, 1],
        "played_at": "2026-03-01T11:00:00Z",
    }
    return {"results": [played, {**played, "external_id": "other", "ranks": [5, 5]}]}


Bodies = Callable[[Theatre], list[dict[str, Any]]]
# What is sent with POST and PUT to addresses that end so; the first line that fits counts, and {} to all others.
BODIES: list[tuple[str, Bodies]] = [
    (
        "/reports",
        lambda it: [{"outcome": "won"}, {"outcome": "won", "player": _external_ids(it)[1]}],
    ),
    ("/leave", lambda it: [{}, {"player": _external_ids(it)[1]}]),
    ("/result", lambda it: [{"ranks": [0, 1]}]),
    ("/accept", lambda it: [{"offer": it.offer().pk}] if it.matches else [{}]),
    ("v1/results", lambda it: [_body_of_results(it)]),
    (
        "v1/matches",
        lambda it: [
            {"ladder": it.ladder.slug, "teams": [[name] for name in _external_ids(it)[2:]]}
        ],
    ),
    (
        "v1/tickets",
        lambda it: [
            {"queue": it.queue.slug},
            {"queue": it.queue.slug, "player": _external_ids(it)[2]},
        ],
    ),
    ("/report/", lambda it: [{"outcome": "won"}, {"outcome": "left"}]),
    ("/player/", lambda it: [{"name": "Anna"}, {"name": "Newcomer"}]),
    ("/setlang/", lambda it: [{"language": "de"}]),
]


@dataclass(frozen=True)
class Visitor:
    """Somebody who asks, and in which way."""

    name: str
    client: Client
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """What was answered: everything that can be read in it, and by whom."""

    visitor: str
    method: str
    address: str
    status: int
    text: str

    @property
    def place(self) -> str:
        """Where this was, in words."""
        return f"{self.method} {self.address} as {self.visitor} ({self.status})"


def routes() -> Iterator[str]:
    """Every route there is, the administration's among them."""
    yield from _walk(get_resolver(), "")


def addresses(route: str, theatre: Theatre) -> list[str]:
    """The addresses of a route to ask at, with their queries. Raises MissingSampleError."""
    if route in EXAMPLES:
        return [f"/{EXAMPLES[route]}"]
    return [
        f"{path}{query}"
        for path in _paths(route, theatre)
        for query in ["", *(f"?{one}" for one in _queries(route, theatre))]
    ]


def visitors(theatre: Theatre) -> list[Visitor]:
    """Everybody who is not staff."""
    anna, bjorn, otto = (theatre.people[name] for name in ("Anna", "Bjoern", "Otto"))
    german = {"Accept-Language": "de"}
    part = {"HX-Request": "true"}
    return [
        Visitor("nobody", Client()),
        Visitor("a player", anna.site),
        Visitor("a player, in German", bjorn.site, german),
        Visitor("a player's page that asks for a part", anna.site, part),
        Visitor("another player", otto.site),
        Visitor("somebody without a player", theatre.stranger),
        Visitor("a player's token", Client(), bjorn.headers),
        Visitor("another player's token", Client(), otto.headers),
        Visitor("the game's server", Client(), {"Authorization": f"Bearer {theatre.server}"}),
        Visitor("another server", Client(), {"Authorization": f"Bearer {theatre.other_server}"}),
        Visitor("whoever reads the metrics", Client(), _METRICS),
    ]


def is_for_staff(route: str) -> bool:
    """Whether an address belongs to the administration, which shows everything."""
    return route.startswith("admin/")


def is_for_all_times(route: str) -> bool:
    """Whether what stands there is the same whatever is played: one look is enough."""
    return route.startswith(("accounts/", "api/v1/schema", "api/v1/docs", "api/v1/problems"))


def ask(visitor: Visitor, address: str) -> Answer:
    """GET of one address."""
    return _send(visitor, "GET", address, None)


def ask_all(
    theatre: Theatre, which: Callable[[str], bool] = lambda route: True
) -> Iterator[Answer]:
    """GET of every address but those of staff, by everybody; of some routes only."""
    for route in filter(which, _public_routes()):
        for address in addresses(route, theatre):
            for visitor in visitors(theatre):
                if _concerns(visitor, address):
                    yield ask(visitor, address)


def send_all(theatre: Theatre) -> Iterator[Answer]:
    """POST and PUT to every address but those of staff, by everybody; each is undone."""
    for route in _public_routes():
        for path in {address.partition("?")[0] for address in addresses(route, theatre)}:
            for visitor in visitors(theatre):
                if visitor.name.endswith("German") or not _concerns(visitor, path):
                    continue
                for method in ("POST", "PUT") if path.startswith("/api/") else ("POST",):
                    for body in _bodies(path, theatre):
                        with transaction.atomic():
                            yield _send(visitor, method, path, body)
                            transaction.set_rollback(True)


def _public_routes() -> list[str]:
    return [route for route in routes() if not is_for_staff(route)]


def _walk(resolver: URLResolver, before: str) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        route = f"{before}{pattern.pattern}"
        if isinstance(pattern, URLPattern):
            yield route
        else:
            yield from _walk(pattern, route)


def _paths(route: str, theatre: Theatre) -> list[str]:
    if _PARAMETER.search(route) is None:
        if set(route) & set("^$()\\"):
            raise MissingSampleError(
                f"{route!r} is a pattern: add an address to EXAMPLES in {__name__}"
            )
        return [f"/{route}"]
    if route.startswith("admin/"):
        return [f"/{_PARAMETER.sub('1', route)}"]
    values = next((found for begin, found in VALUES if route.startswith(begin)), None)
    if values is None or len(_PARAMETER.findall(route)) > 1:
        raise MissingSampleError(
            f"{route!r} is not known: add a line to VALUES in {__name__} that says what to ask for"
        )
    return [f"/{_PARAMETER.sub(str(value), route)}" for value in values(theatre)]


def _queries(route: str, theatre: Theatre) -> list[str]:
    return next((found(theatre) for begin, found in QUERIES if route.startswith(begin)), [])


def _bodies(path: str, theatre: Theatre) -> list[dict[str, Any]]:
    return next((found(theatre) for end, found in BODIES if path.endswith(end)), [{}])


def _concerns(visitor: Visitor, address: str) -> bool:
    """The API knows no sessions and the pages no tokens; with the wrong one everybody is a visitor."""
    if address.startswith("/metrics"):
        return True
    if address.startswith("/api/v1/"):
        return "Authorization" in visitor.headers or visitor.name.startswith("nobody")
    return "Authorization" not in visitor.headers


def _send(visitor: Visitor, method: str, address: str, body: dict[str, Any] | None) -> Answer:
    given: dict[str, Any] = {}
    if method != "GET":
        is_api = address.startswith("/api/")
        given = {"data": body, **({"content_type": "application/json"} if is_api else {})}
    client = Client()
    client.cookies = SimpleCookie(visitor.client.cookies.output(header=""))
    send = getattr(client, method.lower())
    response = send(address, headers=visitor.headers, **given)
    if isinstance(response, StreamingHttpResponse):
        text = _first_of_stream(response)
    else:
        text = response.content.decode(errors="replace")
    headers = "\n".join(f"{name}: {value}" for name, value in response.items())
    cookies = "\n".join(str(cookie) for cookie in response.cookies.values())
    return Answer(
        visitor.name, method, address, response.status_code, f"{headers}\n{cookies}\n\n{text}"
    )


def _first_of_stream(response: StreamingHttpResponse) -> str:
    """The beginning of a stream of events; the rest is listened to during the play. Files are read whole."""
    chunks = iter(response)  # type: ignore[call-overload]
    if "event-stream" not in response["Content-Type"]:
        return b"".join(chunks).decode(errors="replace")
    first: bytes = next(chunks)
    response.close()
    return first.decode()
