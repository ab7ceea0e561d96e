"""The bar of what goes on for the visitor."""

from typing import Any

from django import template
from django.template.context import RequestContext

from matchmaking.pages.ongoing_bar import Place, bar_of

register = template.Library()


@register.simple_tag(takes_context=True)
def ongoing_bar(context: RequestContext) -> dict[str, Any]:
    """What `ongoing/bar.html` shows on this page."""
    return bar_of(context["ongoing"], Place.of_page(context.get("room")))
