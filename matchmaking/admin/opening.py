"""Opening and closing queues."""

from django.db import transaction

from accounts import audit
from accounts.models import User
from matchmaking.models import Queue

__all__ = ["set_open"]


@transaction.atomic
def set_open(*, queue_id: int, is_open: bool, by: User, note: str) -> bool:
    """Let a queue take new tickets, or no more; whoever waits in it is served either way. Audited.

    Returns whether that changed anything. Raises Queue.DoesNotExist.
    """
    queue = Queue.objects.select_for_update(no_key=True).get(pk=queue_id)
    if queue.is_open == is_open:
        return False
    Queue.objects.filter(pk=queue_id).update(is_open=is_open)
    audit.record(
        actor=by,
        action="queue.opened" if is_open else "queue.closed",
        target=queue,
        before={"is_open": queue.is_open},
        after={"is_open": is_open},
        note=note,
    )
    return True
