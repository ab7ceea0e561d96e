"""The description of the API, for programs and for people, and the pages that explain the codes of problems."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from inspect import getdoc
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import URLPattern, get_resolver
from django.utils.cache import patch_vary_headers
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import PUBLIC
from api.contract.bodies import Body, WordField
from api.contract.error_responses import not_allowed
from api.contract.problems import PROBLEMS
from api.schema.published import FORMS, published
from api.views.base import METHODS, ApiView, accepts
from foundation.requests.encodings import takes_gzip

__all__ = ["DocsView", "SchemaView", "problem", "problems"]

_YAML = ("application/vnd.oai.openapi", "application/yaml")
_JSON = ("application/vnd.oai.openapi+json", "application/json")
_FRESH = "public, max-age=300"  # after that its ETag is asked for
_SAFE = ("GET", "HEAD")


class FormBody(Body):
    """In which form."""

    format = WordField(choices=FORMS, required=False, help_text="YAML without it.")


@extend_schema(exclude=True)
class SchemaView(ApiView):
    """OpenAPI 3.1, as YAML or (`?format=json`) JSON."""

    access = {"GET": PUBLIC}
    query = {"GET": FormBody}
    produces = (*_YAML, *_JSON)

    def get(self, request: Request) -> HttpResponse:
        """What is built once is sent as it is: packed where that is taken, and not at all to whoever has it."""
        accepted = request.headers.get("Accept", "")
        likes_json = accepts(accepted, _JSON) and not accepts(accepted, _YAML)
        found = published(self.parameters.get("format") or ("json" if likes_json else "yaml"))
        is_packed = takes_gzip(request)
        etag = f'"{found.etag}{"-gzip" if is_packed else ""}"'
        asked = [
            one.strip().removeprefix("W/")
            for one in request.headers.get("If-None-Match", "").split(",")
        ]
        if etag in asked or "*" in asked:
            response = HttpResponse(status=304)
        else:
            body = found.packed if is_packed else found.body
            response = HttpResponse(body, content_type=found.media_type)
            if is_packed:
                response["Content-Encoding"] = "gzip"
        response["ETag"], response["Cache-Control"] = etag, _FRESH
        patch_vary_headers(response, ["Accept", "Accept-Encoding"])
        return response


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A method at an address, and what it does."""

    method: str
    path: str
    says: str


def endpoints_by_tag(patterns: Iterable[URLPattern]) -> Mapping[str, list[Endpoint]]:
    """All that are described, under their headings, in the order of their addresses."""
    found: defaultdict[str, list[Endpoint]] = defaultdict(list)
    for pattern in patterns:
        view = getattr(pattern.callback, "cls", None)
        if not (isinstance(view, type) and issubclass(view, ApiView) and view.tag):
            continue
        path = "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", str(pattern.pattern))
        for method in (name for name in METHODS if name.upper() in view.access):
            words = " ".join((getdoc(getattr(view, method)) or "").split())
            says = re.split(r"(?<=[.:;]) ", words)[0].rstrip(".:;")
            found[view.tag].append(Endpoint(method.upper(), path, says))
    return dict(found)


class DocsView(SpectacularSwaggerSplitView):
    """Swagger UI, served from here: no foreign host, no inline script or style, so the site's policy holds."""

    authentication_classes: list[Any] = []
    permission_classes = [AllowAny]
    template_name = "api/docs.html"
    url_name = "api:schema"

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The page, with a list of what there is: the script takes a while to draw it."""
        answer: Response = super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]
        if answer.template_name == self.template_name:
            patterns = get_resolver("api.urls").url_patterns
            answer.data["endpoints"] = endpoints_by_tag(
                [one for one in patterns if isinstance(one, URLPattern)]
            )
        return answer

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Refuse other methods as every endpoint does, though this is a page."""
        if request.method not in _SAFE:
            return not_allowed(request, *_SAFE)
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return answer


def problems(request: HttpRequest) -> HttpResponse:
    """All codes."""
    if request.method not in _SAFE:
        return not_allowed(request, *_SAFE)
    return render(request, "api/problems.html", {"problems": PROBLEMS.values()})


def problem(request: HttpRequest, code: str) -> HttpResponse:
    """One code."""
    if request.method not in _SAFE:
        return not_allowed(request, *_SAFE)
    if code not in PROBLEMS:
        raise Http404
    return render(request, "api/problem.html", {"problem": PROBLEMS[code]})
