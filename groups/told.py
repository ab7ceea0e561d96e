"""What players, pages and programs are told of groups."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from events.kinds import Kind
from groups.models import Group
from matchmaking.broadcasts import broadcast_to_players
from notifications import tell as notices
from notifications.kinds import Group as NoticeGroup
from notifications.kinds import register, to
from notifications.models import Notice, Way
from ratings.models import Player

__all__ = [
    "declare",
    "tell",
    "tell_drawn",
    "tell_invited",
    "tell_of_party",
    "tell_passed_over",
    "tell_removed",
    "withdraw_invitation",
]

_PARTY_LASTS = timedelta(minutes=15)


def declare() -> None:
    """Say which kinds of notices there are. Called from the app's `ready()`."""
    register(
        "group.invited",
        NoticeGroup.PEOPLE,
        _("%(by)s invites you to the group “%(name)s”."),
        leads_to=to("group", "group"),
        players=("by",),
        sender="by",
    )
    register(
        "group.removed",
        NoticeGroup.PEOPLE,
        _("You're no longer in the group “%(name)s”."),
        leads_to=to("groups"),
    )
    register(
        "group.drawn",
        NoticeGroup.PEOPLE,
        _("You've been put into a random group. It ends after a while unless its members keep it."),
        leads_to=to("group", "group"),
    )
    register(
        "group.not_drawn",
        NoticeGroup.PEOPLE,
        _("No random group has come together for you this time. You're in the next draw."),
        leads_to=to("groups"),
    )
    register(
        "group.party",
        NoticeGroup.PLAY,
        _("%(by)s invites the group “%(name)s” into a party."),
        leads_to=to("invitation", "code"),
        players=("by",),
        sender="by",
        ways=(Way.SITE, Way.PUSH),
        lasts=_PARTY_LASTS,
        passes=True,
    )


def tell(kind: Kind, group: int, player_ids: Iterable[int]) -> None:
    """Broadcast to players and to the servers of their games, a message a game: none hears of others' players."""
    by_game: defaultdict[int, list[int]] = defaultdict(list)
    rows = Player.objects.filter(pk__in=list(player_ids)).order_by("pk")
    for pk, game in rows.values_list("pk", "game"):
        by_game[game].append(pk)
    for game, players in sorted(by_game.items()):
        broadcast_to_players(game, players, kind, group=group)


def tell_invited(group: Group, player: int, by: int) -> None:
    """Whoever is invited."""
    data = {"group": group.pk, "name": group.name, "by": by}
    notices.tell("group.invited", [player], about=_about(group.pk), data=data)


def withdraw_invitation(group: int, players: Collection[int] | None = None) -> None:
    """The invitation is answered or withdrawn: that notice is of no use any more. None: of all players."""
    notices.take_back("group.invited", _about(group), players=players)


def tell_removed(group: Group, player: int) -> None:
    """Whoever was removed."""
    notices.tell("group.removed", [player], data={"group": group.pk, "name": group.title})


def tell_drawn(group: Group, players: Collection[int]) -> None:
    """Whoever was put together by lot."""
    notices.tell("group.drawn", players, about=_about(group.pk), data={"group": group.pk})


def tell_passed_over(game: int, players: Collection[int]) -> None:
    """Whoever found no group this time: the same words whatever was in the way."""
    notices.take_back("group.not_drawn", f"draw:{game}", players=players)
    notices.tell("group.not_drawn", players, about=f"draw:{game}")


def tell_of_party(
    group: Group, players: Collection[int], *, by: int, code: str, party: int
) -> None:
    """Whoever is invited into a party, once a party; of each group and player the last one counts."""
    about = f"{_about(group.pk)}:{by}"
    told = Notice.objects.filter(kind="group.party", about=about)
    if others := set(told.exclude(data__party=party).values_list("player", flat=True)):
        notices.take_back("group.party", about, players=others)
    data = {"name": group.title, "by": by, "code": code, "party": party}
    notices.tell("group.party", players, about=about, data=data)


def _about(group: int) -> str:
    return f"group:{group}"
