"""Making a group, changing it, handing it over, keeping it, and its end."""

from collections.abc import Iterable
from typing import Any, Protocol

from accounts import audit
from accounts.models import User
from events.kinds import Kind
from foundation.names import clean_name
from foundation.postgresql.transactions import briefly
from groups.held import HeldGroup, hold_group, hold_player
from groups.models import Access, Group, GroupRules, Membership
from groups.refusals import (
    GroupsOffError,
    GroupTooLargeError,
    NotRandomError,
    TooManyGroupsError,
    WrongGroupTextError,
)
from groups.rules import rules_of
from groups.told import tell, withdraw_invitation
from ratings.archiving import ArchivedError
from ratings.models import Game, Player, SuspendedFrom
from ratings.players.claim import refused_word
from ratings.sanctions import SuspendedError, check_may_write, suspended

__all__ = [
    "SETTINGS",
    "change",
    "check_may_join",
    "close_ranks",
    "dissolve",
    "dissolve_by",
    "end_group",
    "hand_over",
    "keep",
    "keep_if_wanted",
    "make",
]

# What an owner sets, in the order of forms and of the API.
SETTINGS = ("name", "note", "access", "most")


class Placed(Protocol):
    """A row of a member, who has a place of its own below the number of members there may be."""

    place: Any

    def save(self, *, update_fields: list[str]) -> None: ...


def make(*, player: Player, settings: dict[str, Any], for_all_games: bool = False) -> Group:
    """Make a group, whose owner and first member the player is.

    settings  any of `SETTINGS`; a name is needed

    Raises GroupsOffError, ArchivedError, SuspendedError, TooManyGroupsError, GroupTooLargeError, WrongGroupTextError,
    PlayerGoneError.
    """
    rules = rules_of(player.game_id)
    if not rules.is_open:
        raise GroupsOffError
    with briefly() as now:
        held = hold_player(player.pk)
        check_may_join(held, rules)
        check_may_write(held.pk)
        wanted = {"note": "", "access": Access.INVITED, "most": rules.most_members, **settings}
        columns = _read(held.game, wanted, rules, least=2)
        group = Group.objects.create(
            game=None if for_all_games else held.game, owner=held, created_at=now, **columns
        )
        Membership.objects.create(group=group, player=held, place=0, most=group.most, joined_at=now)
        tell(Kind.GROUP_MADE, group.pk, [held.pk])
    return group


def change(*, group_id: int, by: Player, settings: dict[str, Any]) -> Group:
    """Change those of `SETTINGS` that are given. Members close ranks where there are to be fewer places.

    Raises UnknownGroupError, NotGroupMemberError, NotGroupOwnerError, GroupTooLargeError, WrongGroupTextError, and
    SuspendedError for a name or note of whoever is suspended from writing to others.
    """
    rules = rules_of(by.game_id)
    with briefly():
        held = hold_group(group_id)
        held.check_owner(by.pk)
        group = held.group
        # Reading again what stays would refuse a group that was larger, or named so, before the operator's rules.
        new = {name: value for name, value in settings.items() if value != getattr(group, name)}
        if new.keys() & {"name", "note"}:
            check_may_write(by.pk)
        for name, value in _read(by.game, new, rules, least=max(2, len(held.members))).items():
            setattr(group, name, value)
        if "most" in new:
            close_ranks(held.members)
        group.save(update_fields=list(SETTINGS))
        held.tell(Kind.GROUP_CHANGED)
    return group


def hand_over(*, group_id: int, to: int, by: Player) -> Group:
    """Let another member own it. `to` is an id. Raises UnknownGroupError, NotGroupMemberError, NotGroupOwnerError."""
    with briefly():
        held = hold_group(group_id)
        held.check_owner(by.pk)
        held.member(to)
        if to != by.pk:
            held.group.owner_id = to
            held.group.save(update_fields=["owner"])
            held.tell(Kind.GROUP_CHANGED)
    return held.group


def keep(*, group_id: int, player: Player, wants: bool) -> Group:
    """Say whether a random group is to stay beyond its time: it does once more than half of its members want that.

    Raises UnknownGroupError, NotGroupMemberError, and NotRandomError where it does not end.
    """
    with briefly():
        held = hold_group(group_id)
        member = held.member(player.pk)
        if held.group.ends_at is None:
            raise NotRandomError(group_id)
        if member.keeps != wants:
            member.keeps = wants
            member.save(update_fields=["keeps"])
            keep_if_wanted(held)
            held.tell(Kind.GROUP_CHANGED)
    return held.group


def dissolve(*, group_id: int, by: Player) -> None:
    """End the group for all. Raises UnknownGroupError, NotGroupMemberError, NotGroupOwnerError."""
    with briefly():
        held = hold_group(group_id)
        held.check_owner(by.pk)
        end_group(held)


def dissolve_by(*, group_id: int, by: User, note: str) -> None:
    """End the group in place of its owner, as an operator. Audited. Raises UnknownGroupError."""
    with briefly():
        held = hold_group(group_id)
        audit.record(
            actor=by,
            action="group.dissolved",
            target=held.group,
            before={"owner": held.group.owner_id, "members": held.players},
            after={},
            note=note,
        )
        end_group(held)


def keep_if_wanted(held: HeldGroup) -> None:
    """Let a random group stay once more than half of its members, and more than one, want that."""
    if held.group.ends_at is None:
        return
    if 2 * sum(one.keeps for one in held.members) > len(held.members) > 1:
        held.group.ends_at = None
        held.group.save(update_fields=["ends_at"])


def end_group(held: HeldGroup) -> None:
    """Delete a group that is held, and all that hangs on it."""
    held.tell(Kind.GROUP_ENDED)
    withdraw_invitation(held.group.pk)
    held.group.delete()


def check_may_join(player: Player, rules: GroupRules) -> None:
    """Raise unless a player, whose row is held, may be in one group more."""
    if player.game.archived_at is not None:
        raise ArchivedError(player.game)
    for sanction in suspended([player.pk], SuspendedFrom.PARTIES).values():
        raise SuspendedError(sanction)
    if Membership.objects.filter(player=player).count() >= rules.most_groups:
        raise TooManyGroupsError(rules.most_groups)


def _read(game: Game, given: dict[str, Any], rules: GroupRules, *, least: int) -> dict[str, Any]:
    """Columns as they may be kept."""
    found = {name: given[name] for name in SETTINGS if name in given}
    for name in ("name", "note"):
        if name in found:
            text = clean_name(found[name]) if found[name].strip() else ""
            if name == "name" and len(text) < 2:
                raise WrongGroupTextError(name)
            if word := refused_word(game, text):
                raise WrongGroupTextError(name, word)
            found[name] = text
    if "most" in found and not least <= found["most"] <= max(least, rules.most_members):
        raise GroupTooLargeError(least, max(least, rules.most_members))
    return found


def close_ranks(members: Iterable[Placed]) -> None:
    """Give members the first places, in order: one by one downwards, so that no two have the same in between."""
    for place, member in enumerate(sorted(members, key=lambda one: one.place)):
        if member.place != place:
            member.place = place
            member.save(update_fields=["place"])
