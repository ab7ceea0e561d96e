"""What players, pages and programs are told of clans."""

from collections.abc import Collection, Iterable

from django.utils.translation import gettext_lazy as _

from clans.models import Clan
from events.kinds import Kind
from matchmaking.broadcasts import broadcast_to_players
from notifications import tell as notices
from notifications.kinds import Group as NoticeGroup
from notifications.kinds import register, to

__all__ = [
    "declare",
    "tell",
    "tell_accepted",
    "tell_applied",
    "tell_ended",
    "tell_invited",
    "tell_leads",
    "tell_removed",
    "withdraw_all",
    "withdraw_application",
    "withdraw_invitation",
]


def declare() -> None:
    """Say which kinds of notices there are. Called from the app's `ready()`."""
    register(
        "clan.invited",
        NoticeGroup.PEOPLE,
        _("%(by)s invites you to the clan “%(name)s”."),
        leads_to=to("clan", "clan"),
        players=("by",),
        sender="by",
    )
    register(
        "clan.applied",
        NoticeGroup.PEOPLE,
        _("%(by)s asks to join the clan “%(name)s”."),
        leads_to=to("clan", "clan"),
        players=("by",),
        sender="by",
    )
    register(
        "clan.accepted",
        NoticeGroup.PEOPLE,
        _("You're in the clan “%(name)s” now."),
        leads_to=to("clan", "clan"),
    )
    register(
        "clan.leads",
        NoticeGroup.PEOPLE,
        _("You lead the clan “%(name)s” now."),
        leads_to=to("clan", "clan"),
    )
    register(
        "clan.removed",
        NoticeGroup.PEOPLE,
        _("You're no longer in the clan “%(name)s”."),
        leads_to=to("clans"),
    )
    register(
        "clan.ended",
        NoticeGroup.PEOPLE,
        _("The clan “%(name)s” was dissolved."),
        leads_to=to("clans"),
    )


def tell(kind: Kind, clan: Clan, player_ids: Iterable[int]) -> None:
    """Broadcast to players of the clan's game, and to its servers."""
    broadcast_to_players(clan.game_id, sorted(set(player_ids)), kind, clan=clan.pk)


def tell_invited(clan: Clan, player: int, by: int) -> None:
    """Whoever is invited."""
    data = {"clan": clan.pk, "name": clan.name, "by": by}
    notices.tell("clan.invited", [player], about=_invited(clan.pk), data=data)


def tell_applied(clan: Clan, players: Collection[int], by: int) -> None:
    """The leader and officers."""
    data = {"clan": clan.pk, "name": clan.name, "by": by}
    notices.tell("clan.applied", players, about=_applied(clan.pk, by), data=data)


def tell_accepted(clan: Clan, player: int) -> None:
    """Whoever had applied."""
    notices.tell("clan.accepted", [player], data={"clan": clan.pk, "name": clan.name})


def tell_leads(clan: Clan, player: int) -> None:
    """Whoever leads the clan from now on, other than by founding it."""
    notices.tell("clan.leads", [player], data={"clan": clan.pk, "name": clan.name})


def tell_removed(clan: Clan, player: int) -> None:
    """Whoever was removed."""
    notices.tell("clan.removed", [player], data={"clan": clan.pk, "name": clan.name})


def tell_ended(clan: Clan, players: Collection[int]) -> None:
    """Whoever was in it, but for whoever ended it."""
    notices.tell("clan.ended", players, data={"clan": clan.pk, "name": clan.name})


def withdraw_invitation(clan: int, player: int) -> None:
    """The invitation is answered or withdrawn: that notice is of no use any more."""
    notices.take_back("clan.invited", _invited(clan), players=[player])


def withdraw_application(clan: int, by: int) -> None:
    """The application is answered or taken back: those notices are of no use any more."""
    notices.take_back("clan.applied", _applied(clan, by))


def withdraw_all(clan: int, applicants: Iterable[int]) -> None:
    """The clan is over."""
    notices.take_back("clan.invited", _invited(clan))
    for by in applicants:
        withdraw_application(clan, by)


def _invited(clan: int) -> str:
    return f"clan:{clan}"


def _applied(clan: int, by: int) -> str:
    return f"clan:{clan}:from:{by}"
