"""What was written where two players met, for a report of one by the other: as the site has kept it."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Q

from matchmaking.models import PartyMember
from ratings.models import Match, Participant, Player
from rooms.models import RoomMember
from talk.models import Line

__all__ = ["lines_between"]

_LATELY = timedelta(days=1)
_MOST = 100


def lines_between(
    reporter: Player, reported: Player, match: Match | None, now: datetime
) -> list[dict[str, Any]]:
    """Of the match, where one is named, else of the parties and rooms of the last day in which the reported wrote: what
    the reporter could read there, hidden and muted lines too; the last hundred, the oldest of them first.
    """
    found = Line.objects.filter(
        _of_match(reporter, match) if match else _of_places(reporter, reported, now)
    )
    rows = found.order_by("-pk").values("author", "text", "said_at", name=F("author__name"))[:_MOST]
    return [
        {
            "player": row["author"],
            "name": row["name"],
            "text": row["text"],
            "at": row["said_at"].isoformat(),
        }
        for row in reversed(rows)
    ]


def _of_match(reporter: Player, match: Match) -> Q:
    own = Participant.objects.filter(match=match, player=reporter).values("team")
    return Q(match=match) & (Q(team=None) | Q(team__in=own))


def _of_places(reporter: Player, reported: Player, now: datetime) -> Q:
    wrote = Line.objects.filter(author=reported, said_at__gt=now - _LATELY)
    parties = PartyMember.objects.filter(player=reporter, party__in=wrote.values("party"))
    rooms = RoomMember.objects.filter(player=reporter, room__in=wrote.values("room"))
    readable = Q(pk__in=[])
    for party, joined, left in parties.values_list("party", "joined_at", "left_at"):
        readable |= Q(party=party, said_at__gte=joined, said_at__lte=left or now)
    for room, joined, left in rooms.values_list("room", "joined_at", "left_at"):
        readable |= Q(room=room, said_at__gte=joined, said_at__lte=left or now)
    return readable
