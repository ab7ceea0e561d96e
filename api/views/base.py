"""The base of every endpoint: who calls, whether it may, how often, once only, and how a refusal looks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property, partial
from typing import Any, ClassVar, cast

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.auth.access import Access
from api.auth.callers import ANONYMOUS, Caller
from api.contract.bodies import MOST_VALUES, Body, NothingBody
from api.contract.field_errors import field_errors, parameter_errors
from api.contract.idempotency import answer_once, key_of
from api.contract.limits import Allowance, limit_named, take
from api.contract.pages import link
from api.contract.problems import MEDIA_TYPE, ProblemError
from api.contract.shapes import Answer, Shape
from foundation import clock
from foundation.metrics import LIMITED_REQUESTS
from foundation.requests.addresses import address_of

__all__ = ["METHODS", "ApiView", "accepts"]

METHODS = ("get", "post", "put", "patch", "delete")


class ApiView(APIView):
    """One endpoint. See `api/README.md` for how to write one.

    access       who may use each method: `{"GET": PUBLIC, "POST": needs(Scope.PLAY)}`; every method must stand there
    query        what reads the parameters of the address, by method; where none does, every parameter is refused
    problems     further codes by method, for the description: `{"POST": ("queue_closed",)}`
    tag          under which the endpoint stands in the description of the API
    limit        name of a limit in the settings in place of the caller's own
    produces     media types of the answers, for whoever names in `Accept` what it takes
    max_body     bytes that a body may have; None: what the settings say
    max_values   values that it may hold
    has_address  what a POST makes has an address, in `Location`
    is_secret    the answer to a POST shows a secret: what is kept of it for `Idempotency-Key` is sealed
    """

    access: ClassVar[Mapping[str, Access]] = {}
    query: ClassVar[Mapping[str, type[Body]]] = {}
    problems: ClassVar[Mapping[str, Sequence[str]]] = {}
    produces: ClassVar[Sequence[str]] = ("application/json", MEDIA_TYPE)
    tag: ClassVar[str] = ""
    limit: ClassVar[str | None] = None
    max_body: ClassVar[int | None] = None
    max_values: ClassVar[int] = MOST_VALUES
    has_address: ClassVar[bool] = False
    is_secret: ClassVar[bool] = False
    http_method_names = [*METHODS, "head"]

    _allowance: Allowance | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        open_to_all = [
            name for name in METHODS if hasattr(cls, name) and name.upper() not in cls.access
        ]
        if open_to_all:
            raise ImproperlyConfigured(f"{cls.__name__}.access does not say who may {open_to_all}")

    @property
    def caller(self) -> Caller:
        """On whose behalf this request is made."""
        return cast("Caller | None", self.request.auth) or ANONYMOUS

    @cached_property
    def now(self) -> datetime:
        """The time of this request."""
        return clock.now()

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer a request; what goes wrong on the way becomes a problem."""
        self.args, self.kwargs, self.headers = args, kwargs, self.default_response_headers
        self.request = self.initialize_request(request, *args, **kwargs)
        response: HttpResponse
        try:
            self.initial(self.request, *args, **kwargs)
            handler = getattr(self, self._method.lower())
            act: Callable[[], HttpResponse] = partial(handler, self.request, *args, **kwargs)
            key = key_of(self.request) if self._method == "POST" else None
            if key is None or self.caller.is_anonymous:
                response = act()
            else:
                response = answer_once(
                    self.request,
                    self.caller,
                    key,
                    act,
                    is_secret=self.is_secret,
                    is_gone=self.is_gone,
                )
        except Exception as error:
            response = self.handle_exception(error)
        answer: HttpResponse = self.finalize_response(self.request, response, *args, **kwargs)
        return answer

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Find out who calls, count the call, and see whether it is allowed."""
        request.accepted_renderer, request.accepted_media_type = self._renderer()
        if self._method not in self.access:
            self.http_method_not_allowed(request)
        if "Content-Length" not in request.headers and "Transfer-Encoding" in request.headers:
            raise ProblemError("length_required", _("Send “Content-Length” with the body."))
        try:
            self.perform_authentication(request)
        except ProblemError:
            self._count(f"address:{address_of(request)}", "anonymous")
            raise
        if self.caller.is_anonymous:
            self._count(f"address:{address_of(request)}", self.limit or "anonymous")
        else:
            kind = "server" if self.caller.server_key else "player"
            work = "read" if self._method == "GET" else "write"
            self._count(self.caller.principal, self.limit or f"{kind}-{work}")
        self.access[self._method].check(self.caller)
        if not accepts(request.headers.get("Accept", ""), self.produces):
            words = _("This address answers %(types)s, which “Accept” rules out.")
            raise ProblemError("not_acceptable", words % {"types": self.produces[0]})
        self.parameters: Any = self.read_parameters()

    def is_gone(self, answer: Any) -> bool:
        """Whether an answer that shows a secret, kept for `Idempotency-Key`, is about somebody deleted since."""
        return False

    def body(self, reader: type[Body]) -> Any:
        """The checked values of the body; refuses with `invalid_body` and every error there is."""
        data = self.request.data
        given, wrong = reader.read(data)
        if wrong is not None:
            words = _("Something in the body is wrong. Each error names a field.")
            raise ProblemError("invalid_body", words, errors=field_errors(wrong, data))
        return given

    def shown(self, shape: type[Shape], what: Any, **context: Any) -> Answer:
        """`what` in the shape of an answer, as far as this caller may see it. `context` is for the shape's methods."""
        return shape(context={"view": self, **context}).to_representation(what)

    def page(
        self, shape: type[Shape], rows: Iterable[Any], after: str | None, **more: Any
    ) -> Response:
        """A page of a list, in a shape by `page_shape`; `after` is the cursor of the next one, None on the last."""
        page = {"results": rows, "next": link(self.request, after), **more}
        return Response(self.shown(shape, page))

    def read_parameters(self) -> Any:
        """The checked values of the query string; refuses with `invalid_parameter`."""
        query = self.request.query_params
        reader = self.query.get(self._method, NothingBody)
        if not query and reader is NothingBody:
            return {}
        data = query.dict()
        given, wrong = reader.read(data)
        errors = [] if wrong is None else parameter_errors(wrong, data)
        twice = _("It is given more than once.")
        errors += [
            {"parameter": name, "code": "repeated", "detail": twice}
            for name, values in query.lists()
            if len(values) > 1
        ]
        if errors:
            words = _("A parameter of the address is wrong. “errors” names it.")
            raise ProblemError("invalid_parameter", words, errors=errors)
        return given

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Add what every answer carries."""
        request.accepted_renderer, request.accepted_media_type = self._renderer()
        response = super().finalize_response(request, response, *args, **kwargs)
        for name, value in (self._allowance.headers if self._allowance else {}).items():
            response[name] = value
        response["X-Content-Type-Options"] = "nosniff"
        if "Cache-Control" not in response:
            add_never_cache_headers(response)
        return response

    @property
    def _method(self) -> str:
        method = self.request.method or ""
        return "GET" if method == "HEAD" else method

    def _count(self, who: str, name: str) -> None:
        limit = limit_named(name)
        self._allowance = take(limit, who) if limit else None
        if self._allowance and not self._allowance.allowed:
            LIMITED_REQUESTS.labels(name).inc()
            words = _("More than %(count)d requests in %(seconds)g seconds. Wait a little.")
            given = {"count": self._allowance.limit.count, "seconds": self._allowance.limit.seconds}
            raise ProblemError("rate_limited", words % given)

    def _renderer(self) -> tuple[Any, str]:
        """JSON, whatever was asked for: there is nothing else."""
        renderer = self.get_renderers()[0]
        return renderer, renderer.media_type


def accepts(header: str, types: Sequence[str]) -> bool:
    """Whether `Accept` takes one of the media types. An empty header takes all; parameters but `q` are passed over."""
    qualities: dict[str, float] = {}
    for part in filter(str.strip, header.split(",")):
        media_range, *parameters = (word.strip().lower() for word in part.split(";"))
        stated = [word.partition("=")[2] for word in parameters if word.startswith("q=")]
        try:
            quality = float(stated[0]) if stated else 1.0
        except ValueError:
            quality = 1.0
        qualities[media_range] = max(qualities.get(media_range, quality), quality)
    if not qualities:
        return True
    for media_type in types:
        # The narrowest range that fits decides.
        fitting = (media_type, f"{media_type.partition('/')[0]}/*", "*/*")
        if next((qualities[it] for it in fitting if it in qualities), 0.0) > 0:
            return True
    return False
