"""Conditions of the games' own, named in the settings; see docs/writing-conditions.md."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from django.conf import settings
from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from matchmaking.pairing.condition import Condition

__all__ = ["own_conditions"]


def own_conditions() -> tuple[Condition, ...]:
    """Those of EVENMATCH_CONDITIONS, in that order. Raises ImproperlyConfigured, naming the wrong one."""
    return tuple(_load(name) for name in settings.EVENMATCH_CONDITIONS)


@cache
def _load(name: str) -> Condition:
    try:
        found = import_string(name)
        condition = found() if isinstance(found, type) else found
    except (ImportError, TypeError) as error:
        raise ImproperlyConfigured(f"EVENMATCH_CONDITIONS: {name!r}: {error}") from error
    if not isinstance(condition, Condition):
        words = f"is {type(condition).__name__}: must be a Condition, or a subclass of it"
        raise ImproperlyConfigured(f"EVENMATCH_CONDITIONS: {name!r} {words}")
    # A class of a game that forgets what it reads would silently see nothing; ours read nothing.
    kind, ours = type(condition), "matchmaking.pairing."
    own = [one for one in kind.__mro__ if not one.__module__.startswith(ours)]
    declared = any(isinstance(vars(one).get("reads"), tuple) for one in own)
    if not (declared or kind.__module__.startswith(ours)):
        words = 'must say what it reads: reads = ("clan",) for own: {"clan": 17}, or () for nothing'
        raise ImproperlyConfigured(f"EVENMATCH_CONDITIONS: {name!r} {words}")
    return condition


@checks.register()
def check_own_conditions(
    app_configs: Sequence[Any] | None, **kwargs: Any
) -> list[checks.CheckMessage]:
    """Every name leads to a condition."""
    try:
        own_conditions()
    except ImproperlyConfigured as error:
        hint = "See docs/writing-conditions.md."
        return [checks.Error(str(error), hint=hint, id="matchmaking.E001")]
    return []
