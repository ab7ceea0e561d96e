"""Public pages kept as they were rendered: what many look at is rendered once, in each process.

What a template makes of the database is rendered without a request, so that nothing of a reader can be in it. What
belongs to the reader, such as the header, is put around it each time; their own players are marked in it then.

A page that was compared a moment ago is shown without asking the database. After that it is shown while its version
is the same, and for some seconds at most: names and times are in no version. Who is signed in, and open pages that ask
for news, are never shown one that has not been compared.
"""

import hashlib
import re
import sys
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from foundation.page_parts import asks_again, is_unchanged, version_of, wants_part
from foundation.postgresql.transactions import one_snapshot
from foundation.templatetags.components import you

__all__ = ["KeptPage", "forget_pages", "keep_answer", "kept_answer", "kept_page", "show_kept"]

MOST_BYTES = 40_000_000  # of all that a process keeps: some 300 pages
MOST_ANSWERS = 200  # of each kind (boards of the API, own overviews): those asked for last
# Where a player stands on a page: what goes there for the one who reads it; and where something of the reader belongs.
# Names are escaped, so none can say this.
_MARK = re.compile(r"<!--(you|current|own) (\w+)-->")
_TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"')

P = ParamSpec("P")
Seen = TypeVar("Seen")


@dataclass(eq=False)
class KeptPage(Generic[Seen]):
    """A page: what its version was made of, when it was made and compared last, and its HTML with marks in it."""

    seen: Seen
    version: str
    made: float
    compared: float
    marked: str

    @cached_property
    def size(self) -> int:
        """Bytes it takes at most, the HTML without marks included. The same each time, for they are added up."""
        return 2 * sys.getsizeof(self.marked)

    @cached_property
    def plain(self) -> SafeString:
        """Its HTML for who is none of the players on it."""
        return SafeString(_MARK.sub("", self.marked))

    def shown_to(self, players: Collection[int], own: Mapping[str, SafeString]) -> SafeString:
        """Its HTML for the account of these players; `own`: what goes where it says `<!--own NAME-->`."""
        if not players and not own:
            return self.plain
        words = {("own", name): html for name, html in own.items()}
        for number in map(str, players):
            words["you", number] = you(0, {0})
            words["current", number] = SafeString(' aria-current="true"')
        return SafeString(_MARK.sub(lambda it: words.get((it[1], it[2]), ""), self.marked))


class _Pages:
    """Pages by their keys, those asked for last at the end, and how many bytes they take together."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, KeptPage[Any]] = OrderedDict()
        self.size = 0

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable) -> KeptPage[Any] | None:
        """The page of this key, if it is kept."""
        return self._kept.get(key)

    def values(self) -> list[KeptPage[Any]]:
        """All of them."""
        return list(self._kept.values())

    def ask_for(self, key: Hashable) -> None:
        """Let it stay for longer than others, if others have not taken its room meanwhile."""
        if key in self._kept:
            self._kept.move_to_end(key)

    def keep(self, key: Hashable, page: KeptPage[Any]) -> None:
        """Keep a page in place of the one there was, and drop those asked for longest ago while there is no room."""
        self._drop(self._kept.pop(key, None))
        self._kept[key] = page
        self.size += page.size
        while self.size > MOST_BYTES:
            self._drop(self._kept.popitem(last=False)[1])

    def clear(self) -> None:
        """Keep none."""
        self._kept.clear()
        self.size = 0

    def _drop(self, page: KeptPage[Any] | None) -> None:
        self.size -= 0 if page is None else page.size


_pages = _Pages()
_answers: defaultdict[str, OrderedDict[Hashable, tuple[str, float, object]]] = defaultdict(
    OrderedDict
)


def takes_parameters(
    *names: str,
) -> Callable[
    [Callable[Concatenate[HttpRequest, P], HttpResponse]],
    Callable[Concatenate[HttpRequest, P], HttpResponse],
]:
    """Answer as if no other parameters were in the address: each invented one would be one more page to keep."""
    taken = {*names, "seen"}

    def decorate(
        view: Callable[Concatenate[HttpRequest, P], HttpResponse],
    ) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
        @wraps(view)
        def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if not taken.issuperset(request.GET):
                known = request.GET.copy()
                for name in set(known) - taken:
                    del known[name]
                request.GET = known  # type: ignore[assignment]  # it may be changed now, and nobody does
            return view(request, *args, **kwargs)

        return answer

    return decorate


def kept_page(
    request: HttpRequest,
    template: str,
    *,
    look: Callable[[], Seen],
    name: Callable[[Seen], object],
    context: Callable[[Seen, str], Mapping[str, Any]],
    audience: Hashable = None,
    keep: Callable[[Seen], bool] = lambda _: True,
) -> KeptPage[Seen]:
    """The page at this address as it is now: read anew, as of one moment, where that may be needed.

    look      reads what decides the version, and what the frame around the page needs; may raise Http404
    name      what of it is the version
    context   what the template shows, of what was seen and the name of its version
    audience  tells apart those who are not shown the same
    keep      denied: for this answer alone

    Of a part that asks whether its version is still the same, and it is, there may be no HTML.
    """
    given = sorted((word, tuple(values)) for word, values in request.GET.lists() if word != "seen")
    # A copy of the database may be behind (config.web.replica): its pages are kept apart.
    read_from = connection.alias
    key = (request.path, tuple(given), get_language(), template, audience, read_from)
    now = time.monotonic()
    page: KeptPage[Seen] | None = _pages.get(key)
    # Whoever is signed in may have changed something, and a part that asks may have been told of a change.
    may_trust = not asks_again(request) and not request.user.is_authenticated
    if page is not None and may_trust and now - page.compared < settings.PAGES_TRUSTED:
        return page
    with one_snapshot():
        seen = look()
        version = version_of(name(seen))
        is_old = page is None or now - page.made >= settings.PAGES_KEPT
        if page is not None and page.version == version and not is_old:
            page.seen, page.compared = seen, now
            _pages.ask_for(key)
            return page
        if is_unchanged(request, version):
            return KeptPage(seen, version, now, now, "")
        frame = {"is_kept": True, "is_part": wants_part(request)}
        html = render_to_string(template, {**context(seen, version), **frame})
    page = KeptPage(seen, version, now, now, html)
    if keep(seen):
        _pages.keep(key, page)
    return page


def show_kept(
    request: HttpRequest,
    template: str,
    frame: Mapping[str, Any],
    page: KeptPage[Any],
    players: Collection[int],
    own: Mapping[str, SafeString] | None = None,
) -> HttpResponse:
    """Answer with a page, as `part` of a template with what else that needs; or by itself when htmx asks.

    `players`: those of the account that reads it; `own`: see `KeptPage.shown_to`. Who is signed out, and has it
    already, is told so (304).
    """
    part = page.shown_to(players, own or {})
    if wants_part(request):
        response = HttpResponse(part)
    else:
        response = render(request, template, {**frame, "part": part})
        if not request.user.is_authenticated:
            patch_cache_control(response, private=True, no_cache=True)
            response["ETag"] = tag = _tag_of(response.content, request.META.get("CSRF_COOKIE", ""))
            response = get_conditional_response(request, etag=tag, response=response) or response
    patch_vary_headers(response, ["HX-Request", "HX-History-Restore-Request"])
    return response


def _tag_of(content: bytes, secret: str) -> str:
    """Another one for any other page, its frame included. A weak one: the tokens of its forms are left out.

    The secret that they belong to is not: with another one the forms of a page that is there already are dead.
    """
    digest = hashlib.blake2b(_TOKEN.sub(b"", content), key=secret.encode(), digest_size=12)
    return f'W/"{digest.hexdigest()}"'


def kept_answer(key: Hashable, version: str, *, kind: str = "board") -> Any:
    """What was made for this key at this version, while it is kept; else None. Nobody may change it."""
    answers = _answers[kind]
    found = answers.get(key)
    if found is None or found[0] != version:
        return None
    answers.move_to_end(key)  # what is asked for stays
    return found[2] if time.monotonic() - found[1] < settings.PAGES_KEPT else None


def keep_answer(
    key: Hashable, version: str, answer: object, *, kind: str = "board", began: float | None = None
) -> None:
    """Keep what was made for this key at this version, for some seconds since `began`, before it was read, or now.

    Kinds take no room from each other: there is a board for each page of it, and an overview for each account.
    """
    answers = _answers[kind]
    answers[key] = version, time.monotonic() if began is None else began, answer
    answers.move_to_end(key)
    while len(answers) > MOST_ANSWERS:
        answers.popitem(last=False)


def forget_pages() -> None:
    """Make everything anew."""
    _pages.clear()
    _answers.clear()
