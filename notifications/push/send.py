"""Sending what is due by push. One browser's server that is slow, wrong or away holds up that browser alone.

Those that have taken a push before come first. What was made up, and never takes one, comes after them, waits longer
each time, and is called beside others, each within some seconds.
"""

import json
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import translation
from pywebpush import WebPusher

from foundation import clock, timekeeping
from foundation.timekeeping.attempts import Attempts
from notifications.models import Delivery, Notice, PushSubscription, Way
from notifications.preferences import language_of, postponed
from notifications.push.call import LONGEST_CALL, Answer, Call
from notifications.push.keys import authorization
from notifications.quiet import LONGEST
from notifications.words import said

__all__ = ["MOST_ATTEMPTS", "send_due"]

log = structlog.get_logger(__name__)

MOST_ATTEMPTS = 8
_AT_ONCE = 16
_ROUNDS = 6  # in one task: others wait for its worker
_USE = timedelta(days=1)  # for which a push is of use at most
# Of a browser's server, after calls that failed; and of a push, which may wait for the end of quiet hours besides.
_CALLS = Attempts(timedelta(seconds=30), timedelta(hours=6))
_ATTEMPTS = replace(_CALLS, farthest=LONGEST)
_LONGEST_WORDS = 1000
# Their address is over for good, says the maker of the browser.
_GONE = {404, 410}
# It does not take what this site signs: the fault may be here, in the contact, the clock or the keys. No browser is
# forgotten for it.
_REFUSED = {401, 403}
_TOO_LONG = 413


def send_due() -> int:
    """Send what is due; returns how many pushes were taken. Several at once share the work.

    An attempt is counted before it is made, as with mails.
    """
    taken = 0
    for _ in range(_ROUNDS):
        due = _claim()
        if not due:
            break
        taken += _send(due)
    return taken


@transaction.atomic
def _claim() -> list[Delivery]:
    """The next ones, at most one for each browser."""
    now = clock.now()
    old = Q(until__lte=now) | Q(due_at__lte=now - _USE)
    if timekeeping.is_steady():  # else there may be time left for it
        Delivery.objects.filter(old, way=Way.PUSH).delete()
    may_be_called = Q(subscription__paused_until=None) | _CALLS.is_due(
        "subscription__paused_until", now
    )
    of_use = Q(until=None) | Q(until__gt=now)
    is_due = Q(_ATTEMPTS.is_due("due_at", now), due_at__gt=now - _USE)
    due = Delivery.objects.filter(may_be_called, of_use, is_due, way=Way.PUSH)
    first = due.order_by("subscription_id", "due_at", "pk").distinct("subscription_id").values("pk")
    held = Delivery.objects.filter(pk__in=first).select_for_update(
        skip_locked=True, of=("self",), no_key=True
    )
    rows = held.select_related("subscription", "notice__player").order_by(
        # First those who have taken one, and whose last one was no failure.
        F("subscription__failures").asc(),
        F("subscription__sent_at").desc(nulls_last=True),
        "due_at",
        "pk",
    )
    found = list(rows[:_AT_ONCE])
    for one in found:
        one.attempts += 1
        one.due_at = now + _ATTEMPTS.pause_after(one.attempts)
    Delivery.objects.bulk_update(found, ["attempts", "due_at"])
    return found


def _send(due: Sequence[Delivery]) -> int:
    calls: list[tuple[Delivery, Call]] = []
    for delivery in due:
        if postponed(delivery):
            continue
        try:
            call = _call_of(delivery)
        except Exception:  # one that cannot be written must not hold up the others
            log.exception("push.not_written", notice=delivery.notice_id)
            _end_after_failures(delivery)
            continue
        if call is None:
            _end(delivery)
        else:
            calls.append((delivery, call))
    return sum(_note(delivery, answer) for delivery, answer in _make(calls))


def _make(calls: Sequence[tuple[Delivery, Call]]) -> Iterator[tuple[Delivery, Answer]]:
    """Make all calls beside each other, and give each as soon as it is answered: what is noted is not sent again,
    should this process be killed meanwhile. Whoever has not answered in time has not answered.
    """
    if not calls:
        return
    pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="push")
    waiting = {pool.submit(call.make): (delivery, call) for delivery, call in calls}
    with suppress(TimeoutError):
        for future in as_completed(list(waiting), timeout=LONGEST_CALL):
            delivery, _call = waiting.pop(future)
            yield delivery, future.result()
    late = Answer(0, "no answer in time")
    for future, (delivery, call) in waiting.items():
        # Asked once: a call given up may yet return, with the half of an answer that had come until then.
        if future.done():
            yield delivery, future.result()
        else:
            call.give_up()
            yield delivery, late
    # A thread that waits for a name server cannot be ended: it ends by itself, and nobody waits for it.
    pool.shutdown(wait=False, cancel_futures=True)


def _call_of(delivery: Delivery) -> Call | None:
    """What to send; None where it was read meanwhile, or there is nothing to say any more."""
    browser, notice = delivery.subscription, delivery.notice
    if browser is None or notice.read_at is not None or not _is_theirs(browser, notice):
        return None
    language = language_of(browser.account_id) or settings.LANGUAGE_CODE
    with translation.override(language):
        words = said([notice])
    if not words:
        return None
    text = {
        "title": words[0].words[:_LONGEST_WORDS],
        "url": words[0].address,
        "tag": f"notice-{notice.pk}",
        "lang": language,
        # What is over within minutes is for those who see no page of this site just now.
        "unless_seen": delivery.until is not None,
    }
    keys = {"p256dh": browser.p256dh, "auth": browser.auth}
    pusher = WebPusher({"endpoint": browser.endpoint, "keys": keys})
    body: bytes = pusher.encode(json.dumps(text).encode())["body"]
    until = delivery.until or notice.created_at + _USE
    # No server takes more than some weeks: a clock that ran ahead must not ask for them.
    left = min(max(until - clock.now(), timedelta()), _USE)
    headers = {
        "Authorization": authorization(browser.endpoint, time.time()),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(round(left.total_seconds())),
        "Urgency": "normal" if delivery.until is None else "high",
    }
    return Call(browser.endpoint, body, headers)


def _is_theirs(browser: PushSubscription, notice: Notice) -> bool:
    """Whether the player still belongs to the account of the browser, which may sign in."""
    account = browser.account
    owner = Notice.objects.filter(pk=notice.pk).filter(
        Q(player__user=account) | Q(player__merged_into__user=account)
    )
    return account.is_active and owner.exists()


def _note(delivery: Delivery, answer: Answer) -> bool:
    """Note what came of it; whether it was taken."""
    now = clock.now()
    browser = PushSubscription.objects.filter(pk=delivery.subscription_id or 0)
    if answer.is_taken:
        browser.update(sent_at=now, failures=0, paused_until=None, trouble="")
        _end(delivery)
        return True
    if answer.status in _GONE:
        log.info("push.browser_gone", browser=delivery.subscription_id)
        for gone in browser:
            gone.delete()  # with what was still to be sent there
        return False
    if answer.status == _TOO_LONG:
        _end(delivery)
        return False
    trouble = f"{answer.status or 'no answer'} {answer.trouble}".strip()[:200]
    failures = (browser.values_list("failures", flat=True).first() or 0) + 1
    pause = max(_CALLS.pause_after(failures), timedelta(seconds=answer.retry_after))
    browser.update(
        failures=failures, paused_until=now + min(pause, _CALLS.longest_pause), trouble=trouble
    )
    said_of = {"browser": delivery.subscription_id, "status": answer.status, "failures": failures}
    if answer.status in _REFUSED:
        log.error("push.refused", trouble=trouble, **said_of)
    else:
        log.warning("push.failed", trouble=trouble, **said_of)
    _end_after_failures(delivery)
    return False


def _end_after_failures(delivery: Delivery) -> None:
    if delivery.attempts >= MOST_ATTEMPTS:
        _end(delivery)


def _end(delivery: Delivery) -> None:
    Delivery.objects.filter(pk=delivery.pk).delete()
