"""What matchmaking knows for `people`, which lies below it: whom a player avoids, and who searches and plays."""

from collections.abc import Collection
from datetime import datetime

from django.urls import reverse

from matchmaking.avoid_list import avoided_by
from matchmaking.models import TicketMember
from matchmaking.models.tickets import LIVE
from people.presence import At, Doing
from ratings.models import Mode, Participant, Player

__all__ = ["at_play", "avoided_players"]


def avoided_players(player_id: int) -> list[Player]:
    """Whom the player avoids, the latest first. One query."""
    return [row.avoided for row in avoided_by(player_id)]


def at_play(player_ids: Collection[int]) -> dict[int, list[Doing]]:
    """What players are at: searches and matches, since when to the minute. Two queries; no rating is told, whatever the
    ladder. On normal ladders nobody is told who plays whom, for strength could be reckoned from that: not the match,
    nor the very moment in which it began for both.
    """
    found: dict[int, list[Doing]] = {}
    searching = TicketMember.objects.filter(
        player__in=player_ids, live=True, ticket__state__in=LIVE
    )
    searches = searching.values_list(
        "player", "ticket__queue__name", "ticket__queue__slug", "ticket__waiting_since"
    )
    for player, name, slug, since in searches:
        doing = Doing(At.SEARCHING, name, reverse("queue", args=[slug]), since=_minute(since))
        found.setdefault(player, []).append(doing)
    playing = Participant.objects.filter(player__in=player_ids, playing=True)
    matches = playing.values_list(
        "player", "match", "match__ladder__name", "match__ladder__mode", "match__played_at"
    )
    for player, match, name, mode, since in matches:
        told = None if mode == Mode.NORMAL else match
        doing = Doing(At.PLAYING, name, id=told, since=_minute(since))
        found.setdefault(player, []).append(doing)
    return found


def _minute(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)
