"""Links that end the mails of one group for one player, without signing in: whoever reads the mail may press them."""

from dataclasses import dataclass

from django.conf import settings
from django.core import signing
from django.urls import reverse

from notifications.kinds import Group
from notifications.models import Way
from notifications.preferences import choose
from ratings.models import Player

__all__ = ["Ended", "end_mails", "read_link", "unsubscribe_link"]

_SALT = "notifications.unsubscribe"


@dataclass(frozen=True, slots=True)
class Ended:
    """Whose mails of which group a link ends."""

    player: Player
    group: Group


def unsubscribe_link(player_id: int, group: str) -> str:
    """The address for a mail. It stays good: an old mail must still be able to end them."""
    return settings.PUBLIC_URL + reverse(
        "unsubscribe", args=[signing.dumps([player_id, group], salt=_SALT)]
    )


def read_link(token: str) -> Ended | None:
    """What a link is about; None where nobody here has signed it, or the player is gone."""
    try:
        player_id, group = signing.loads(token, salt=_SALT)
        player = Player.objects.select_related("game").filter(pk=player_id).first()
        return None if player is None else Ended(player, Group(group))
    except (signing.BadSignature, ValueError, TypeError):
        return None


def end_mails(ended: Ended) -> None:
    """Send no mails of this group to the player any more; to who it counts for now, too."""
    for player in {ended.player.pk, ended.player.merged_into_id} - {None}:
        choose(int(player or 0), {(ended.group.value, Way.MAIL.value): False})
