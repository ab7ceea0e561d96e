"""What is kept for how long: searches, offers, parties, reports, keys, sessions and files that nobody needs any more.

Nothing goes that the ledger or the history of matches needs: an offer that became a match stays, with its searches.
"""

import os
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import structlog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from api.models import PlayerToken, ServerKey
from config.monitoring.metric_files import fold_ended
from foundation import clock, timekeeping
from matchmaking.models import Offer, OfferState, OfferTicket, Party, Ticket, TicketState
from ratings.models import OPEN, MatchState, Report

__all__ = ["forget"]

log = structlog.get_logger(__name__)

BATCH = 1000  # things in one transaction, so that nobody waits for it
_CAME_TO_NOTHING = [OfferState.DECLINED, OfferState.EXPIRED]
_ENDED = [TicketState.CANCELLED, TicketState.EXPIRED]


def forget() -> dict[str, int]:
    """Delete what is older than the settings keep it, some at a time; returns how many of each.

    Nothing while the clock is not believed: by a wrong one everything is old.
    """
    if not timekeeping.is_steady():
        return {}
    gone = {
        "sessions": _purge(_sessions, 0.0),
        # In this order: what refers to another goes first.
        "offers": _purge(_offers, settings.KEEP_SEARCHES),
        "tickets": _purge(_tickets, settings.KEEP_SEARCHES),
        "parties": _purge(_parties, settings.KEEP_SEARCHES),
        "reports": _purge(_reports, settings.KEEP_REPORTS),
        "tokens": _purge(_tokens, settings.KEEP_KEYS),
        "keys": _purge(_keys, settings.KEEP_KEYS),
    }
    if folder := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        gone["metric_files"] = fold_ended(Path(folder))
    found = {name: number for name, number in gone.items() if number}
    if found:
        log.info("upkeep.forgotten", **found)
    return found


def _purge(old: Callable[[datetime], QuerySet[Model]], days: float | None) -> int:
    """Delete what `old` finds before so many days ago, a batch a transaction; None keeps everything."""
    if days is None:
        return 0
    things, number = old(clock.now() - timedelta(days=days)), 0
    while True:
        with transaction.atomic():
            # Whoever is at one of them just now keeps it.
            some = things.select_for_update(skip_locked=True, of=("self",)).order_by("pk")
            ids = list(some.values_list("pk", flat=True)[:BATCH])
            things.model._default_manager.filter(pk__in=ids).delete()
        number += len(ids)
        if len(ids) < BATCH:
            return number


def _sessions(before: datetime) -> QuerySet[Session]:
    return Session.objects.filter(expire_date__lt=before)


def _offers(before: datetime) -> QuerySet[Offer]:
    return Offer.objects.filter(state__in=_CAME_TO_NOTHING, created_at__lt=before)


def _tickets(before: datetime) -> QuerySet[Ticket]:
    offered = OfferTicket.objects.filter(ticket=OuterRef("pk"))
    return Ticket.objects.filter(~Exists(offered), state__in=_ENDED, ended_at__lt=before)


def _parties(before: datetime) -> QuerySet[Party]:
    searched = Ticket.objects.filter(party=OuterRef("pk"))
    return Party.objects.filter(~Exists(searched), ended_at__lt=before)


def _reports(before: datetime) -> QuerySet[Report]:
    return Report.objects.filter(at__lt=before).exclude(
        match__state__in=[*OPEN, MatchState.DISPUTED]
    )


def _tokens(before: datetime) -> QuerySet[PlayerToken]:
    return PlayerToken.objects.filter(Q(expires_at__lt=before) | Q(revoked_at__lt=before))


def _keys(before: datetime) -> QuerySet[ServerKey]:
    return ServerKey.objects.filter(Q(expires_at__lt=before) | Q(revoked_at__lt=before))
