"""Countries as players choose them: two letters, and their names in the reader's language."""

from functools import cache
from unicodedata import combining, normalize

from babel import Locale, UnknownLocaleError
from django.utils.translation import get_language

__all__ = ["COUNTRIES", "country_choices", "country_name"]

# Of what has a code of two letters there, no countries: unions, and codes for tests and for what is unknown.
_NO_COUNTRIES = {"EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"}
COUNTRIES: frozenset[str] = frozenset(
    code
    for code in map(str, Locale("en").territories)
    if len(code) == 2 and code.isalpha() and code not in _NO_COUNTRIES
)


def country_name(code: str) -> str:
    """What the reader calls it; the code itself where that is no country (any more)."""
    return _names(get_language() or "en").get(code, code)


def country_choices() -> list[tuple[str, str]]:
    """Codes and names for a field, in the order of the names."""
    return sorted(_names(get_language() or "en").items(), key=lambda one: _as_sorted(one[1]))


@cache
def _names(language: str) -> dict[str, str]:
    try:
        known = Locale.parse(language, sep="-").territories
    except (UnknownLocaleError, ValueError):
        known = Locale("en").territories
    return {code: str(known.get(code, code)) for code in COUNTRIES}


def _as_sorted(name: str) -> str:
    """As readers look for it: without marks, so that Österreich stands beside Oman."""
    return "".join(one for one in normalize("NFKD", name) if not combining(one)).lower()
