"""Failures that are the database's, and no fault of the code that met them: what was not committed was not done."""

import psycopg
from django.db import InterfaceError, InternalError, OperationalError
from psycopg import errors

__all__ = ["is_away"]

# PostgreSQL ends sessions that rest for too long within a transaction. In its order of errors these are faults of the
# caller, which a process that was stopped, or got no processor for a while, has not made.
_SESSION_ENDED = (errors.IdleInTransactionSessionTimeout, errors.TransactionTimeout)
# Django passes on what COPY meets as it is.
_AWAY = (OperationalError, InterfaceError, psycopg.OperationalError, psycopg.InterfaceError)


def is_away(error: BaseException | None) -> bool:
    """Whether the database is away or busy, or has ended the session: the same may succeed when tried again."""
    if isinstance(error, InternalError):
        return isinstance(error.__cause__, _SESSION_ENDED)
    return isinstance(error, _AWAY)
