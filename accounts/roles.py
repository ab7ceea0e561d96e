"""Ready roles: groups with the rights that people need who help to run a site. What operators make of them stays.

A role is made once. What a later release adds to it is given when it is new and never again: whoever takes a right
away, or deletes the group, has done so for good. A group that had such a name before is not touched.
"""

from collections.abc import Mapping

from django.contrib.auth.models import Group, Permission
from django.db import transaction

from accounts.models import ReadyRole

__all__ = ["ROLES", "give_roles"]


def _rights(app: str, verbs: str, kinds: str) -> set[str]:
    return {f"{app}.{verb}_{kind}" for verb in verbs.split() for kind in kinds.split()}


_LOOK = (
    _rights(
        "ratings",
        "view",
        "game ladder gameserver player match participant report rating ratingchange ratingtrack ratingperiod",
    )
    | _rights("ratings", "view", "feature behaviourmodel")
    | _rights("ratings", "view", "importedfile")
    | _rights("matchmaking", "view", "queue ticket ticketmember offer party partymember")
    | _rights("matchmaking", "view", "roundtime round roundentry")
    | _rights("challenges", "view", "challenge")
    | _rights("leaderboards", "view", "board")
    | _rights("rooms", "view", "room roommember lobby")
    | _rights("groups", "view", "group membership grouprules")
    | _rights("clans", "view", "clan membership span clanrules")
    | _rights("people", "view", "tag")
)
# Nothing here opens accounts, keys or rights of others: these are for superusers.
ROLES: Mapping[str, set[str]] = {
    "Viewer": _LOOK,
    "Moderator": _LOOK
    | _rights("ratings", "change", "match player")
    | _rights("ratings", "merge", "player")
    | _rights("ratings", "view add change", "sanction")
    | _rights("ratings", "view", "statement")
    | _rights("ratings", "change", "importedfile")
    | _rights("matchmaking", "change", "ticket party")
    | _rights("matchmaking", "view add change", "conduct")
    | _rights("rooms", "close", "room")
    | _rights("groups", "dissolve", "group")
    | _rights("clans", "dissolve", "clan")
    | _rights("matchmaking", "view change", "offence")
    | _rights("matchmaking", "view", "offenceappeal")
    | _rights("matchmaking", "view add change", "conductrules")
    | _rights("accounts", "view", "auditentry")
    | _rights("moderation", "view", "playerreport appeal case namechange")
    | _rights("moderation", "decide", "case")
    | _rights("talk", "view change", "line"),
    "Tuner": _LOOK
    | _rights("ratings", "change", "ladder")
    | _rights("ratings", "add change", "ratingtrack")
    | _rights("matchmaking", "change", "queue"),
    "Support": _LOOK
    | _rights("ratings", "change", "player")
    | _rights("ratings", "view", "sanction")
    | _rights("matchmaking", "change", "ticket")
    | _rights("accounts", "view", "user auditentry failedsignins")
    | _rights("accounts", "view change", "mail")
    | _rights("notifications", "view", "notice delivery pushsubscription")
    | _rights("matchmaking", "view", "alertwish"),
    "Organiser": _LOOK
    | _rights("talk", "view add change", "talkrules")
    | _rights("ratings", "add change", "game ladder gameserver feature")
    | _rights("ratings", "delete", "feature")
    | _rights("ratings", "add", "ratingtrack")
    | _rights("matchmaking", "add change", "queue roundtime")
    | _rights("rooms", "add change", "lobby")
    | _rights("groups", "add change", "grouprules")
    | _rights("clans", "add change", "clanrules")
    | _rights("people", "add change", "tag"),
}


@transaction.atomic
def give_roles() -> list[str]:
    """Make the roles that were never made, and give each what it was never given; returns the names of those changed.

    Rights whose models have no permission yet are given once they have one.
    """
    known = {role.name: role for role in ReadyRole.objects.select_for_update().order_by("pk")}
    rows = Permission.objects.values_list("content_type__app_label", "codename", "pk")
    permissions = {f"{app}.{codename}": pk for app, codename, pk in rows}
    changed = []
    for name, rights in ROLES.items():
        role = known.get(name) or _make(name)
        new = sorted((rights & permissions.keys()) - set(role.given))
        if role.group is None or not new:
            continue
        role.group.permissions.add(*(permissions[right] for right in new))
        role.given = sorted({*role.given, *new})
        role.save(update_fields=["given"])
        changed.append(name)
    return changed


def _make(name: str) -> ReadyRole:
    group, is_new = Group.objects.get_or_create(name=name)
    return ReadyRole.objects.create(name=name, group=group if is_new else None)
