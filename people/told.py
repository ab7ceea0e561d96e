"""What two players, their pages and programs are told of something between them that has changed."""

from django.utils.translation import gettext_lazy as _

from events.kinds import Kind
from events.live import broadcast
from notifications.kinds import Group, register, to
from notifications.tell import take_back
from people.models import Friendship
from ratings.models import Player

__all__ = ["about", "declare", "tell", "tell_ended"]


def declare() -> None:
    """Say which kinds of notices there are. Called from the app's `ready()`."""
    for code, words, sender in (
        ("friend.asked", _("%(by)s asks to be friends."), "by"),
        ("friend.agreed", _("%(by)s has agreed: you are friends."), ""),
    ):
        register(code, Group.PEOPLE, words, leads_to=to("people"), players=("by",), sender=sender)


def tell(kind: Kind, player: Player, other: Player) -> None:
    """Tell both; `player` is who has done it. Streams name what has changed, never how it is now."""
    topics = [f"player:{player.pk}", f"player:{other.pk}", f"searches:{player.game_id}"]
    broadcast(topics, kind, player=player.pk, other=other.pk)


def about(row: Friendship) -> str:
    """What notices of a friendship are about."""
    return f"friendship:{row.pk}"


def tell_ended(row: Friendship) -> None:
    """The two are friends no more, or a request is gone; the same words whatever the reason."""
    tell(Kind.FRIEND_ENDED, row.low, row.high)
    for kind in ("friend.asked", "friend.agreed"):
        take_back(kind, about(row))
