"""What follows when the second factor of an account changes, in the transaction of the change."""

from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models.functions import Now
from django.http import HttpRequest

from accounts import audit
from accounts.access import end_access
from accounts.audited_admin import actor_of
from accounts.mail.post import post_notice
from accounts.models import FailedSignIns, Mail, User

__all__ = ["note_change", "reset_factor"]


def note_change(request: HttpRequest, verb: str, kind: str) -> None:
    """Record it, tell the owner, and sign everybody else out: they signed in before the change.

    Tokens stay. `verb`: added, removed or renewed; `kind`: an `Authenticator.Type`.
    """
    user = actor_of(request)
    user.refresh_from_db(fields=["has_second_factor"])
    audit.record(actor=user, action=f"user.factor_{verb}", target=user, after={"kind": kind})
    if kind != Authenticator.Type.RECOVERY_CODES:
        end_access(user, why=f"second factor {verb}", actor=user, keep=request, tokens=False)
    if verb == "added":  # with a proof that it works: it is not asked for again in the next minutes
        record_authentication(request, user, "mfa", type=kind, reauthenticated=True)
    post_notice(Mail.Kind.FACTOR, user)


@transaction.atomic
def reset_factor(user: User, *, actor: User | None, note: str) -> int:
    """Take the second factor of somebody who lost it away, and end the sign-ins; how many parts it had.

    Staff have the days of grace anew. Wrong codes of today are forgotten.
    """
    held = Authenticator.objects.filter(user=user)
    kinds = sorted(held.values_list("type", flat=True))
    held.delete()
    FailedSignIns.objects.filter(account=user).update(codes=0)
    User.objects.filter(pk=user.pk, is_staff=True).update(staff_since=Now())
    user.refresh_from_db(fields=["has_second_factor", "staff_since"])
    audit.record(
        actor=actor, action="user.factor_reset", target=user, before={"kinds": kinds}, note=note
    )
    end_access(user, why="second factor reset", actor=actor, tokens=False)
    post_notice(Mail.Kind.FACTOR, user)
    return len(kinds)
