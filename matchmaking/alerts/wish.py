"""Who wants to be told of searches in a queue, how near, and until when."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet

from foundation.postgresql.transactions import briefly
from matchmaking.alerts.refusals import NearnessHiddenError, NoAlertsError
from matchmaking.models import AlertWish, Queue
from matchmaking.pairing.nearness import Nearness
from matchmaking.queues.settings import settings_of
from matchmaking.refusals import WrongGameError
from ratings.archiving import ArchivedError
from ratings.models import Mode, Player

__all__ = [
    "MOST_HOURS",
    "end_of_night",
    "has_alerts",
    "switch_off",
    "switch_on",
    "tells_nearness",
    "wishes_of",
]

MOST_HOURS = 72
_NIGHT_ENDS = time(4)


def switch_on(*, player: Player, queue: Queue, near: str, until: datetime | None) -> AlertWish:
    """Tell the player of searches from now on; the same again changes how near and until when.

    The queue was read with its ladder and the game. Raises ArchivedError, WrongGameError, NoAlertsError and
    NearnessHiddenError.
    """
    if queue.is_archived:
        raise ArchivedError(queue, queue=queue.slug)
    if queue.ladder.game_id != player.game_id:
        raise WrongGameError(player.pk)
    if not has_alerts(queue):
        raise NoAlertsError(queue.slug)
    if near != Nearness.ANYBODY and not tells_nearness(queue):
        raise NearnessHiddenError
    with briefly():
        # When the player was told last stays: whoever switches it on anew is not told the sooner.
        wish, _is_new = AlertWish.objects.update_or_create(
            player=player, queue=queue, defaults={"near": near, "until": until}
        )
    return wish


def switch_off(*, player_id: int, queue_id: int) -> bool:
    """Tell the player of searches in the queue no more; returns whether it was on."""
    return bool(AlertWish.objects.filter(player=player_id, queue=queue_id).delete()[0])


def wishes_of(player_id: int, now: datetime) -> QuerySet[AlertWish]:
    """What is on for a player, by queue; those of archived queues are left out."""
    used = Queue.objects.in_use()
    own = AlertWish.objects.filter(Q(until=None) | Q(until__gt=now), player=player_id)
    return own.filter(queue__in=used).select_related("queue__ladder").order_by("queue__name", "pk")


def has_alerts(queue: Queue) -> bool:
    """Whether the queue tells anybody of searches."""
    return settings_of(queue).alerts.at_most > 0


def tells_nearness(queue: Queue) -> bool:
    """Whether players may say how near somebody is to be: where ratings are shown."""
    return queue.ladder.mode == Mode.RANKED


def end_of_night(zone: ZoneInfo, now: datetime) -> datetime:
    """When the night ends that comes, or that it is, by the clocks of a zone."""
    local = now.astimezone(zone)
    day = local.date() if local.time() < _NIGHT_ENDS else local.date() + timedelta(days=1)
    return datetime.combine(day, _NIGHT_ENDS, zone).astimezone(now.tzinfo)
