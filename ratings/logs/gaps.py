"""Events that never come are given up, so that those behind them count."""

from datetime import timedelta

from django.conf import settings

from foundation import clock
from foundation.postgresql.transactions import briefly
from ratings.logs.accept import complete
from ratings.logs.ending import end_log, give_up
from ratings.models import LogEvent, MatchLog, MatchState

__all__ = ["give_up_gaps"]

_BATCH = 20


def give_up_gaps() -> int:
    """Wait no longer for events that are missing for long, so that those behind them count; returns in how many logs.

    Correct when run never, once, twice or twice at once.
    """
    until = clock.now() - timedelta(seconds=settings.EVENT_GAP_SECONDS)
    done = 0
    while True:
        with briefly() as now:
            due = MatchLog.objects.filter(gap_since__lte=until).order_by("gap_since", "pk")
            held = due.select_for_update(skip_locked=True, no_key=True, of=("self",))
            logs = list(held.select_related("match__ladder__game")[:_BATCH])
            for log in logs:
                above = LogEvent.objects.filter(log=log, number__gt=log.complete_to)
                first = above.order_by("number").values_list("number", flat=True)[0]
                give_up(log, to=first - 1)
                log.gap_since = None
                complete(log, now)
                log.save()
                is_over = log.ends_with is not None and log.complete_to >= log.ends_with
                if is_over and log.match.state == MatchState.PLAYING:
                    end_log(log, now)
        done += len(logs)
        if not logs:
            return done
