"""Scopes: what the holder of a token or key may do. What anybody may read needs none."""

from collections.abc import Iterable

from django.db import models
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

__all__ = [
    "KEY_SCOPES",
    "PLAYER_SCOPES",
    "PLAYER_SCOPE_NAMES",
    "SERVER_SCOPES",
    "SERVER_SCOPE_NAMES",
    "Scope",
    "choices_of",
]


class Scope(models.TextChoices):
    """One right."""

    READ = "read", _("read what is not public")
    PLAY = "play", _("search, accept, report")
    PLAYERS_WRITE = "players:write", _("add players, create tokens that act as any player")
    TICKETS_WRITE = "tickets:write", _("search and accept for players")
    MATCHES_WRITE = "matches:write", _("decide and abort matches")
    RESULTS_WRITE = "results:write", _("report matches played elsewhere")
    ADMIN = "admin", _("set up games, ladders, queues and keys")


PLAYER_SCOPES = (Scope.READ, Scope.PLAY)
PLAYER_SCOPE_NAMES = [scope.value for scope in PLAYER_SCOPES]
SERVER_SCOPES = (
    Scope.READ,
    Scope.PLAYERS_WRITE,
    Scope.TICKETS_WRITE,
    Scope.MATCHES_WRITE,
    Scope.RESULTS_WRITE,
)
SERVER_SCOPE_NAMES = [scope.value for scope in SERVER_SCOPES]
# What a key can have. `admin` is for deployments, and never given unless it is asked for.
KEY_SCOPES = (*SERVER_SCOPES, Scope.ADMIN)


def choices_of(scopes: Iterable[Scope]) -> list[tuple[str, Promise]]:
    """Scopes as choices of a form: the name, and what it allows, in the language of each request."""
    return [(scope.value, format_lazy("{} – {}", scope.value, scope.label)) for scope in scopes]
