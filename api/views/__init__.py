"""What answers at the addresses of the API. `base.ApiView` is what every endpoint is made of."""

from api.views.base import ApiView
from api.views.docs import DocsView, SchemaView
from api.views.index import IndexView
from api.views.problems import problem, problems
from api.views.unknown import UnknownView

__all__ = [
    "ApiView",
    "DocsView",
    "IndexView",
    "SchemaView",
    "UnknownView",
    "problem",
    "problems",
]
