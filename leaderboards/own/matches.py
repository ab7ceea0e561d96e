"""The matches of an account, over all its games: its own are there in normal mode too, where no rating is told."""

from collections.abc import Sequence

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef

from leaderboards.matches.lists import PlayerLine, player_lines
from leaderboards.own.standings import MOST
from ratings.matches.summary import with_people
from ratings.models import Match, Participant, Player

__all__ = ["own_lines"]


def own_lines(player_ids: Sequence[int], count: int, before: int | None = None) -> list[PlayerLine]:
    """The matches of these players, newest first, of those whose id is below `before`: at most `count`.

    The newest of each player are read by an index, however many there are.
    """
    ids = list(player_ids)[:MOST]
    if not ids:
        return []
    participants = Participant.objects.filter(player=OuterRef("pk"))
    if before is not None:
        participants = participants.filter(match__lt=before)
    newest = ArraySubquery(participants.order_by("-match_id").values("match_id")[:count])
    found = Player.objects.filter(pk__in=ids).values_list(newest, flat=True)
    latest = sorted({pk for of_player in found for pk in of_player}, reverse=True)[:count]
    matches = with_people(Match.objects.filter(pk__in=latest)).order_by("-pk")
    return player_lines(list(matches), ids)
