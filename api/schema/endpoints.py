"""The endpoints as a plain list: for a page that says something before its script has drawn the whole description."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import getdoc

from django.urls import URLPattern

from api.views.base import METHODS, ApiView

__all__ = ["Endpoint", "endpoints_by_tag"]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A method at an address, and what it does."""

    method: str
    path: str
    says: str


def endpoints_by_tag(patterns: Sequence[URLPattern]) -> Mapping[str, list[Endpoint]]:
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
