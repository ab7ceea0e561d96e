"""What is kept for how long: searches, offers, parties, reports, keys, sessions, sign-ins and files that nobody needs.

Nothing goes that the ledger or the history of matches needs: an offer that became a match stays, with its searches.
"""

import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import structlog
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from api.models import PlayerToken, ServerKey
from challenges.models import Challenge
from clans.invitations import forget_old
from config.maintenance.kept_cases import old_cases
from config.monitoring.metric_files import fold_ended
from foundation import clock, timekeeping
from matchmaking.conduct.retention import forgotten
from matchmaking.models import (
    AlertWish,
    Offer,
    OfferState,
    OfferTicket,
    Party,
    Round,
    SearchTold,
    Ticket,
    TicketState,
)
from matchmaking.rounds import hold
from ratings.models import OPEN, KeptSuspension, MatchState, Report
from rooms.models import Room
from talk.retention import outdated

__all__ = ["forget"]

log = structlog.get_logger(__name__)

BATCH = 1000  # things in one transaction, so that nobody waits for it
_CAME_TO_NOTHING = [OfferState.DECLINED, OfferState.EXPIRED]
# A sign-in is written a moment apart from its session.
_BEING_MADE = timedelta(hours=1)
_SHORTEN = """
UPDATE usersessions_usersession AS one
SET ip = shortened.ip, user_agent = ''
FROM (
    SELECT id, host(network(set_masklen(ip, CASE family(ip) WHEN 4 THEN 24 ELSE 48 END)))::inet AS ip
    FROM usersessions_usersession
    WHERE last_seen_at < %(before)s
) AS shortened
WHERE one.id = shortened.id AND (one.ip <> shortened.ip OR one.user_agent <> '')
"""
_ENDED = [TicketState.CANCELLED, TicketState.EXPIRED]


def forget() -> dict[str, int]:
    """Delete what is older than the settings keep it, some at a time; returns how many of each.

    Nothing while the clock is not believed: by a wrong one everything is old.
    """
    if not timekeeping.is_steady():
        return {}
    now = clock.now()
    searches, reports, keys = (
        None if days is None else now - timedelta(days=days)
        for days in (settings.KEEP_SEARCHES, settings.KEEP_REPORTS, settings.KEEP_KEYS)
    )
    # In this order: what refers to another goes first.
    old: dict[str, QuerySet[Any]] = {
        "sessions": Session.objects.filter(expire_date__lt=now),
        "rounds": Round.objects.filter(ended_at__lt=now - hold.KEPT),
        "alerts": AlertWish.objects.filter(until__lte=now),
        "searches_told": SearchTold.objects.filter(ticket__ended_at__lt=now - timedelta(days=1)),
        "suspensions": KeptSuspension.objects.filter(until__lte=now),
        "lines": outdated(now),
    }
    if searches is not None:
        offered = OfferTicket.objects.filter(ticket=OuterRef("pk"))
        searched = Ticket.objects.filter(party=OuterRef("pk"))
        old["offers"] = Offer.objects.filter(state__in=_CAME_TO_NOTHING, created_at__lt=searches)
        old["tickets"] = Ticket.objects.filter(
            ~Exists(offered), state__in=_ENDED, ended_at__lt=searches
        )
        old["rooms"] = Room.objects.filter(ended_at__lt=searches)
        old["challenges"] = Challenge.objects.filter(ended_at__lt=searches)
        old["parties"] = Party.objects.filter(~Exists(searched), ended_at__lt=searches)
    if reports is not None:
        undecided = [*OPEN, MatchState.DISPUTED]
        old["reports"] = Report.objects.filter(at__lt=reports).exclude(match__state__in=undecided)
    old |= old_cases(now)
    if keys is not None:
        is_over = Q(expires_at__lt=keys) | Q(revoked_at__lt=keys)
        old["tokens"] = PlayerToken.objects.filter(is_over)
        old["keys"] = ServerKey.objects.filter(is_over)
    old["sign_ins"] = UserSession.objects.filter(
        ~Exists(Session.objects.filter(session_key=OuterRef("session_key"))),
        last_seen_at__lt=now - _BEING_MADE,
    )
    # Last, once what they came of is gone.
    old |= forgotten(now)
    gone = {name: _purge(things) for name, things in old.items()}
    if settings.KEEP_SIGN_INS is not None:
        gone["addresses"] = _shorten_addresses(now - timedelta(days=settings.KEEP_SIGN_INS))
    gone["asked_of_clans"] = forget_old()
    if folder := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        gone["metric_files"] = fold_ended(Path(folder))
    found = {name: number for name, number in gone.items() if number}
    if found:
        log.info("upkeep.forgotten", **found)
    return found


def _shorten_addresses(before: datetime) -> int:
    """Keep of sign-ins that were not used since then only the network they came from; returns how many."""
    with connection.cursor() as cursor:
        cursor.execute(_SHORTEN, {"before": before})
        return int(cursor.rowcount)


def _purge(things: QuerySet[Any]) -> int:
    """Delete these, a batch a transaction; returns how many there were."""
    number = 0
    while True:
        with transaction.atomic():
            # Whoever is at one of them just now keeps it.
            some = things.select_for_update(skip_locked=True, of=("self",)).order_by("pk")
            ids = list(some.values_list("pk", flat=True)[:BATCH])
            things.model._default_manager.filter(pk__in=ids).delete()
        number += len(ids)
        if len(ids) < BATCH:
            return number
