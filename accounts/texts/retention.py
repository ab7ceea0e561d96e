"""What is kept for how long: told in the admin, and in the site's own texts where they say `[kept]`.

The apps that keep it stand above this one: they hand in what they know (`tell_with`).
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.texts.markdown import to_html

__all__ = ["MARK", "Kept", "for_days", "for_hours", "tell_with", "what_is_kept", "with_retention"]

MARK = "[kept]"  # in a text, on a line of its own


@dataclass(frozen=True, slots=True)
class Kept:
    """One kind of data: what it is, what for, how long, and the setting or the page where an operator changes that."""

    what: str
    why: str
    how_long: str
    change: str = ""


_tellers: list[Callable[[], list[Kept]]] = []


def tell_with(teller: Callable[[], list[Kept]]) -> None:
    """Let an app above say what it keeps, in the language of whoever reads."""
    _tellers.append(teller)


def what_is_kept() -> list[Kept]:
    """All there is, as the settings are now."""
    return [kept for teller in _tellers for kept in teller()]


def for_days(days: float | None) -> str:
    """So many days in words; None: for good."""
    if days is None:
        return _("for good")
    if days < 1:
        return for_hours(days * 24)
    shown = f"{days:g}"
    return ngettext("%(days)s day", "%(days)s days", 1 if shown == "1" else 2) % {"days": shown}


def for_hours(hours: float) -> str:
    """So many hours in words."""
    shown = f"{hours:.3g}"
    return ngettext("%(hours)s hour", "%(hours)s hours", 1 if shown == "1" else 2) % {
        "hours": shown
    }


def with_retention(text: str, language: str) -> SafeString:
    """The HTML of a text, with the table of what is kept where it asks for it, in the language of the text."""
    html = to_html(text)
    mark = f"<p>{MARK}</p>"
    if mark not in html:
        return html
    with translation.override(language):
        table = render_to_string("texts/_kept.html", {"rows": what_is_kept()})
    return SafeString(html.replace(mark, table))
