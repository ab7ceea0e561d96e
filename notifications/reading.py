"""Reading what one was told: the latest first, marking as read, and deleting. Of an account's players, or of one."""

from collections.abc import Collection, Iterable
from datetime import timedelta

from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Greatest

from events.kinds import Kind
from events.live import Message as LiveMessage
from events.live import broadcast_all
from foundation import clock
from foundation.postgresql.transactions import briefly
from notifications.kinds import kinds
from notifications.models import Notice
from ratings.models import Player

__all__ = ["delete", "mark_passed", "mark_read", "notices_of", "unread_of"]

_LATELY = timedelta(days=1)


def notices_of(players: Collection[int]) -> QuerySet[Notice]:
    """What these players read on the site, and what those were told that count for them now; the latest first."""
    meant = Q(player__in=players) | Q(player__merged_into__in=players)
    return Notice.objects.filter(meant, on_site=True).select_related("player").order_by("-pk")


def unread_of(players: Collection[int]) -> int:
    """How many of them are unread."""
    return notices_of(players).filter(read_at=None).count()


def mark_read(players: Collection[int], *, ids: Iterable[int] | None = None) -> int:
    """Mark these as read, or all; returns how many were unread."""
    with briefly():
        unread = _those(players, ids).filter(read_at=None)
        number = Notice.objects.filter(pk__in=_held(unread)).update(
            # A clock that was set back must not keep anybody from reading.
            read_at=Greatest(Value(clock.now()), F("created_at"))
        )
        if number:
            _tell_changed(players)
    return number


def mark_passed() -> int:
    """Mark as read what was of use for some minutes only, which are over; returns how many were unread."""
    now, number = clock.now(), 0
    for kind in kinds():
        if not kind.passes or kind.lasts is None:
            continue
        passed = Notice.objects.filter(
            kind=kind.code,
            on_site=True,
            read_at=None,
            created_at__gt=now - _LATELY,
            created_at__lte=now - kind.lasts,
        )
        if over := dict(passed.values_list("pk", "player")):
            number += mark_read(set(over.values()), ids=over)
    return number


def delete(players: Collection[int], *, ids: Iterable[int] | None = None) -> int:
    """Delete these, or all that are read; returns how many went. Mails and push of them are not sent any more."""
    with briefly():
        those = _those(players, ids)
        if ids is None:
            those = those.exclude(read_at=None)
        gone = _held(those)
        Notice.objects.filter(pk__in=gone).delete()
        if gone:
            _tell_changed(players)
    return len(gone)


def _those(players: Collection[int], ids: Iterable[int] | None) -> QuerySet[Notice]:
    found = notices_of(players)
    return found if ids is None else found.filter(pk__in=list(ids))


def _held(notices: QuerySet[Notice]) -> list[int]:
    """Their ids, held in the order in which everybody holds them."""
    rows = notices.select_related(None).order_by("pk").select_for_update(of=("self",), no_key=True)
    return list(rows.values_list("pk", flat=True))


def _tell_changed(players: Collection[int]) -> None:
    rows = Player.objects.filter(pk__in=players).order_by("pk").values_list("pk", "game")
    broadcast_all(
        LiveMessage(
            (f"player:{player}", f"searches:{game}"), str(Kind.NOTICE_CHANGED), {"player": player}
        )
        for player, game in rows
    )
