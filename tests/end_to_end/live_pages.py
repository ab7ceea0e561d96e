"""Pages with a live part, for the tests of the scripts that keep it up. The addresses of a site with one more."""

import threading
from dataclasses import dataclass, field

from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import path
from django.utils.html import format_html

from config.urls import urlpatterns as site

__all__ = ["PART", "urlpatterns"]


@dataclass
class Part:
    """What the part says of itself, and how often it was fetched."""

    attributes: str = ""
    alert: str = ""
    fetched: int = 0
    held: threading.Event = field(default_factory=threading.Event)

    def show(self, request: HttpRequest) -> HttpResponse:
        """The page, or for htmx the part alone."""
        if request.headers.get("HX-Request"):
            self.fetched += 1
            words = self.html()
            assert self.held.wait(600)  # the answer is made, and is on its way for long
            return HttpResponse(words)
        page = '{% extends "base.html" %}{% block content %}{{ part }}{% endblock %}'
        return HttpResponse(
            engines["django"].from_string(page).render({"part": self.html()}, request)
        )

    def html(self) -> str:
        """As templates/components/README.md says."""
        alert = format_html('<p data-alert="{}">!</p>', self.alert) if self.alert else ""
        button = '{% include "components/frame/sound_button.html" %}'
        words = (
            f'<section id="part" {self.attributes} hx-get="/part/" hx-swap="outerHTML"'
            f' hx-indicator="this"><output>{self.fetched}</output>{alert}{button}</section>'
        )
        return engines["django"].from_string(words).render()


PART = Part()
urlpatterns = [*site, path("part/", PART.show)]
