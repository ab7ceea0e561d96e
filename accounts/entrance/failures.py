"""Sign-ins that failed, counted by account and day in the database; the audit log is told now and then of how many."""

from typing import Any

from django.db import connection

from accounts import audit
from accounts.models import FailedSignIns, User
from foundation import clock

__all__ = ["CODES_A_DAY", "KEPT_DAYS", "are_codes_used_up", "forget_old", "note_failure"]

CODES_A_DAY = 100
KEPT_DAYS = 90
# The log is told of the first of somebody who has rights, and of what is no slip any more of everybody else; then each
# time it is twice as many.
_FIRST_TOLD = 8

_ADD = {
    column: f"""
        INSERT INTO accounts_failedsignins AS kept (account_id, day, {column})
        VALUES (%s, (coalesce(%s, now()) AT TIME ZONE 'UTC')::date, 1)
        ON CONFLICT (day, account_id) DO UPDATE SET {column} = kept.{column} + 1
        RETURNING id, {column}
    """  # noqa: S608
    for column in ("passwords", "codes")
}


def note_failure(account: User | None, *, wrong: str, **where: Any) -> None:
    """Count one. `wrong`: "passwords" or "codes"; `where` it came from is kept where the log is told.

    `account` is None where no account has the name or address that was typed.
    """
    with connection.cursor() as cursor:
        cursor.execute(_ADD[wrong], [None if account is None else account.pk, clock.replaced()])
        pk, count = cursor.fetchone()
    first = 1 if account is not None and account.is_staff else _FIRST_TOLD
    if count >= first and count & (count - 1) == 0:
        target = FailedSignIns(pk=pk) if account is None else account
        after = {f"wrong_{wrong}_today": count, **where}
        audit.record(actor=None, action="user.sign_in_failed", target=target, after=after)


def are_codes_used_up(account: User) -> bool:
    """Whether no further code is looked at today: six digits can be guessed by whoever has days to try."""
    today = FailedSignIns.objects.filter(account=account, day=clock.now().date())
    return today.filter(codes__gte=CODES_A_DAY).exists()


def forget_old() -> int:
    """Delete counts of long ago; how many."""
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM accounts_failedsignins WHERE day < coalesce(%s, now()) - make_interval(days => %s)",
            [clock.replaced(), KEPT_DAYS],
        )
        return cursor.rowcount
