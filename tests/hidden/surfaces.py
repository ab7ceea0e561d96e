"""Every address of the site, found from its URL configuration, and what visitors of every kind are answered there.

A new address joins by itself. One with parameters that are not known here needs a line in `VALUES` of
`tests.hidden.samples`; one that takes POST or PUT may have its bodies in `BODIES` there.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import StreamingHttpResponse
from django.test import Client
from django.test.client import ClientHandler
from django.urls import get_resolver
from django.urls.resolvers import URLPattern, URLResolver

from tests.hidden.samples import BODIES, EXAMPLES, QUERIES, VALUES, first_that_fits
from tests.hidden.theatre import Theatre

__all__ = [
    "Answer",
    "MissingSampleError",
    "Visitor",
    "addresses",
    "ask",
    "ask_all",
    "concerns",
    "is_for_all_times",
    "is_for_staff",
    "routes",
    "send_all",
    "visitors",
]

_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
# Whoever was let in so far, there is nothing to ask for: the same for all.
NO_SUCH_METHOD = 405
_METRICS = {"Authorization": "Bearer metrics-token-of-the-tests"}
# One for all requests: to load the middleware anew takes longer than most answers.
_HANDLER = ClientHandler(enforce_csrf_checks=False)


class MissingSampleError(LookupError):
    """There is an address with parameters for which nothing is known to ask for."""


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
                if not concerns(visitor, address):
                    continue
                answer = ask(visitor, address)
                yield answer
                if answer.status == NO_SUCH_METHOD:
                    break


def send_all(theatre: Theatre) -> Iterator[Answer]:
    """POST and PUT to every address but those of staff, by everybody; each is undone."""
    for route in _public_routes():
        for path in {address.partition("?")[0] for address in addresses(route, theatre)}:
            for method in ("POST", "PUT") if path.startswith("/api/") else ("POST",):
                for visitor in visitors(theatre):
                    if visitor.name.endswith("German") or not concerns(visitor, path):
                        continue
                    statuses = set()
                    for body in _bodies(path, theatre):
                        with transaction.atomic():
                            answer = _send(visitor, method, path, body)
                            yield answer
                            transaction.set_rollback(True)
                        statuses.add(answer.status)
                    if statuses == {NO_SUCH_METHOD}:
                        break


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
                f"{route!r} is a pattern: add an address to EXAMPLES in tests/hidden/samples.py"
            )
        return [f"/{route}"]
    if route.startswith("admin/"):
        return [f"/{_PARAMETER.sub('1', route)}"]
    values = first_that_fits(VALUES, route.startswith)
    if values is None or len(_PARAMETER.findall(route)) > 1:
        raise MissingSampleError(
            f"{route!r} is not known: add a line to VALUES in tests/hidden/samples.py that says what to ask for,"
            " or, where it has two parameters, an address to EXAMPLES"
        )
    return [f"/{_PARAMETER.sub(str(value), route)}" for value in values(theatre)]


def _queries(route: str, theatre: Theatre) -> list[str]:
    queries = first_that_fits(QUERIES, route.startswith)
    return [] if queries is None else list(queries(theatre))


def _bodies(path: str, theatre: Theatre) -> list[dict[str, Any]]:
    bodies = first_that_fits(BODIES, path.endswith)
    return [{}] if bodies is None else list(bodies(theatre))


def concerns(visitor: Visitor, address: str) -> bool:
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
    client.handler = _HANDLER
    client.cookies = SimpleCookie(visitor.client.cookies.output(header=""))
    client.cookies[settings.CSRF_COOKIE_NAME] = (
        "s" * 32
    )  # else each answer names its pages by another secret
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
    chunks = iter(response)
    if "event-stream" not in response["Content-Type"]:
        return b"".join(chunks).decode(errors="replace")
    first: bytes = next(chunks)
    response.close()
    return first.decode()
