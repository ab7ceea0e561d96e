"""What a player reads in a place: the lines of those who are there and may write to the player, but of nobody whom the
player blocks or mutes. Whom it avoids it reads: avoiding is about playing.
"""

from collections.abc import Sequence

from django.db.models import Q, QuerySet

from people.models import Block, Whom
from people.ties import friend_ids
from people.wishes import wishes_of
from ratings.models import Player
from talk.models import Line, Muted
from talk.places import Place

__all__ = ["SHOWN", "heard", "latest", "unheard_by"]

SHOWN = 100  # lines on a page


def heard(place: Place, reader: Player) -> QuerySet[Line]:
    """The lines of a place that the reader hears, with their authors; in no order yet."""
    found = Line.objects.filter(place.lines, _from_whom(reader), hidden_at=None)
    return found.select_related("author").exclude(author__in=unheard_by(reader))


def latest(place: Place, reader: Player, *, most: int = SHOWN) -> list[Line]:
    """The last lines, the oldest of them first. One query."""
    return list(heard(place, reader).order_by("-pk")[:most])[::-1]


def unheard_by(reader: Player) -> QuerySet[Player]:
    """Whom the reader does not hear: players whom the reader blocks or has muted, and who counts for one of them."""
    blocked = Block.objects.filter(player=reader).values("blocked")
    muted = Muted.objects.filter(player=reader).values("muted")
    named = Q(pk__in=blocked) | Q(pk__in=muted)
    return Player.objects.filter(named | Q(merged_into__in=blocked) | Q(merged_into__in=muted))


def _from_whom(reader: Player) -> Q:
    """By what the reader has chosen of who may write to it; its own lines always. Two queries at most."""
    whom = wishes_of(reader.pk).write
    if whom == Whom.EVERYONE:
        return Q()
    friends = friend_ids(reader.pk) if whom == Whom.FRIENDS else set()
    return Q(author__in={reader.pk, *friends})


def lines_about(place_columns: "dict[str, int | None]", *, most: int = SHOWN) -> Sequence[Line]:
    """All lines of a place, hidden ones too, the latest first: for moderators."""
    return list(Line.objects.filter(**place_columns).select_related("author")[:most])
