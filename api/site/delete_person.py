"""Taking a person out of the site: an account with its players, or a player whom a game brings alone.

What names or describes them goes, or is replaced; what others rest on stays: matches, ranks, the ledger. No rating
changes by it, and a replay comes to the same to the bit. What goes cannot be brought back, but from a backup.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from operator import or_
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.db import connection, transaction
from django.db.models import Model, Q, QuerySet

from accounts import audit
from accounts.access import end_access
from accounts.last_admin import refuse_last_admin
from accounts.models import AuditEntry, Consent, FailedSignIns, Mail, User
from accounts.usernames import DELETED
from api.auth.issue import revoke_token
from api.contract.idempotency import forget_player_in_answers
from api.models import PlayerToken
from events.kinds import Kind
from events.live import broadcast
from foundation.names import skeleton_of
from matchmaking.models import Avoided, Conduct, Preference, Ticket
from matchmaking.models.tickets import LIVE
from ratings.merging.running import end_searches
from ratings.models import (
    Correction,
    FormerName,
    Match,
    Participant,
    Player,
    PlayerMerge,
    Sanction,
    Statement,
    name_columns,
)
from ratings.players.site_ids import name_of_deleted, save_with_free_id

__all__ = [
    "REMOVED",
    "Taken",
    "delete_account",
    "delete_player",
    "foresee_account",
    "foresee_player",
    "players_of",
]

REMOVED = "(removed)"
_MANY = "matches.annulled"
# About matches and merges of several people: they stay, but for what a note tells of one.
_DECISIONS = (
    _MANY,
    "match.aborted",
    "match.annulled",
    "match.dispute_resolved",
    "player.merged",
    "player.unmerged",
)


@dataclass(slots=True)
class Taken:
    """What is taken out of the site, or would be.

    players   ids of those that are taken out, and stay under a number
    renamed   names and ids in games, and what takes their place
    deleted   rows that go, by model
    replaced  rows that stay without what they tell of the person, by model
    """

    players: list[int] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)
    deleted: Counter[type[Model]] = field(default_factory=Counter)
    replaced: Counter[type[Model]] = field(default_factory=Counter)

    def delete(self, rows: QuerySet[Any]) -> None:
        """Delete these, and what goes with them."""
        for label, number in rows.delete()[1].items():
            self.deleted[apps.get_model(label)] += number

    def replace(self, rows: QuerySet[Any], **columns: Any) -> None:
        """Let these columns of those rows that hold something else tell nothing."""
        self.replaced[rows.model] += rows.exclude(**columns).update(**columns)


def delete_account(user: User, *, by: User | None, note: str = "", even_last: bool = False) -> None:
    """Delete an account and what is known of its players. `by`: the account itself, an operator, or None for a command.

    The row of the account stays, empty, for what it did as an operator is named by it; nobody can sign in to it.
    Raises LastAdminError unless told that this one goes even if nobody could administer the site then.
    """
    if not even_last:
        refuse_last_admin(user)  # before any search ends
    players = players_of(user)
    for player in players:  # a match that has begun goes on, for its opponents' sake
        end_searches(player)
    with transaction.atomic():
        if even_last:
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL evenmatch.leave_no_admin = 'on'")
        else:
            refuse_last_admin(user)
        # While the players are still theirs: tokens end with it.
        end_access(user, why="deleted", actor=by)
        taken = _take_out_account(user, players)
        _tell_servers(taken)
        audit.record(
            actor=None if by is None or by.pk == user.pk else by,
            action="user.person_deleted",
            target=user,
            after={"players": taken.players},
            note=note,
        )


def delete_player(player: Player, *, by: User | None, note: str = "") -> None:
    """Delete what is known of one player, and of those who were merged into it and no other account brought. An account
    that it belongs to stays, without it.
    """
    end_searches(player)
    with transaction.atomic():
        taken = _take_out_player(player)
        _tell_servers(taken)
        audit.record(
            actor=by,
            action="player.person_deleted",
            target=player,
            after={"players": taken.players},
            note=note,
        )


def _tell_servers(taken: Taken) -> None:
    """Matches of theirs that go on are for the games to end: nothing else tells of who is gone."""
    for pk, game in Player.objects.filter(pk__in=taken.players).values_list("pk", "game"):
        broadcast([f"game:{game}"], Kind.PLAYER_DELETED, player=pk)


def foresee_account(user: User) -> Taken:
    """Say what deleting an account would take out, by doing it and taking it back at once. Raises LastAdminError."""
    refuse_last_admin(user)
    user = User.objects.get(pk=user.pk)
    taken = _foresee(lambda: _take_out_account(user, players_of(user)))
    taken.deleted[UserSession] += UserSession.objects.filter(user=user).count()
    return taken


def foresee_player(player: Player) -> Taken:
    """The same of one player."""
    return _foresee(lambda: _take_out_player(player))


def _foresee(take_out: Callable[[], Taken]) -> Taken:
    with transaction.atomic():
        taken = take_out()
        transaction.set_rollback(True)
    # These would end first, and be like the others then.
    live = Ticket.objects.filter(members__player__in=taken.players, state__in=LIVE)
    taken.replaced[Ticket] += live.exclude(wishes={}).distinct().count()
    return taken


def players_of(user: User) -> list[Player]:
    """The account's, also one that was merged into another account's, and those that count for its own."""
    of_person = Q(account=user) | Q(account=None, into__user=user)
    merged = PlayerMerge.objects.filter(of_person, undone_at=None).values("merged")
    own = Player.objects.filter(Q(user=user) | Q(pk__in=merged))
    return list(own.select_related("game").order_by("pk"))


def _take_out_account(user: User, players: Sequence[Player]) -> Taken:
    taken = Taken()
    for player in players:
        _take_out(player, taken)
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
        _forget_in_logs(of_account, taken)
        taken.delete(of_account)
    had = Q(before__user=user.pk) | Q(after__user=user.pk)
    _forget_in_logs(
        [user], taken, gone=AuditEntry.objects.filter(had, target_type="account.emailaddress")
    )
    _forget_in_exports([user.username, *confirmed], taken)
    earlier, user.email = user.username, ""
    user.first_name = user.last_name = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.set_unusable_password()
    save_with_free_id(
        f"{DELETED}{user.pk}", partial(_save_as, user), unique="accounts_user_username_key"
    )
    taken.renamed.append((earlier, user.username))
    user.groups.clear()
    user.user_permissions.clear()
    return taken


def _save_as(user: User, name: str) -> None:
    """Save an account under a name that it does not hold: somebody may have one that looks like it."""
    user.username, user.skeleton, user.holds_name = name, skeleton_of(name), False
    user.save()


def _take_out_player(player: Player) -> Taken:
    taken = Taken()
    of_person = Q(account=None) | Q(account=player.user_id)
    merged = PlayerMerge.objects.filter(of_person, into=player, undone_at=None).values("merged")
    for one in (*Player.objects.filter(pk__in=merged).order_by("pk"), player):
        _take_out(one, taken)
    return taken


def _take_out(player: Player, taken: Taken) -> None:
    taken.players.append(player.pk)
    tokens = PlayerToken.objects.filter(player=player)
    for token in tokens.filter(revoked_at=None):
        revoke_token(token)  # which every process learns of
    _forget_in_logs(tokens, taken)
    former = FormerName.objects.filter(player=player)
    earlier = set(former.values_list("name", flat=True))
    _forget_in_decisions(player, taken)
    for of_player in (
        tokens,
        Preference.objects.filter(player=player),
        Conduct.objects.filter(player=player),
        Avoided.objects.filter(Q(player=player) | Q(avoided=player)),
        former,
    ):
        taken.delete(of_player)
    taken.replace(Statement.objects.filter(player=player), comment="", proof="")
    taken.replace(Sanction.objects.filter(player=player), reason=REMOVED)
    _forget_in_carried(player, taken)
    own = Ticket.objects.filter(members__player=player).exclude(state__in=LIVE)
    taken.replace(own, wishes={})
    columns: dict[str, Any] = name_columns(name_of_deleted(player.pk))
    rows = Player.objects.filter(pk=player.pk)
    save_with_free_id(
        f"deleted-{player.pk}",
        lambda free: rows.update(**columns, external_id=free, user=None, name_locked=True),
    )
    former.all().delete()  # the one that the database has just kept
    now = rows.values_list("name", "external_id").get()
    names = zip((player.name, player.external_id), now, strict=True)
    taken.renamed += [(old, new) for old, new in names if old]
    forget_player_in_answers(player.pk, {player.external_id, player.name, *earlier})
    # The names of tokens, also of those that are gone already.
    named = AuditEntry.objects.filter(target_type="api.playertoken", after__player=player.pk)
    _forget_in_logs([player], taken, gone=named)


def _forget_in_carried(player: Player, taken: Taken) -> None:
    """Sanctions on the player that another had, too, by a merge, though it may have been taken back."""
    carried = Sanction.objects.filter(carried_from__player=player)
    for pk, other in list(carried.values_list("pk", "player")):
        told = Q(before__sanction=pk) | Q(after__sanction=pk)
        of_other = AuditEntry.objects.filter(
            told, target_type=Player._meta.label_lower, target_id=str(other)
        )
        _forget_in_audit_log(of_other, taken)
    taken.replace(carried, reason=REMOVED)


def _forget_in_decisions(player: Player, taken: Taken) -> None:
    """Reasons that name the player: of corrected results, on pages of matches and in the audit log, and of what else
    was decided about its matches and merges.
    """
    former = FormerName.objects.filter(player=player).values_list("name", flat=True)
    names = {player.name, *former}
    named = reduce(or_, [Q(reason__icontains=name) for name in names])
    # Also where they count for another now.
    own = Participant.objects.filter(Q(player=player) | Q(reported_as=player))
    naming = Correction.objects.filter(named, match__in=own.values("match"))
    matches = [str(pk) for pk in naming.values_list("match", flat=True)]
    taken.replace(naming, reason=REMOVED)
    corrected = AuditEntry.objects.filter(action="match.corrected", target_id__in=matches)
    _forget_in_audit_log(corrected, taken)
    ids = set(own.values_list("match", flat=True))
    noted = AuditEntry.objects.filter(reduce(or_, [Q(note__icontains=name) for name in names]))
    told = [
        pk
        for pk, kind, target, action, before, after in noted.filter(
            action__in=_DECISIONS
        ).values_list("pk", "target_type", "target_id", "action", "before", "after")
        if (kind == Match._meta.label_lower and int(target) in ids)
        or not ids.isdisjoint((after or {}).get("matches", ()) if action == _MANY else ())
        or player.pk in ((before or {}).get("into"), (after or {}).get("into"))
    ]
    # Their other columns say what became of a match, and of whom else it tells.
    _forget_in_audit_log(AuditEntry.objects.filter(pk__in=told), taken, note=REMOVED)


def _forget_in_exports(names: Iterable[str], taken: Taken) -> None:
    """That files of the audit log were asked for by a name of the account."""
    asked = [
        Q(**{f"after__filter__{by}__icontains": name}) for name in names for by in ("person", "q")
    ]
    exported = AuditEntry.objects.filter(reduce(or_, asked), action="auditlog.exported")
    _forget_in_audit_log(exported, taken)


def _forget_in_logs(
    things: Iterable[Model], taken: Taken, gone: QuerySet[AuditEntry] | None = None
) -> None:
    """What the audit log tells of these, and of such as are gone already, of which it has the entries `gone`.

    Django's own log of the admin, which repeats it with the names of things, loses its lines on them.
    """
    told = {(thing._meta.label_lower, str(thing.pk)) for thing in things}
    if gone is not None:
        told |= set(gone.values_list("target_type", "target_id"))
    for kind in {kind for kind, _ in told}:
        numbers = [number for of, number in told if of == kind]
        told_of = AuditEntry.objects.filter(target_type=kind, target_id__in=numbers)
        _forget_in_audit_log(told_of, taken)
        app, model = kind.split(".")
        lines = LogEntry.objects.filter(
            content_type__app_label=app, content_type__model=model, object_id__in=numbers
        )
        taken.delete(lines)


def _forget_in_audit_log(
    entries: QuerySet[AuditEntry], taken: Taken, **columns: str | None
) -> None:
    """Who did what to them and when stays; what it was, and why, told of the person: these columns, or all such."""
    columns = columns or {"before": None, "after": None, "note": REMOVED}
    with connection.cursor() as cursor:  # else the log refuses every change
        cursor.execute("SET LOCAL evenmatch.forget_person = 'on'")
    # Not again what is empty already: it was counted.
    empty = {name if text else f"{name}__isnull": text or True for name, text in columns.items()}
    taken.replaced[AuditEntry] += entries.exclude(**empty).update(**columns)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL evenmatch.forget_person TO DEFAULT")
