"""The sweep: pairs the waiting tickets of a queue, and offers them their matches.

Each run takes the lease of the queue for some seconds, reads and pairs without any lock, and writes in one short
transaction if it still has the lease. A run that is killed or stopped anywhere holds up the next for the rest of its
lease at most. For the order see `foundation.postgresql.lease`.
"""

import time
from dataclasses import asdict, dataclass, replace
from uuid import UUID

import structlog
from django.db.models import Exists, OuterRef

from foundation import timekeeping
from foundation.metrics import SWEEP_SECONDS
from matchmaking.archived import end_archived
from matchmaking.models import PartnerRequest, PartnerState, Queue, Ticket
from matchmaking.models.tickets import LIVE
from matchmaking.offers.answer import expire_offers
from matchmaking.pairing.records import records
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.partners.ask import tend
from matchmaking.suspensions import end_suspended
from matchmaking.sweep.lease import LEASE, MANY, extend_lease, take_lease
from matchmaking.sweep.pairing_context import PairingContext
from matchmaking.sweep.proposals import Proposals
from matchmaking.sweep.read import read_waiting
from matchmaking.sweep.write import LostLeaseError, write_proposals
from matchmaking.tickets.expire import expire_silent_tickets

__all__ = ["SweepReport", "queues_that_hold", "queues_with_work", "run_queue"]

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SweepReport:
    """What one run of a queue did.

    leased           False when another process is at it, or took over: then nothing was paired
    waiting          tickets that could have been paired
    offers, matches  made; matches only where the queue accepts by itself
    expired_offers, expired_tickets  closed because their time was over
    """

    queue_id: int
    leased: bool
    waiting: int = 0
    offers: int = 0
    matches: int = 0
    expired_offers: int = 0
    expired_tickets: int = 0
    seconds: float = 0.0


def queues_with_work() -> list[int]:
    """Ids of the queues that have live tickets, or have asked a game for partners."""
    live = Ticket.objects.filter(queue=OuterRef("pk"), state__in=LIVE)
    asked = PartnerRequest.objects.filter(ticket__queue=OuterRef("pk"), state=PartnerState.ASKED)
    busy = Queue.objects.filter(Exists(live) | Exists(asked))
    return list(busy.order_by("pk").values_list("pk", flat=True))


def queues_that_hold() -> list[int]:
    """Ids of those of them that hold pairs back."""
    return list(
        Queue.objects.filter(pk__in=queues_with_work(), settings__timing__holds=True)
        .order_by("pk")
        .values_list("pk", flat=True)
    )


def run_queue(queue_id: int) -> SweepReport:
    """Close what is over, then pair who waits. Correct when killed anywhere, doubled, or run at once."""
    began = time.monotonic()
    offers, tickets = expire_offers(queue_id), expire_silent_tickets(queue_id)
    end_suspended(queue_id)
    end_archived(queue_id)
    report = SweepReport(queue_id, leased=False)
    if (token := take_lease(queue_id)) is not None:
        try:
            report = _pair(queue_id, token)
        except LostLeaseError as error:
            log.warning("sweep.lease_lost", queue=queue_id, reason=str(error))
        except BaseException:
            LEASE.release(queue_id, token)
            raise
    tend(queue_id)  # only now: whoever has found a match needs no partner
    seconds = time.monotonic() - began
    report = replace(report, expired_offers=offers, expired_tickets=tickets, seconds=seconds)
    if report.offers or offers or tickets:
        log.info("queue.run", **asdict(report))
    return report


def _pair(queue_id: int, token: UUID) -> SweepReport:
    began = time.monotonic()
    queue = Queue.objects.select_related("ladder").get(pk=queue_id)
    context = PairingContext.of(queue)
    tickets = read_waiting(context, timekeeping.deadlines())
    number = len(tickets)
    if number > MANY:
        extend_lease(queue_id, token, tickets=number)
    found = find_matches(tickets, context.plan)
    why = records(tickets, context.plan, found)
    proposals = Proposals.of(tickets, context.plan, found, why)
    offers = write_proposals(queue, token, proposals)
    SWEEP_SECONDS.labels(queue.slug, queue.strategy).observe(time.monotonic() - began)
    matches = offers if queue.accepts_by_itself else 0
    return SweepReport(queue_id, leased=True, waiting=number, offers=offers, matches=matches)
