"""Taking a person out of the site: an account with its players, or a player whom a game brings alone.

What names or describes them goes, or is replaced; what others rest on stays: matches, ranks, the ledger. No rating
changes by it, and a replay comes to the same to the bit. What goes cannot be brought back, but from a backup.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import connection, transaction
from django.db.models import Q

from accounts import audit
from accounts.access import end_access
from accounts.deletion import DELETED_ACCOUNT, DELETED_PLAYER, DELETIONS, deletion_of_account
from accounts.last_admin import refuse_last_admin
from accounts.models import AuditEntry, Consent, FailedSignIns, Mail, User
from accounts.usernames import DELETED
from api.auth.issue import revoke_token
from api.contract.idempotency import forget_player_in_answers
from api.models import PlayerToken
from api.site.forget_cases import forget_in_cases, take_out_cases
from api.site.forget_characters import forget_in_characters
from api.site.forget_events import forget_in_events
from api.site.forget_texts import (
    empty_groups_of,
    empty_live_rooms,
    empty_rooms_of,
    forget_in_texts,
    groups_naming,
    hold_rooms_naming,
)
from api.site.forget_words import (
    forget_conduct_in_logs,
    forget_further_columns,
    forget_in_carried,
    forget_in_decisions,
    forget_in_exports,
    forget_in_logs,
    forget_in_notes_on_others,
    forget_in_sanctions,
    forget_in_statements,
    without_usual,
)
from api.site.naming import REMOVED, Naming, naming_of, strict_naming_of
from api.site.taken import Taken
from challenges.models import Challenge
from events.kinds import Kind
from events.live import broadcast
from foundation.names import skeleton_of
from groups.held import hold_groups_of
from groups.membership import leave_all
from groups.models import DrawWish, Invitation, Membership, Removal, SuggestionWish
from matchmaking.models import (
    Absence,
    AlertWish,
    Avoided,
    Conduct,
    ConductStanding,
    Feedback,
    Offence,
    Preference,
    RoundEntry,
    Ticket,
    TicketMember,
)
from matchmaking.models.tickets import LIVE
from notifications.models import (
    AccountLanguage,
    Choice,
    Notice,
    PushSubscription,
    QuietHours,
    Sent,
)
from people.models import Block, ContactWishes, Follow, Friendship, Profile, ProfileTag
from ratings.merging.part import merges_of_others, part_others
from ratings.merging.running import end_searches
from ratings.models import (
    FormerName,
    Player,
    PlayerMerge,
    Sanction,
    Statement,
    name_columns,
)
from ratings.players.site_ids import is_deleted, name_of_deleted, save_with_free_id
from ratings.sanctions.kept import keep_suspensions
from rooms.models import Room, RoomMember
from talk.models import Line, Muted

__all__ = [
    "delete_account",
    "delete_player",
    "deletion_of",
    "foresee_account",
    "foresee_player",
    "is_named_in",
    "players_of",
]


def delete_account(
    user: User, *, by: User | None, note: str = "", even_last: bool = False
) -> AuditEntry | None:
    """Delete an account and what is known of its players. `by`: the account itself, an operator, or None for a command.

    The row of the account stays, empty, for what it did as an operator is named by it; nobody can sign in to it.
    Raises LastAdminError unless told that this one goes even if nobody could administer the site then. Nothing happens,
    and nothing is told again, where it is deleted already: returns what the audit log told of that.
    """
    if (earlier := deletion_of_account(User.objects.get(pk=user.pk))) is not None:
        return earlier
    if not even_last:
        refuse_last_admin(user)  # before any search ends
    players = players_of(user)
    for player in players:  # a match that has begun goes on, for its opponents' sake
        empty_live_rooms(player)
        end_searches(player)
    part_others([one.pk for one in players])
    with transaction.atomic():
        hold_rooms_naming(players, naming_of(players, user))
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        user.refresh_from_db()
        if (earlier := deletion_of_account(user)) is not None:
            return earlier
        if even_last:
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL evenmatch.leave_no_admin = 'on'")
        else:
            refuse_last_admin(user)
        rows = Player.objects.filter(pk__in=[one.pk for one in players]).order_by("pk")
        list(rows.select_for_update(no_key=True))  # as whoever makes or ends their tokens
        players = players_of(user)  # as they are now
        # While the players are still theirs: tokens end with it.
        end_access(user, why="deleted", actor=by)
        taken = _take_out_account(user, players)
        _tell_servers(taken)
        audit.record(
            actor=None if by is None or by.pk == user.pk else by,
            action=DELETED_ACCOUNT,
            target=user,
            after=_told(taken),
            note=note,
        )
    return None


def delete_player(player: Player, *, by: User | None, note: str = "") -> AuditEntry | None:
    """Delete what is known of one player, and of those who were merged into it and no other account brought. An account
    that it belongs to stays, without it. Nothing happens where the player is deleted already: returns what the audit
    log told of that.
    """
    if (earlier := _told_of_deleted(Player.objects.get(pk=player.pk))) is not None:
        return earlier
    empty_live_rooms(player)
    end_searches(player)
    part_others([one.pk for one in _people_of(player)])
    with transaction.atomic():
        named = _people_of(player)
        hold_rooms_naming(named, naming_of(named, None))
        people = Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player)).order_by("pk")
        held = {one.pk: one for one in people.select_for_update(no_key=True)}
        if (earlier := _told_of_deleted(held[player.pk])) is not None:
            return earlier
        taken = _take_out_player(held[player.pk])
        _tell_servers(taken)
        audit.record(
            actor=by,
            action=DELETED_PLAYER,
            target=player,
            after=_told(taken),
            note=note,
        )
    return None


def is_named_in(note: str, who: User | Player) -> bool:
    """Whether a note on deleting an account or a player would keep what they are called, also by its account."""
    if isinstance(who, User):
        return strict_naming_of(players_of(who), who).are_in(note)
    return strict_naming_of(_people_of(who), who.user).are_in(note)


def deletion_of(who: User | Player) -> AuditEntry | None:
    """What the audit log told of the deletion of an account or a player; None where it is not deleted."""
    return deletion_of_account(who) if isinstance(who, User) else _told_of_deleted(who)


def _told_of_deleted(player: Player) -> AuditEntry | None:
    """The same of a player: deleted by itself, with its account, or with the player that it was merged into."""
    if not is_deleted(player):
        return None
    told = AuditEntry.objects.filter(action__in=DELETIONS, after__players__contains=[player.pk])
    return told.first()


def _told(taken: Taken) -> dict[str, Any]:
    """Who went, and which players of others stay merged into them: an operator unmerges these."""
    left = list(merges_of_others(taken.players).values_list("merged", flat=True))
    return {"players": taken.players, **({"left_merged": left} if left else {})}


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
    hosted = Room.objects.filter(host__in=taken.players, ended_at=None)
    taken.replaced[Room] += hosted.count()
    return taken


def players_of(user: User) -> list[Player]:
    """The account's, also one that was merged into another account's, and those that count for its own."""
    of_person = Q(account=user) | Q(account=None, into__user=user)
    merged = PlayerMerge.objects.filter(of_person, undone_at=None).values("merged")
    own = Player.objects.filter(Q(user=user) | Q(pk__in=merged))
    return list(own.select_related("game").order_by("pk"))


def _take_out_account(user: User, players: Sequence[Player]) -> Taken:
    taken = Taken()
    naming = without_usual(players, naming_of(players, user))
    taken.usual = sorted(naming.passed_over)
    hold_groups_of([one.pk for one in players], groups_naming(players, naming))
    _forget_in_words(players, naming, taken)
    for player in players:
        _take_out(player, naming, taken)
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
        AccountLanguage.objects.filter(account=user),
        PushSubscription.objects.filter(account=user),
    ):
        forget_in_logs(of_account, taken)
        taken.delete(of_account)
    had = Q(before__user=user.pk) | Q(after__user=user.pk)
    forget_in_logs(
        [user], taken, gone=AuditEntry.objects.filter(had, target_type="account.emailaddress")
    )
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
    taken, players = Taken(), _people_of(player)
    naming = without_usual(players, naming_of(players, None))
    taken.usual = sorted(naming.passed_over)
    hold_groups_of([one.pk for one in players], groups_naming(players, naming))
    _forget_in_words(players, naming, taken)
    for one in players:
        _take_out(one, naming, taken)
    return taken


def _people_of(player: Player) -> list[Player]:
    """The player, and those merged into it whom no other account brought."""
    of_person = Q(account=None) | Q(account=player.user_id)
    merged = PlayerMerge.objects.filter(of_person, into=player, undone_at=None).values("merged")
    return [*Player.objects.filter(pk__in=merged).order_by("pk"), player]


def _forget_in_words(players: Sequence[Player], naming: Naming, taken: Taken) -> None:
    """While the names are still theirs: what names the person where more than one player is told of."""
    forget_in_exports(naming, taken)
    forget_in_statements(players, naming, taken)
    forget_in_sanctions(players, naming, taken)
    forget_in_notes_on_others(players, naming, taken)
    forget_in_cases(players, naming, taken)
    forget_in_texts(players, naming, taken)
    forget_in_characters(players, naming, taken)
    forget_in_events(players, naming, taken)


def _leave_groups(player: Player, taken: Taken) -> None:
    """Its groups are others' from now on, or end."""
    empty_groups_of(player, taken)
    taken.deleted[Membership] += Membership.objects.filter(player=player).count()
    leave_all(player.pk)


def _take_out(player: Player, naming: Naming, taken: Taken) -> None:
    taken.players.append(player.pk)
    keep_suspensions(player)  # for the next one with the id, which it has still
    tokens = PlayerToken.objects.filter(player=player)
    for token in tokens.filter(revoked_at=None):
        revoke_token(token)  # which every process learns of
    forget_in_logs(tokens, taken)
    former = FormerName.objects.filter(player=player)
    earlier = set(former.values_list("name", flat=True))
    forget_in_decisions(player, naming, taken)
    forget_conduct_in_logs(player, taken)
    forget_further_columns(player, taken)
    take_out_cases(player, taken)
    _leave_groups(player, taken)
    for of_player in (
        tokens,
        Invitation.objects.filter(Q(player=player) | Q(by=player)),
        Removal.objects.filter(player=player),
        SuggestionWish.objects.filter(player=player),
        DrawWish.objects.filter(player=player),
        Preference.objects.filter(player=player),
        Notice.objects.filter(player=player),
        Choice.objects.filter(player=player),
        QuietHours.objects.filter(player=player),
        Sent.objects.filter(Q(receiver=player) | Q(sender=player)),
        Conduct.objects.filter(player=player),
        ConductStanding.objects.filter(player=player),
        Offence.objects.filter(player=player),
        Absence.objects.filter(player=player),
        RoundEntry.objects.filter(player=player),
        AlertWish.objects.filter(player=player),
        Challenge.objects.filter(Q(challenger=player) | Q(challenged=player)),
        Avoided.objects.filter(Q(player=player) | Q(avoided=player)),
        Feedback.objects.filter(Q(author=player) | Q(subject=player)),
        ContactWishes.objects.filter(player=player),
        Profile.objects.filter(player=player),
        ProfileTag.objects.filter(player=player),
        Friendship.objects.filter(Q(low=player) | Q(high=player)),
        Follow.objects.filter(Q(player=player) | Q(followed=player)),
        Block.objects.filter(Q(player=player) | Q(blocked=player)),
        Muted.objects.filter(Q(player=player) | Q(muted=player)),
        Line.objects.filter(author=player),
        former,
    ):
        taken.delete(of_player)
    taken.replace(Offence.objects.filter(reporter=player), reporter=None, reason="")
    taken.replace(Statement.objects.filter(player=player), comment="", proof="")
    taken.replace(Sanction.objects.filter(player=player), reason=REMOVED)
    forget_in_carried(player, taken)
    own = Ticket.objects.filter(members__player=player).exclude(state__in=LIVE)
    taken.replace(own, wishes={})
    searched = TicketMember.objects.filter(player=player, live=False)
    taken.replace(searched.exclude(character=""), character="")
    taken.replace(RoomMember.objects.filter(player=player, live=False), wishes={}, vote="")
    empty_rooms_of(player, taken)
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
    forget_in_logs([player], taken, gone=named)
