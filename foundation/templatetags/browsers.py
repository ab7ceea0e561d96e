"""Browsers in words, and addresses cut short, for people who look through their sign-ins: "Chrome on Linux".

A table of our own: browsers are told apart here by name only, which their makers have kept for years. A library that
knows versions and devices too brings a thousand patterns to run on texts that anybody sends.
"""

import ipaddress
import re

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from foundation.names import clean_name

__all__ = ["browser_of", "shortened"]

register = template.Library()

# The first that fits: most call themselves Chrome and Safari too, and Xbox says Windows.
_BROWSERS: list[tuple[str, str]] = [
    (r"Edg(e|A|iOS)?/", "Edge"),
    (r"OPR/|OPT/|OPX/|Opera", "Opera"),
    (r"SamsungBrowser/", "Samsung Internet"),
    (r"Vivaldi/", "Vivaldi"),
    (r"YaBrowser/", "Yandex Browser"),
    (r"DuckDuckGo/|Ddg/", "DuckDuckGo"),
    (r"Steam", "Steam"),
    (r"Firefox/|FxiOS/", "Firefox"),
    (r"Chrom(e|ium)/|CriOS/", "Chrome"),
    (r"Version/\S+ .*Safari/", "Safari"),
    (r"Trident/|MSIE ", "Internet Explorer"),
]
_SYSTEMS: list[tuple[str, str]] = [
    ("Xbox", "Xbox"),
    ("PlayStation", "PlayStation"),
    ("Nintendo", "Nintendo"),
    ("CrOS", "ChromeOS"),
    ("Android", "Android"),
    ("iPhone|iPod", "iPhone"),
    ("iPad", "iPad"),
    ("Macintosh|Mac OS X|Darwin", "macOS"),
    ("Windows", "Windows"),
    ("Linux|X11", "Linux"),
]
_UNKNOWN = gettext_lazy("Unknown browser")
# What is no browser, such as a game's own client, begins with its name.
_CLIENT = re.compile(r"[A-Za-z][\w.+-]{0,39}(?=[/ ]|$)")


@register.filter
def browser_of(user_agent: str) -> str:
    """Return what calls itself so: browser and system, a game's client by its own name; else that it is not known."""
    text = clean_name(user_agent)
    system = next((name for pattern, name in _SYSTEMS if re.search(pattern, text)), "")
    name = next((name for pattern, name in _BROWSERS if re.search(pattern, text)), "")
    if not name and not text.startswith("Mozilla/") and (client := _CLIENT.match(text)):
        name = client[0]
    if not system:
        return name or str(_UNKNOWN)
    return _("%(browser)s on %(system)s") % {"browser": name or _UNKNOWN, "system": system}


@register.filter
def shortened(address: str) -> str:
    """An address without the part that names one line, "192.0.2.*": enough to tell home from elsewhere."""
    try:
        known = ipaddress.ip_address(address.partition("/")[0])
    except ValueError:
        return address
    if known.version == 4:
        return str(known).rpartition(".")[0] + ".*"
    return ":".join(known.exploded.split(":")[:3]) + ":*"
