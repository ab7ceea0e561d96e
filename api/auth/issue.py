"""Making and revoking keys and tokens. The secret is returned once and kept nowhere."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import User
from api.auth import credentials
from api.auth.credentials import Secret
from api.auth.known import KNOWN
from api.auth.scopes import Scope
from api.auth.stream_rights import acts_as, rights_of
from api.contract.problems import ProblemError
from api.models import PlayerToken, ServerKey
from api.models.keys import OF_ALL_GAMES
from events.live import broadcast_ended
from foundation import clock
from foundation.postgresql.rows import delete_in_batches
from foundation.postgresql.transactions import after_commit, briefly
from ratings.merging.merge import Followed
from ratings.models import Game, Player
from ratings.players.site_ids import refuse_deleted

__all__ = [
    "end_of",
    "end_of_claimed",
    "follow_merge",
    "forget_expired_tokens",
    "issue_key",
    "issue_token",
    "revoke_key",
    "revoke_served_tokens",
    "revoke_token",
    "revoke_tokens_as",
    "revoke_tokens_of",
    "tell_of_closed",
    "tokens_of",
]

H = TypeVar("H", ServerKey, PlayerToken)

_REMEMBERED = timedelta(days=30)
_BATCH = 5000


def end_of(days: float | None) -> datetime | None:
    """The moment so many days from now; None for ever."""
    return None if days is None else clock.now() + timedelta(days=days)


def issue_key(
    *,
    game: Game | None,
    name: str,
    scopes: Sequence[str],
    expires_at: datetime | None = None,
    by: User | None = None,
    issued_by: ServerKey | None = None,
) -> tuple[ServerKey, str]:
    """Make a server key, of all games where none is given; returns it and the secret.

    One that a key makes never has the scope `admin`, and ends with that key, if not before. Raises ValidationError when
    something is not allowed, ProblemError where the key that would make it was revoked meanwhile.
    """
    key = ServerKey(
        game=game,
        name=name,
        scopes=list(scopes),
        expires_at=expires_at,
        created_by=by,
        issued_by=issued_by,
    )
    if game is None and key.scopes != [Scope.ADMIN.value]:
        raise ValidationError({"game": OF_ALL_GAMES})
    if issued_by is not None and Scope.ADMIN.value in key.scopes:
        raise ValidationError({"scopes": _("A key cannot make keys with the scope “admin”.")})
    with transaction.atomic():
        if issued_by is not None:
            held = ServerKey.objects.select_for_update(no_key=True).get(pk=issued_by.pk)
            if (
                held.revoked_at is not None
            ):  # whoever revokes it holds the row, and ends what it made
                raise ProblemError("revoked_token", _("This key or token was revoked."))
            key.expires_at = _earlier(expires_at, held.expires_at)
        secret = _store(key, credentials.make_secret(credentials.SERVER))
        of = None if game is None else game.slug
        after = {"game": of, "name": name, "scopes": key.scopes}
        audit.record(actor=by, action="serverkey.added", target=key, after=after)
    return key, secret


def issue_token(
    *,
    player: Player,
    name: str,
    scopes: Sequence[str],
    expires_at: datetime | None = None,
    by: ServerKey | None = None,
) -> tuple[PlayerToken, str]:
    """Make a player's token; returns it and the secret. ValidationError when something is not allowed, ProblemError
    where the player was merged since it was read, or has left its account.

    It expires with the key that makes it, if not before.
    """
    if by is not None:
        expires_at = _earlier(expires_at, by.expires_at)
    token = PlayerToken(
        player=player, name=name, scopes=list(scopes), expires_at=expires_at, issued_by=by
    )
    with briefly():
        # Whoever merges, moves or deletes a player holds its row, and ends the tokens that there are by then.
        held = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        refuse_deleted(held)
        has_left = player.user_id is not None and held.user_id != player.user_id
        if has_left or held.merged_into_id != player.merged_into_id:
            words = _("What this needs is in use. Nothing was changed; try again.")
            raise ProblemError("busy", words, headers={"Retry-After": "1"})
        return token, _store(token, credentials.make_secret(credentials.PLAYER))


def revoke_key(key: ServerKey) -> None:
    """End a key, and every key and token it made, from the next request on. Again: nothing changes."""
    with transaction.atomic():
        _revoke(key)
        made = ServerKey.objects.filter(issued_by=key, revoked_at=None).order_by("pk")
        for other in made.select_for_update(no_key=True):
            revoke_key(other)
        PlayerToken.objects.filter(issued_by=key, revoked_at=None).update(revoked_at=key.revoked_at)
        _tell(rights_of(key))


def revoke_token(token: PlayerToken) -> None:
    """End a token from the next request on. Again: nothing changes."""
    with transaction.atomic():
        _revoke(token)
        _tell([f"token:{token.pk}"])


def revoke_tokens_of(user: User) -> int:
    """End all tokens that act as the account's players, those that servers made too; returns how many."""
    return _revoke_all(tokens_of(user).filter(revoked_at=None))


def revoke_tokens_as(player: Player) -> int:
    """End all tokens that act as this player; returns how many."""
    acting = Q(player=player) | Q(player__merged_into=player)
    return _revoke_all(PlayerToken.objects.filter(acting, revoked_at=None))


def revoke_served_tokens(player: Player) -> int:
    """End the tokens that servers have made to act as this player and that have not expired; returns how many."""
    tokens = PlayerToken.objects.filter(
        Q(player=player) | Q(player__merged_into=player), issued_by__isnull=False, revoked_at=None
    )
    return _revoke_all(tokens.filter(expires_at__gt=clock.now()))


def tokens_of(user: User) -> QuerySet[PlayerToken]:
    """All tokens that act as the account's players, also those of players merged into them."""
    return PlayerToken.objects.filter(Q(player__user=user) | Q(player__merged_into__user=user))


def end_of_claimed(player: Player) -> None:
    """End tokens that servers made for those merged into a player who comes to an account: it did not let them in."""
    tokens = PlayerToken.objects.filter(player__merged_into=player, revoked_at=None)
    _revoke_all(tokens.filter(issued_by__isnull=False))


def follow_merge(followed: Followed) -> None:
    """Let tokens of a merged player act for the other one, and for itself again when that is undone. Streams by them
    are opened anew.

    Where the other player has an account, those made before end, for it has let nobody in; but for its own, where it
    comes along.
    """
    merge = followed.merge
    tokens = PlayerToken.objects.filter(player=merge.merged, revoked_at=None)
    if merge.into.user_id is not None and not followed.is_undone:
        by_servers = tokens.filter(issued_by__isnull=False)
        _revoke_all(by_servers if merge.account_came_along else tokens)
    before = merge.into_id if followed.is_undone else merge.merged_id
    _tell([acts_as(merge.merged_id, before)])


def _revoke_all(tokens: QuerySet[PlayerToken]) -> int:
    with transaction.atomic():
        held = tokens.order_by("pk").select_for_update(of=("self",))
        ids = list(held.values_list("pk", flat=True))
        PlayerToken.objects.filter(pk__in=ids).update(revoked_at=clock.now())
        _tell(f"token:{pk}" for pk in ids)
    return len(ids)


def tell_of_closed(user: User) -> None:
    """Refuse the tokens of the account's players from the next request on, for as long as it is not active.

    They are not revoked: they are good again when the account is.
    """
    tokens = tokens_of(user).filter(revoked_at=None)
    _tell(f"token:{pk}" for pk in tokens.values_list("pk", flat=True))


def forget_expired_tokens() -> int:
    """Delete tokens that expired 30 days ago or earlier; returns how many."""
    old = PlayerToken.objects.filter(expires_at__lt=clock.now() - _REMEMBERED)
    return delete_in_batches(old, _BATCH)


def _earlier(one: datetime | None, other: datetime | None) -> datetime | None:
    """The first of two ends, None for never."""
    return min((end for end in (one, other) if end is not None), default=None)


def put_secret(held: ServerKey | PlayerToken, secret: Secret) -> None:
    """Let `held` be opened by `secret`."""
    held.prefix, held.digest = secret.prefix, secret.digest


def _store(held: ServerKey | PlayerToken, secret: Secret) -> str:
    put_secret(held, secret)
    held.created_at = clock.now()
    # In words what the database would refuse; `full_clean` would ask it once for each constraint.
    held.clean_fields(exclude={"game", "player", "created_by", "issued_by"})
    if held.expires_at is not None and held.expires_at <= held.created_at:
        raise ValidationError({"expires_at": _("The expiry date must be in the future.")})
    held.save(force_insert=True)
    return secret.text


def _tell(rights: Iterable[str]) -> None:
    """Have every process forget what hangs on these, this one first, and end the streams."""
    ended = frozenset(rights)
    after_commit(KNOWN.forget, ended)
    broadcast_ended(ended)


def _revoke(held: H) -> None:
    rows = type(held)._default_manager.filter(pk=held.pk, revoked_at=None)
    rows.update(revoked_at=clock.now())
    held.refresh_from_db(fields=["revoked_at"])
