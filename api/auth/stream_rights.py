"""By which right a caller listens to a stream, and which of such rights are still good."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Q
from django.db.models.functions import Now

from api.auth.access import needs
from api.auth.callers import Caller
from api.auth.scopes import Scope
from api.models import PlayerToken, ServerKey
from events.live import Reader
from foundation import clock
from ratings.models import Ladder, Player

__all__ = [
    "MAY_ACT",
    "MAY_LOOK",
    "acts_as",
    "good_acting",
    "good_keys",
    "good_tokens",
    "reader_of",
    "rights_of",
    "topics_of",
]

# Who may change tickets, parties and avoid lists, and who may see tickets and parties.
MAY_ACT = needs(Scope.PLAY, Scope.TICKETS_WRITE)
MAY_LOOK = needs(Scope.READ, Scope.PLAY, Scope.TICKETS_WRITE)


def reader_of(caller: Caller, address: str, now: datetime) -> Reader:
    """The caller as one who listens. A token hangs on the key that made it, too, and on whom it acts as."""
    held = caller.token or caller.server_key
    ends = None if held is None else held.expires_at
    player = caller.player
    passing = frozenset[str]()
    if player is not None:
        passing = frozenset([acts_as(player.named_as or player.pk, player.pk)])
    return Reader(
        address=address,
        principal=caller.principal,
        rights=passing if held is None else rights_of(held) | passing,
        passing=passing,
        seconds=None if ends is None else (ends - now).total_seconds(),
    )


def topics_of(caller: Caller) -> list[str]:
    """Of what the caller hears, on streams and afterwards."""
    if caller.player is not None:
        return [f"player:{caller.player.pk}"]
    game = caller.game_id
    ladders = Ladder.objects.filter(game=game).values_list("pk", flat=True)
    # By its ladders a server is told of which of them something happens; by its game also of later ones.
    topics = [f"game:{game}", *(f"ladder:{pk}" for pk in ladders)]
    return [*topics, f"searches:{game}"] if caller.may(MAY_LOOK.scopes) else topics


def rights_of(held: PlayerToken | ServerKey) -> frozenset[str]:
    """Names of what a stream by it hangs on."""
    if isinstance(held, ServerKey):
        return frozenset([f"key:{held.pk}"])
    issuer = [] if held.issued_by_id is None else [f"key:{held.issued_by_id}"]
    return frozenset([f"token:{held.pk}", *issuer])


def acts_as(named: int, player: int) -> str:
    """Name of that tokens of the player `named` act as another, into whom it was merged, or as itself."""
    return f"acts:{named}-{player}"


def good_acting(names: Collection[str]) -> set[str]:
    """Those of `<player>-<player>` whose first acts as the second now."""
    named = Player.objects.filter(pk__in=[int(name.partition("-")[0]) for name in names])
    acting = {f"{pk}-{into or pk}" for pk, into in named.values_list("pk", "merged_into")}
    return acting.intersection(names)


def good_keys(ids: Collection[str]) -> set[str]:
    """Those of the keys that are good now."""
    found = ServerKey.objects.filter(_good(""), pk__in=[int(pk) for pk in ids])
    return set(map(str, found.values_list("pk", flat=True)))


def good_tokens(ids: Collection[str]) -> set[str]:
    """Those of the tokens that are good now, with the key that made them and the account behind their player."""
    found = PlayerToken.objects.filter(
        _good(""),
        Q(issued_by=None) | _good("issued_by__"),
        Q(player__user=None) | Q(player__user__is_active=True),
        Q(player__merged_into=None)
        | Q(player__merged_into__user=None)
        | Q(player__merged_into__user__is_active=True),
        pk__in=[int(pk) for pk in ids],
    )
    return set(map(str, found.values_list("pk", flat=True)))


def _good(path: str) -> Q:
    now = clock.replaced() or Now()
    lasts = Q(**{f"{path}expires_at": None}) | Q(**{f"{path}expires_at__gt": now})
    return Q(**{f"{path}revoked_at": None}) & lasts
