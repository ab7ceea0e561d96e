"""Taking a person out of the site: an account with its players, or a player whom a game brings alone.

What names or describes them goes, or is replaced; what others rest on stays: matches, ranks, the ledger. No rating
changes by it, and a replay comes to the same to the bit. What goes cannot be brought back, but from a backup.
"""

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.db import connection, transaction
from django.db.models import Model, Q, QuerySet

from accounts import audit
from accounts.access import end_access
from accounts.models import AuditEntry, Consent, FailedSignIns, Mail, User
from api.auth.issue import revoke_token
from api.contract.idempotency import forget_player_in_answers
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
from ratings.players.site_ids import save_with_free_id

__all__ = ["REMOVED", "delete_account", "delete_player", "is_deleted"]

REMOVED = "(removed)"


def delete_account(user: User, *, by: User | None, note: str = "") -> None:
    """Delete an account and what is known of its players. `by`: the account itself, an operator, or None for a command.

    The row of the account stays, empty, for what it did as an operator is named by it; nobody can sign in to it.
    """
    # Also one that was merged into another account's, and those that count for the account's own.
    of_person = Q(account=user) | Q(account=None, into__user=user)
    merged = PlayerMerge.objects.filter(of_person, undone_at=None).values("merged")
    own = Player.objects.filter(Q(user=user) | Q(pk__in=merged))
    players = list(own.select_related("game").order_by("pk"))
    for player in players:  # a match that has begun goes on, for its opponents' sake
        end_searches(player)
    with transaction.atomic():
        # While the players are still theirs: tokens end with it.
        end_access(user, why="deleted", actor=by)
        for player in players:
            _take_out(player)
        PlayerMerge.objects.filter(account=user).update(account=None)
        addresses = EmailAddress.objects.filter(user=user)
        confirmed = list(addresses.filter(verified=True).values_list("email", flat=True))
        for of_account in (
            addresses,
            # Mails with a link for a password know the address alone.
            Mail.objects.filter(Q(account=user) | Q(account=None, address__in=confirmed)),
            Authenticator.objects.filter(user=user),
            FailedSignIns.objects.filter(account=user),
            Consent.objects.filter(account=user),
        ):
            _forget_in_logs(of_account)
            of_account.delete()
        had = Q(before__user=user.pk) | Q(after__user=user.pk)
        _forget_in_logs(
            [user], gone=AuditEntry.objects.filter(had, target_type="account.emailaddress")
        )
        _forget_in_exports([user.username, *confirmed])
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
    """Delete what is known of one player, and of those who were merged into it and no other account brought. An account
    that it belongs to stays, without it.
    """
    end_searches(player)
    of_person = Q(account=None) | Q(account=player.user_id)
    merged = PlayerMerge.objects.filter(of_person, into=player, undone_at=None).values("merged")
    with transaction.atomic():
        for one in (*Player.objects.filter(pk__in=merged).order_by("pk"), player):
            _take_out(one)
        audit.record(actor=by, action="player.person_deleted", target=player, note=note)


def is_deleted(player: Player) -> bool:
    """Whether the player was deleted; games give names, too, but lock none."""
    return player.name_locked and player.name == _name_of(player)


def _name_of(player: Player) -> str:
    return f"Deleted player {player.pk}"


def _take_out(player: Player) -> None:
    tokens = PlayerToken.objects.filter(player=player)
    for token in tokens.filter(revoked_at=None):
        revoke_token(token)  # which every process learns of
    _forget_in_logs(tokens)
    tokens.delete()
    Preference.objects.filter(player=player).delete()
    Conduct.objects.filter(player=player).delete()
    Avoided.objects.filter(Q(player=player) | Q(avoided=player)).delete()
    Statement.objects.filter(player=player).update(comment="", proof="")
    Sanction.objects.filter(player=player).update(reason=REMOVED)
    _forget_in_corrections(player)
    Ticket.objects.filter(members__player=player).exclude(state__in=LIVE).update(wishes={})
    columns: dict[str, Any] = name_columns(_name_of(player))
    rows = Player.objects.filter(pk=player.pk)
    save_with_free_id(
        f"deleted-{player.pk}",
        lambda free: rows.update(**columns, external_id=free, user=None, name_locked=True),
    )
    former = FormerName.objects.filter(
        player=player
    )  # with the one that the database has just kept
    forget_player_in_answers(
        player.pk, {player.external_id, *former.values_list("name", flat=True)}
    )
    former.delete()
    # The names of tokens, also of those that are gone already.
    named = AuditEntry.objects.filter(target_type="api.playertoken", after__player=player.pk)
    _forget_in_logs([player], gone=named)


def _forget_in_corrections(player: Player) -> None:
    """Reasons of corrected results that name the player, on pages of matches and in the audit log."""
    former = FormerName.objects.filter(player=player).values_list("name", flat=True)
    names = [Q(reason__icontains=name) for name in {player.name, *former}]
    # Also where they count for another now.
    own = Participant.objects.filter(Q(player=player) | Q(reported_as=player))
    naming = Correction.objects.filter(reduce(or_, names), match__in=own.values("match"))
    matches = [str(pk) for pk in naming.values_list("match", flat=True)]
    naming.update(reason=REMOVED)
    _forget_in_audit_log(AuditEntry.objects.filter(action="match.corrected", target_id__in=matches))


def _forget_in_exports(names: Iterable[str]) -> None:
    """That files of the audit log were asked for by a name of the account."""
    asked = [
        Q(**{f"after__filter__{by}__icontains": name}) for name in names for by in ("person", "q")
    ]
    _forget_in_audit_log(AuditEntry.objects.filter(reduce(or_, asked), action="auditlog.exported"))


def _forget_in_logs(things: Iterable[Model], gone: QuerySet[AuditEntry] | None = None) -> None:
    """What the audit log tells of these, and of such as are gone already, of which it has the entries `gone`.

    Django's own log of the admin, which repeats it with the names of things, loses its lines on them.
    """
    told = {(thing._meta.label_lower, str(thing.pk)) for thing in things}
    if gone is not None:
        told |= set(gone.values_list("target_type", "target_id"))
    for kind in {kind for kind, _ in told}:
        numbers = [number for of, number in told if of == kind]
        _forget_in_audit_log(AuditEntry.objects.filter(target_type=kind, target_id__in=numbers))
        app, model = kind.split(".")
        LogEntry.objects.filter(
            content_type__app_label=app, content_type__model=model, object_id__in=numbers
        ).delete()


def _forget_in_audit_log(entries: QuerySet[AuditEntry]) -> None:
    """Who did what to them and when stays; what it was, and why, told of the person."""
    with connection.cursor() as cursor:  # else the log refuses every change
        cursor.execute("SET LOCAL evenmatch.forget_person = 'on'")
    entries.update(before=None, after=None, note=REMOVED)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL evenmatch.forget_person TO DEFAULT")
