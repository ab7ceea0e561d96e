"""Moving the clock, and letting time pass, by moving back whatever is stored: to that it makes no difference."""

from datetime import timedelta

from django.db import connection

from foundation import timekeeping

__all__ = ["jump", "pass_time", "pass_time_at_work"]

# Whatever keeps a time of its own. To move all of them back is to move the clock ahead.
_TIMES = {
    "foundation_heartbeat": ["at", "turned_at", "outage_since", "outage_until"],
    "foundation_clockpause": ["trusted_at", "at", "seen_at"],
    "challenges_challenge": ["created_at", "expires_at", "answered_at", "at", "due_at"],
    "matchmaking_absence": ["away_at", "until"],
    "matchmaking_offer": ["created_at", "expires_at"],
    "matchmaking_ticket": ["waiting_since", "seen_at", "asked_at"],
    "notifications_delivery": ["due_at", "until"],
    "ratings_match": ["played_at", "due_at", "ended_at"],
    "ratings_report": ["at"],
    "rooms_room": ["active_at"],
    "rooms_roommember": ["seen_at"],
}
_STEP = timedelta(seconds=10)


def jump(by: timedelta) -> None:
    """The clock jumps ahead, or back where `by` is negative: to what is stored it makes no difference who moves."""
    with connection.cursor() as cursor:
        for table, columns in _TIMES.items():
            moved = ", ".join(
                f"{column} = {column} - make_interval(secs => %(by)s)" for column in columns
            )
            cursor.execute(f"UPDATE {table} SET {moved}", {"by": by.total_seconds()})  # noqa: S608


def pass_time(span: timedelta) -> None:
    """Time passes, and the machine's own clock with it. Nothing is done meanwhile: of more than some seconds this makes
    an outage.
    """
    jump(span)
    with connection.cursor() as cursor:
        for table in ("foundation_heartbeat", "foundation_clockpause"):
            cursor.execute(f"UPDATE {table} SET uptime = uptime - %s", [span.total_seconds()])  # noqa: S608


def pass_time_at_work(span: timedelta) -> None:
    """Time passes while the site is at work: somebody looks at the clock again and again."""
    while span > timedelta():
        step = min(span, _STEP)
        pass_time(step)
        timekeeping.is_steady()
        span -= step
