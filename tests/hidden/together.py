"""Players of a theatre who are in a group and a clan together."""

from clans import lifecycle as clans
from clans import membership as of_clans
from groups import lifecycle as groups
from groups import membership as of_groups
from ratings.models import Player

__all__ = ["found_clan", "make_group"]


def make_group(owner: Player, other: Player) -> None:
    """The owner has an open group, in which the other is as well."""
    group = groups.make(player=owner, settings={"name": "Evenings", "access": "open"})
    of_groups.join(group_id=group.pk, player=other)


def found_clan(leader: Player, other: Player) -> None:
    """The leader has founded an open clan, in which the other is as well."""
    settings = {"name": "Wolves", "tag": "WLF", "access": "open"}
    clan = clans.found(player=leader, settings=settings)
    of_clans.join(clan_id=clan.pk, player=other)
