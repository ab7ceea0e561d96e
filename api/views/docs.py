"""The description of the API, for programs and for people."""

from typing import Any

from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny

__all__ = ["DocsView", "SchemaView"]


class SchemaView(SpectacularAPIView):
    """OpenAPI 3.1, as YAML or (`?format=json`) JSON."""

    authentication_classes: list[Any] = []
    permission_classes = [AllowAny]


# Swagger UI writes styles into its page and draws icons from data: addresses. Scripts stay our own files.
@method_decorator(csp_update({"style-src": ["'self'", "'unsafe-inline'"]}), name="dispatch")
class DocsView(SpectacularSwaggerSplitView):
    """Swagger UI, served from here: no foreign host, no inline script."""

    authentication_classes: list[Any] = []
    permission_classes = [AllowAny]
    url_name = "api:schema"
    title = "Evenmatch API"
