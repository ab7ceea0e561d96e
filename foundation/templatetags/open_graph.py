"""What a link to a page shows where it is shared: the page's own title and description, and the site's picture."""

from html import unescape

from django import template
from django.http import HttpRequest
from django.template.base import NodeList
from django.template.context import Context
from django.template.loader_tags import BlockNode
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString

register = template.Library()

PICTURE = "icons/icon-512.png"


@register.simple_tag(takes_context=True)
def open_graph(context: Context, site_name: str) -> SafeString:
    """The tags of the Open Graph protocol, of the blocks `title` and `description`, on the site of this name."""
    told = [
        ("og:site_name", site_name),
        ("og:type", "website"),
        ("og:title", _text_of(context, "title")),
        ("og:description", _text_of(context, "description")),
    ]
    request = context.get("request")
    if isinstance(request, HttpRequest):
        told += [
            ("og:url", request.build_absolute_uri(request.path)),
            ("og:image", request.build_absolute_uri(static(PICTURE))),
        ]
    tags = format_html_join("\n  ", '<meta property="{}" content="{}">', told)
    return format_html('{}\n  <meta name="twitter:card" content="summary">', tags)


def _text_of(context: Context, block: str) -> str:
    """What a block of the page says, as plain text in one line."""
    shown = BlockNode(block, NodeList()).render(context)
    return " ".join(unescape(strip_tags(shown)).split())
