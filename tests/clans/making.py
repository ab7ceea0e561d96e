"""Clans of a hall's players, and what is to be seen of them."""

from typing import Any

from clans import lifecycle, membership
from clans.models import Clan, Membership, Span
from foundation.refusals import RefusedError
from ratings.models import Player
from tests.matchmaking.hall import Hall

__all__ = ["code_of", "founded", "joined", "members", "spans", "tags"]


def founded(hall: Hall, leader: int = 0, **settings: Any) -> Clan:
    """A clan of the player with this number."""
    return lifecycle.found(
        player=hall.players[leader], settings={"name": "Wolves", "tag": "WLF", **settings}
    )


def joined(hall: Hall, clan: Clan, *numbers: int) -> None:
    """Let these players join an open clan."""
    for number in numbers:
        membership.join(clan_id=clan.pk, player=hall.players[number])


def members(clan: Clan) -> list[int]:
    """Ids of its members, the longest first."""
    rows = Membership.objects.filter(clan=clan).order_by("pk")
    return list(rows.values_list("player", flat=True))


def spans(clan: Clan) -> list[tuple[int, bool]]:
    """Who is and was in it, and whether that lasts."""
    rows = Span.objects.filter(clan=clan).order_by("pk").values_list("player", "until")
    return [(player, until is None) for player, until in rows]


def tags(hall: Hall) -> list[str]:
    """What stands beside the names of the hall's players."""
    ids = [one.pk for one in hall.players]
    return list(Player.objects.filter(pk__in=ids).order_by("pk").values_list("clan_tag", flat=True))


def code_of(function: Any, **given: Any) -> str:
    """The code of the refusal; empty where all is well."""
    try:
        function(**given)
    except RefusedError as refusal:
        return refusal.code
    return ""
