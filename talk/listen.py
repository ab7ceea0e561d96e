"""What a player reads in a place: the lines of those who are there, but of nobody whom the player blocks or mutes."""

from collections.abc import Sequence

from django.db.models import Q, QuerySet

from matchmaking.models import Avoided
from people.models import Block
from ratings.models import Player
from talk.models import Line, Muted
from talk.places import Place

__all__ = ["SHOWN", "heard", "latest", "unheard_by"]

SHOWN = 100  # lines on a page


def heard(place: Place, reader: Player) -> QuerySet[Line]:
    """The lines of a place that the reader hears, with their authors; in no order yet."""
    found = Line.objects.filter(place.lines, hidden_at=None).select_related("author")
    return found.exclude(author__in=unheard_by(reader))


def latest(place: Place, reader: Player, *, most: int = SHOWN) -> list[Line]:
    """The last lines, the oldest of them first. One query."""
    return list(heard(place, reader).order_by("-pk")[:most])[::-1]


def unheard_by(reader: Player) -> QuerySet[Player]:
    """Whom the reader does not hear: players whom the reader avoids, blocks or has muted."""
    avoided = Avoided.objects.filter(player=reader).values("avoided")
    blocked = Block.objects.filter(player=reader).values("blocked")
    muted = Muted.objects.filter(player=reader).values("muted")
    return Player.objects.filter(Q(pk__in=avoided) | Q(pk__in=blocked) | Q(pk__in=muted))


def lines_about(place_columns: "dict[str, int | None]", *, most: int = SHOWN) -> Sequence[Line]:
    """All lines of a place, hidden ones too, the latest first: for moderators."""
    return list(Line.objects.filter(**place_columns).select_related("author")[:most])
