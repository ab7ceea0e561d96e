"""How far apart the ratings of a ladder are: a search that reaches further finds players of any rating."""

from django.core.cache import cache
from django.db.models import Max, Min

from ratings.ledger.forecasts import beginner, forecasters_of
from ratings.matches.summary import public_tracks
from ratings.models import Ladder, Rating

__all__ = ["rating_span"]

# To know it all ratings are looked at: what is told of it may be some minutes old.
_KEPT_SECONDS = 300
_UNKNOWN = -1.0


def rating_span(ladder: Ladder) -> float | None:
    """From the lowest rating to the highest, with that of beginners; None where ratings are not public, or none is.

    Three queries, now and then.
    """
    name = f"rating_span:{ladder.pk}"
    span: float | None = cache.get(name)
    if span is None:
        span = _read(ladder)
        cache.set(name, span, _KEPT_SECONDS)
    return None if span == _UNKNOWN else span


def _read(ladder: Ladder) -> float:
    track = public_tracks([ladder]).get(ladder.pk)
    if track is None:
        return _UNKNOWN
    ends = Rating.objects.filter(track=track).aggregate(low=Min("value"), high=Max("value"))
    if ends["low"] is None:
        return _UNKNOWN
    new = beginner(forecasters_of([track])[track.pk]).value
    return float(max(ends["high"], new) - min(ends["low"], new))
