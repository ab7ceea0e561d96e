"""Texts of operators as HTML. They write Markdown without HTML: none of it can become a script or a picture."""

from functools import lru_cache

from django.utils.safestring import SafeString
from markdown_it import MarkdownIt

__all__ = ["to_html"]

_LINKS_TO = ("http://", "https://", "mailto:", "tel:", "/", "#")
# CommonMark and tables; a new line is one, as in addresses. Pictures of other sites are refused by the content
# security policy, and would tell them of every reader.
_markdown = (
    MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table").disable("image")
)


def _may_link_to(url: str) -> bool:
    return url.lower().startswith(_LINKS_TO)


_markdown.validateLink = _may_link_to  # type: ignore[method-assign]


@lru_cache(maxsize=32)
def to_html(text: str) -> SafeString:
    """The HTML of a text."""
    return SafeString(_markdown.render(text))  # made by the library, which escapes what it is given
