"""Which lines are kept no longer, by the rules of each game."""

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from talk.models import Line, TalkRules

__all__ = ["outdated"]


def outdated(now: datetime) -> QuerySet[Line]:
    """Lines older than their game keeps them."""
    old = Q(pk__in=[])
    for game, days in TalkRules.objects.values_list("game", "keep_days"):
        old |= Q(game=game, said_at__lt=now - timedelta(days=days))
    return Line.objects.filter(old)
