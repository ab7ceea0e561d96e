"""The site's name and its own pages, for every frame: no query of their own (accounts.texts.current)."""

from django import template
from django.urls import reverse

from accounts.texts.current import known_name, site_texts

__all__ = ["known_site_name", "site_name", "site_pages"]

register = template.Library()


@register.simple_tag
def site_name() -> str:
    """What the site is called."""
    return site_texts().name()


@register.simple_tag
def known_site_name() -> str:
    """The same as far as it is known, for pages that must do without a database."""
    return known_name()


@register.simple_tag
def site_pages() -> list[tuple[str, str]]:
    """Address and title of the pages that are written."""
    return [(reverse(f"site-{kind}"), title) for kind, title in site_texts().pages]
