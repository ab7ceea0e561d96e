"""The lease of a queue: who sweeps it now. The token fences: what is written later than the lease lasts is refused."""

from uuid import UUID

from foundation.postgresql.lease import TokenLease

__all__ = ["LEASE", "MANY", "extend_lease", "take_lease"]

LEASE = TokenLease("matchmaking_queue", name="sweep")
# A worker that has stopped is in nobody's way for longer. One that was killed is in nobody's way at all.
SECONDS = 2.5
# With more tickets than this a sweep may need longer.
MANY = 10_000


def take_lease(queue_id: int) -> UUID | None:
    """Take the lease of a queue; gives its token, or None while another has it."""
    return LEASE.take(queue_id, seconds=SECONDS)


def extend_lease(queue_id: int, token: UUID, *, tickets: int = 0) -> None:
    """Let the lease last from now on, and longer where there is more to do: a second for `MANY` tickets."""
    LEASE.extend(queue_id, token, seconds=SECONDS + tickets / MANY)
