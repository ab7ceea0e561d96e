"""Addresses that are none."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import PUBLIC
from api.views.base import METHODS, ApiView

__all__ = ["UnknownView"]


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
