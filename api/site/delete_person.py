"""Taking a person out of the site: an account with its players, or a player whom a game brings alone.

What names or describes them goes, or is replaced; what others rest on stays: matches, ranks, the ledger. No rating
changes by it, and a replay comes to the same to the bit. What goes cannot be brought back, but from a backup.
"""

from functools import reduce
from operator import or_
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import connection, transaction
from django.db.models import Model, Q, QuerySet

from accounts import audit
from accounts.access import end_access
from accounts.models import AuditEntry, Consent, FailedSignIns, Mail, User
from api.auth.issue import revoke_token
from api.models import PlayerToken
from matchmaking.models import Avoided, Conduct, Preference, Ticket
from matchmaking.models.tickets import LIVE
from ratings.merging.running import end_searches
from ratings.models import (
    Correction,
    FormerName,
    Participant,
    Player,
    PlayerMerge,
    Sanction,
    Statement,
    name_columns,
)

__all__ = ["REMOVED", "delete_account", "delete_player"]

REMOVED = "(removed)"


def delete_account(user: User, *, by: User | None, note: str = "") -> None:
    """Delete an account and what is known of its players. `by`: the account itself, an operator, or None for a command.

    The row of the account stays, empty, for what it did as an operator is named by it; nobody can sign in to it.
    """
    # Also one that was merged into another account's.
    merged = PlayerMerge.objects.filter(account=user, undone_at=None).values("merged")
    own = Player.objects.filter(Q(user=user) | Q(pk__in=merged))
    players = list(own.select_related("game").order_by("pk"))
    for player in players:  # a match that has begun goes on, for its opponents' sake
        end_searches(player)
    with transaction.atomic():
        end_access(user, why="deleted")  # while the players are still theirs: tokens end with it
        for player in players:
            _take_out(player)
        PlayerMerge.objects.filter(account=user).update(account=None)
        for of_account in (
            EmailAddress.objects.filter(user=user),
            Mail.objects.filter(account=user),
            Authenticator.objects.filter(user=user),
            FailedSignIns.objects.filter(account=user),
            Consent.objects.filter(account=user),
        ):
            _forget_in_audit_log(_entries_of(*of_account))
            of_account.delete()
        _forget_in_audit_log(_entries_of(user))
        user.username, user.email = f"deleted-{user.pk}", ""
        user.first_name = user.last_name = ""
        user.is_active = user.is_staff = user.is_superuser = False
        user.set_unusable_password()
        user.save()
        user.groups.clear()
        user.user_permissions.clear()
        audit.record(
            actor=None if by is None or by.pk == user.pk else by,
            action="user.person_deleted",
            target=user,
            after={"players": [player.pk for player in players]},
            note=note,
        )


def delete_player(player: Player, *, by: User | None, note: str = "") -> None:
    """Delete what is known of one player. An account that it belongs to stays, without it."""
    end_searches(player)
    with transaction.atomic():
        _take_out(player)
        audit.record(actor=by, action="player.person_deleted", target=player, note=note)


def _take_out(player: Player) -> None:
    tokens = PlayerToken.objects.filter(player=player)
    for token in tokens.filter(revoked_at=None):
        revoke_token(token)  # which every process learns of
    tokens.delete()
    Preference.objects.filter(player=player).delete()
    Conduct.objects.filter(player=player).delete()
    Avoided.objects.filter(Q(player=player) | Q(avoided=player)).delete()
    Statement.objects.filter(player=player).update(comment="", proof="")
    Sanction.objects.filter(player=player).update(reason=REMOVED)
    _forget_in_corrections(player)
    Ticket.objects.filter(members__player=player).exclude(state__in=LIVE).update(wishes={})
    columns: dict[str, Any] = name_columns(f"Deleted player {player.pk}")
    Player.objects.filter(pk=player.pk).update(
        **columns, external_id=f"deleted-{player.pk}", user=None, name_locked=True
    )
    FormerName.objects.filter(
        player=player
    ).delete()  # with the one that the database has just kept
    # The names of tokens, also of those that are gone already.
    named = AuditEntry.objects.filter(target_type="api.playertoken", after__player=player.pk)
    _forget_in_audit_log(_entries_of(player) | named)


def _forget_in_corrections(player: Player) -> None:
    """Reasons of corrected results that name the player, on pages of matches and in the audit log."""
    former = FormerName.objects.filter(player=player).values_list("name", flat=True)
    names = [Q(reason__icontains=name) for name in {player.name, *former}]
    naming = Correction.objects.filter(
        reduce(or_, names), match__in=Participant.objects.filter(player=player).values("match")
    )
    matches = [str(pk) for pk in naming.values_list("match", flat=True)]
    naming.update(reason=REMOVED)
    _forget_in_audit_log(AuditEntry.objects.filter(action="match.corrected", target_id__in=matches))


def _entries_of(*things: Model) -> QuerySet[AuditEntry]:
    """The audit log's entries on these, which are of one kind."""
    if not things:
        return AuditEntry.objects.none()
    ids = [str(thing.pk) for thing in things]
    return AuditEntry.objects.filter(target_type=things[0]._meta.label_lower, target_id__in=ids)


def _forget_in_audit_log(entries: QuerySet[AuditEntry]) -> None:
    """Who did what to them and when stays; what it was, and why, told of the person."""
    with connection.cursor() as cursor:  # else the log refuses every change
        cursor.execute("SET LOCAL evenmatch.forget_person = 'on'")
    entries.update(before=None, after=None, note=REMOVED)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL evenmatch.forget_person TO DEFAULT")
