"""The start, which says what there is, and addresses that are none."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import PUBLIC
from api.contract.shapes import Shape
from api.views.base import METHODS, ApiView

__all__ = ["IndexView", "UnknownView"]

_VIEWS = {
    "games": "api:games",
    "ladders": "api:ladders",
    "schema": "api:schema",
    "docs": "api:docs",
    "problems": "api:problems",
}


class IndexBody(Shape):
    """Where to go on."""

    caller = serializers.CharField(
        allow_null=True, help_text="`server:5`, `player:7`; null without a key or token."
    )
    scopes = serializers.ListField(child=serializers.CharField())
    links = serializers.DictField(child=serializers.URLField())


class IndexView(ApiView):
    """The start of the API."""

    access = {"GET": PUBLIC}
    tag = "Start"

    @extend_schema(summary=_("Who am I, and what is there?"), responses=IndexBody)
    def get(self, request: Request) -> Response:
        """Tells who calls, with which scopes, and where to go on. Good for trying a key."""
        links = {name: request.build_absolute_uri(reverse(view)) for name, view in _VIEWS.items()}
        scopes = sorted(self.caller.scopes)
        index = {"caller": self.caller.principal or None, "scopes": scopes, "links": links}
        return Response(self.shown(IndexBody, index))


@extend_schema(exclude=True)
class UnknownView(ApiView):
    """Every other address below that of the API: a problem in JSON, not the site's page."""

    access = {method.upper(): PUBLIC for method in METHODS}

    @property
    def default_response_headers(self) -> dict[str, str]:
        """Without `Allow`: there is nothing that takes a method."""
        headers: dict[str, str] = super().default_response_headers
        return {name: value for name, value in headers.items() if name != "Allow"}

    def read_parameters(self) -> Any:
        """Whatever follows an address that is none does not matter."""
        return {}

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Refuse."""
        raise Http404

    post = put = patch = delete = get
