"""Transactions of tests outlast the limits of time that the code sets for itself.

A test that computes, or is held up by a busy machine, for longer than such a limit would lose its session, or what it
waits for. Processes that a test starts have the limits of the site, unless they lift them too.
"""

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

__all__ = ["lift_limits", "lift_limits_of_all_sessions"]

_LIMIT, _LOCK = "idle_in_transaction_session_timeout", "lock_timeout"
_LIFT = f"SELECT set_config('{_LIMIT}', '0', true), set_config('statement_timeout', '0', true)"
_LIFT_LOCK = f"SET LOCAL {_LOCK} = '120s'"  # who hangs is told so


def lift_limits(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
    """Execute a statement (an `execute_wrapper`), and lift the limits of time that it has set."""
    result = execute(sql, *arguments)
    text = str(sql)  # it may be composed of parts
    if _LIMIT in text:
        connection.connection.execute(_LIFT)
        if _LOCK in text:
            connection.connection.execute(_LIFT_LOCK)
    return result


def lift_limits_of_all_sessions() -> None:
    """Do so in every session of this process from now on, those of threads included."""
    connection_created.connect(_lift_limits_of, dispatch_uid="tests.lasting")


def _lift_limits_of(connection: BaseDatabaseWrapper, **_more: Any) -> None:
    if lift_limits not in connection.execute_wrappers:
        # Before those of a test: each takes the last one away when it ends.
        connection.execute_wrappers.insert(0, lift_limits)
