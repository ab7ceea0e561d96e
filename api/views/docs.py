"""The description of the API, for programs and for people."""

from typing import Any

from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny

__all__ = ["DocsView", "SchemaView"]


class SchemaView(SpectacularAPIView):
    """OpenAPI 3.1, as YAML or (`?format=json`) JSON."""

    authentication_classes: list[Any] = []
    permission_classes = [AllowAny]


class DocsView(SpectacularSwaggerSplitView):
    """Swagger UI, served from here: no foreign host, no inline script or style, so the site's policy holds."""

    authentication_classes: list[Any] = []
    permission_classes = [AllowAny]
    template_name = "api/docs.html"
    url_name = "api:schema"
