"""Ending what was opened before: sign-ins of an account, and through a signal what other apps hand out for it."""

from allauth.usersessions.models import UserSession
from django.contrib.auth import update_session_auth_hash
from django.db import transaction
from django.db.models import F
from django.dispatch import Signal
from django.http import HttpRequest

from accounts import audit
from accounts.models import User

__all__ = ["access_ended", "end_access", "end_sign_in", "sign_in_ends", "sign_ins_ended"]

# `user`: whose access ends. Apps that hand out tokens for accounts end them; each returns how many.
access_ended = Signal()
# For what was switched on from a browser and outlasts its sign-in, such as push. `sign_in_ends`: `sign_in`, whose
# session can still be read. `sign_ins_ended`: `user`; `keep`, the request whose own sign-in goes on, or None; `tokens`,
# whether what programs have opened ends as well.
sign_in_ends = Signal()
sign_ins_ended = Signal()


@transaction.atomic
def end_access(
    user: User,
    *,
    why: str,
    actor: User | None,
    keep: HttpRequest | None = None,
    tokens: bool = True,
) -> None:
    """End every sign-in of `user`, and unless told every token; the sign-in of the request `keep` stays, if it is this
    user's. `actor`: the owner, an operator, or None for a command.
    """
    rows = User.objects.filter(pk=user.pk)
    rows.update(sign_in_generation=F("sign_in_generation") + 1)
    user.refresh_from_db(fields=["sign_in_generation"])
    sign_ins = list(UserSession.objects.filter(user=user))
    for sign_in in sign_ins:
        sign_in.end()
    ended = access_ended.send(sender=User, user=user) if tokens else []
    own = keep if keep is not None and keep.user.pk == user.pk else None
    sign_ins_ended.send(sender=User, user=user, keep=own, tokens=tokens)
    audit.record(
        actor=actor,
        action="user.access_ended",
        target=user,
        after={
            "sign_ins": len(sign_ins),
            "tokens": sum(int(number or 0) for _, number in ended),
        },
        note=why,
    )
    if keep is not None and keep.user.pk == user.pk:
        signed_in = keep.user
        signed_in.sign_in_generation = user.sign_in_generation
        update_session_auth_hash(keep, signed_in)
        UserSession.objects.create_from_request(keep)


@transaction.atomic
def end_sign_in(sign_in: UserSession) -> None:
    """Sign one browser out."""
    sign_in_ends.send(sender=User, sign_in=sign_in)
    sign_in.end()
