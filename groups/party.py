"""A party from a group, with one press: whoever may be invited is told the code, and joins or does not."""

from foundation.postgresql.transactions import briefly
from groups.held import hold_group
from groups.told import tell_of_party
from matchmaking.models import Avoided, Party
from matchmaking.parties.lifecycle import open_party
from matchmaking.parties.membership import check_has_room, party_of
from people.may import challengeable
from ratings.models import Player

__all__ = ["invite_group"]


def invite_group(*, group_id: int, by: Player) -> tuple[Party, int]:
    """Invite those of the group's players of the same game who are open to it into the player's party, which is opened
    where there is none; returns the party and how many are in the group besides the player.

    Who was told nothing is not said: that would tell who blocks whom. Once a party. Raises UnknownGroupError,
    NotGroupMemberError, PartyFullError, and what keeps the player from opening a party.
    """
    with briefly():
        held = hold_group(group_id)
        held.member(by.pk)
    party = party_of(by.pk) or open_party(player=by)
    check_has_room(party)
    with briefly():
        held = hold_group(group_id)
        held.member(by.pk)
        others = [pk for pk in held.players if pk != by.pk]
        avoiding = Avoided.objects.filter(player__in=others, avoided=by).values_list(
            "player", flat=True
        )
        invited = challengeable(by.pk, others) - set(
            avoiding
        )  # who avoids the player is not called
        if invited:
            tell_of_party(held.group, sorted(invited), by=by.pk, code=party.code, party=party.pk)
    return party, len(others)
