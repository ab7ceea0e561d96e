"""Who may use a method of an endpoint: everybody, or holders of one of some scopes."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from api.auth.callers import Caller
from api.auth.scopes import KEY_SCOPES, PLAYER_SCOPES, Scope
from api.contract.problems import ProblemError

__all__ = ["PUBLIC", "Access", "needs"]


@dataclass(frozen=True, slots=True)
class Access:
    """One of `scopes` is enough; none are needed where it is empty."""

    scopes: tuple[Scope, ...] = ()

    def check(self, caller: Caller) -> None:
        """Refuse a caller without the right."""
        if not self.scopes or caller.may(self.scopes):
            return
        if caller.is_anonymous:
            words = _("This needs a key or token: send “Authorization: Bearer …”.")
            raise ProblemError("authentication_required", words)
        needed = [scope.value for scope in self.scopes]
        words = _("This key or token lacks the scope for this: %(needed)s.")
        raise ProblemError("missing_scope", words % {"needed": " / ".join(needed)}, needed=needed)

    @property
    def for_players(self) -> bool:
        """Whether a player's token can have the right."""
        return any(scope in PLAYER_SCOPES for scope in self.scopes)

    @property
    def for_servers(self) -> bool:
        """Whether a server key can have the right."""
        return any(scope in KEY_SCOPES for scope in self.scopes)


PUBLIC = Access()


def needs(*scopes: Scope) -> Access:
    """Access for holders of one of the scopes. Players and servers share some: each counts once."""
    return Access(tuple(dict.fromkeys(scopes)))
