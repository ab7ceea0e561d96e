"""What matchmaking knows for `people`, which lies below it: whom a player avoids, and who searches and plays."""

from collections.abc import Collection

from django.urls import reverse

from matchmaking.avoid_list import avoided_by
from matchmaking.models import TicketMember
from matchmaking.models.tickets import LIVE
from people.presence import At, Doing
from ratings.models import Participant, Player

__all__ = ["at_play", "avoided_players"]


def avoided_players(player_id: int) -> list[Player]:
    """Whom the player avoids, the latest first. One query."""
    return [row.avoided for row in avoided_by(player_id)]


def at_play(player_ids: Collection[int]) -> dict[int, list[Doing]]:
    """What players are at: searches and matches. Two queries; no rating is told, whatever the ladder."""
    found: dict[int, list[Doing]] = {}
    searching = TicketMember.objects.filter(
        player__in=player_ids, live=True, ticket__state__in=LIVE
    )
    searches = searching.values_list(
        "player", "ticket__queue__name", "ticket__queue__slug", "ticket__waiting_since"
    )
    for player, name, slug, since in searches:
        doing = Doing(At.SEARCHING, name, reverse("queue", args=[slug]), since=since)
        found.setdefault(player, []).append(doing)
    playing = Participant.objects.filter(player__in=player_ids, playing=True)
    matches = playing.values_list("player", "match", "match__ladder__name", "match__played_at")
    for player, match, name, since in matches:
        found.setdefault(player, []).append(Doing(At.PLAYING, name, id=match, since=since))
    return found
