"""Texts to begin with: a help for whoever writes, never shown by themselves.

What only the operator knows stands in double brackets, and a text is not saved while some do.
"""

import re

from django.template.loader import render_to_string

from accounts.texts.models import SiteText

__all__ = ["left_open", "starting_text"]

_OPEN = re.compile(r"\[\[.*?\]\]", re.DOTALL)


def starting_text(kind: str, language: str) -> str:
    """What such a page must say, for most sites; empty for the name."""
    if kind == SiteText.Kind.NAME:
        return ""
    return render_to_string(f"texts/starting/{kind}.{language}.md")


def left_open(text: str) -> list[str]:
    """What of a text still waits to be filled in."""
    return [" ".join(found.split()) for found in _OPEN.findall(text)]
