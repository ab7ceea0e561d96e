"""Who is in a party, held still. A party's row is locked before everything else: see `matchmaking.offers.close`."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Max

from matchmaking.models import Party, PartyMember
from matchmaking.refusals import PartyFullError, PartyOverError
from ratings.models import Ladder

__all__ = ["HeldParty", "check_has_room", "hold_party", "largest_party", "party_of"]


@dataclass(frozen=True, slots=True)
class HeldParty:
    """A live party that nobody else changes before this transaction ends; its players, the longest member first."""

    party: Party
    players: Sequence[int]

    @property
    def leader(self) -> int:
        """Who searches for all."""
        return self.party.leader_id


def hold_party(party_id: int) -> HeldParty:
    """Lock a party. Inside a transaction, and before any row of a queue, offer or ticket is locked.

    Raises PartyOverError, also for a party that never was.
    """
    live = Party.objects.filter(pk=party_id, ended_at__isnull=True)
    party = live.select_for_update(no_key=True).first()
    if party is None:
        raise PartyOverError(party_id)
    members = PartyMember.objects.filter(party=party, live=True).order_by("pk")
    return HeldParty(party, list(members.values_list("player", flat=True)))


def party_of(player_id: int) -> Party | None:
    """The live party of a player; None without one. One query."""
    memberships = PartyMember.objects.filter(player=player_id, live=True).select_related("party")
    membership = memberships.first()
    return membership.party if membership else None


def largest_party(game_id: int) -> int:
    """Players in the largest team of a game's ladders: no party may have more. 0 for a game without ladders."""
    sizes = Ladder.objects.in_use().filter(game=game_id).aggregate(most=Max("team_size"))
    return sizes["most"] or 0


def check_has_room(party: Party) -> None:
    """Raise PartyFullError where nobody could join. Two queries."""
    largest = largest_party(party.game_id)
    if PartyMember.objects.filter(party=party, live=True).count() >= largest:
        raise PartyFullError(largest)
