"""What is due by time alone: challenges that nobody accepted, appointments to come, and such as somebody missed.

Right when it runs never, once, twice, or twice at once: each is held by itself, and looked at again then.
"""

from datetime import timedelta

from django.db.models import Q, QuerySet

from challenges import limits
from challenges.held import end_held, hold, is_expired, notify, tell
from challenges.meeting import end_missed, start_if_both
from challenges.models import Challenge, ChallengeState
from events.kinds import Kind
from foundation import clock, timekeeping
from foundation.postgresql.transactions import briefly

__all__ = ["end_expired", "settle"]

_BATCH = 500  # so many of each in one run; the next goes on


def settle() -> dict[str, int]:
    """Do what is due; returns how many of each."""
    accepted = Challenge.objects.filter(state=ChallengeState.ACCEPTED)
    both = accepted.filter(challenger_here_at__isnull=False, challenged_here_at__isnull=False)
    for pk in _ids(both):
        start_if_both(pk)
    over = timekeeping.deadlines().are_over(began="answered_at", ends="due_at")
    return {
        "expired": end_expired(Challenge.objects.all()),
        "missed": sum(_miss(pk) for pk in _ids(accepted.filter(over))),
        "reminded": _tell_of_time(
            "reminded_at", limits.REMINDED_BEFORE, "appointment.reminded", Kind.CHALLENGE_REMINDED
        ),
        "called": _tell_of_time(
            "called_at", limits.CALLED_BEFORE, "appointment.called", Kind.CHALLENGE_CALLED
        ),
    }


def end_expired(challenges: QuerySet[Challenge]) -> int:
    """End those of these that are open though their time is over; returns how many."""
    over = timekeeping.deadlines().are_over(began="created_at", ends="expires_at")
    return sum(_expire(pk) for pk in _ids(challenges.filter(over, state=ChallengeState.OPEN)))


def _ids(challenges: QuerySet[Challenge]) -> list[int]:
    return list(challenges.order_by("pk").values_list("pk", flat=True)[:_BATCH])


def _expire(pk: int) -> bool:
    with briefly():
        challenge = hold(pk)
        if challenge.state != ChallengeState.OPEN or not is_expired(challenge):
            return False
        end_held(challenge, ChallengeState.EXPIRED)
    return True


def _miss(pk: int) -> bool:
    with briefly() as now:
        challenge = hold(pk)
        if challenge.state != ChallengeState.ACCEPTED or challenge.due_at is None:
            return False
        began = challenge.answered_at or challenge.created_at
        if not timekeeping.deadlines().is_over(began=began, ends=challenge.due_at):
            return False
        end_missed(challenge, now)
    return True


def _tell_of_time(column: str, before: timedelta, notice: str, kind: Kind) -> int:
    """Tell the two of each appointment, once, that its time comes; returns of how many."""
    told = 0
    if (
        not timekeeping.is_steady()
    ):  # who was told by a wrong clock would not be told when it is time
        return 0
    soon = Q(at__lte=clock.now() + before, **{f"{column}__isnull": True})
    for pk in _ids(Challenge.objects.filter(soon, state=ChallengeState.ACCEPTED)):
        with briefly() as at:
            challenge = hold(pk)
            if challenge.state != ChallengeState.ACCEPTED or getattr(challenge, column) is not None:
                continue
            setattr(challenge, column, at)
            challenge.save(update_fields=[column])
            # Agreed within the hour: that was said just now.
            answered = challenge.answered_at or at
            if column == "called_at" or challenge.at is None or answered < challenge.at - before:
                tell([challenge], kind)
                notify(notice, challenge, challenge.players)
                told += 1
    return told
