"""The start: what there is."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import PUBLIC
from api.views.base import ApiView

__all__ = ["IndexView"]

_PLACES = {
    "games": "api:games",
    "ladders": "api:ladders",
    "schema": "api:schema",
    "docs": "api:docs",
    "problems": "api:problems",
}


class IndexBody(serializers.Serializer[Any]):
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
        links = {
            name: request.build_absolute_uri(reverse(place)) for name, place in _PLACES.items()
        }
        scopes = sorted(self.caller.scopes)
        return Response({"caller": self.caller.principal or None, "scopes": scopes, "links": links})
