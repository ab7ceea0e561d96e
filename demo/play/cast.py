"""Who can play and where: read from the database once, when the simulated players begin."""

from demo.league import GAME, PLANS
from demo.models import SimulatedPlayer
from demo.play.verdicts import Persona
from matchmaking.models import Queue
from ratings.models import Mode

__all__ = ["load_cast", "open_queues", "paired_queues"]

_SHARE = {Mode.RANKED: 1.0, Mode.NORMAL: 0.4}


def load_cast() -> dict[str, Persona]:
    """The simulated players by their id in the game."""
    rows = SimulatedPlayer.objects.filter(player__game__slug=GAME).order_by("pk")
    columns = rows.values_list("player__external_id", "strength", "activity", "manners")
    return {row[0]: Persona(*row) for row in columns}


def open_queues() -> dict[str, float]:
    """Short names of the league's open queues, and how much each is liked."""
    plans = [plan.slug for plan in PLANS]
    queues = Queue.objects.filter(slug__in=plans, is_open=True).select_related("ladder")
    return {queue.slug: _SHARE[Mode(queue.ladder.mode)] for queue in queues.order_by("pk")}


def paired_queues() -> list[str]:
    """Short names of the open queues in which two friends can play together."""
    plans = [plan.slug for plan in PLANS if plan.shape.size > 1]
    queues = Queue.objects.filter(slug__in=plans, is_open=True).order_by("pk")
    return list(queues.values_list("slug", flat=True))
