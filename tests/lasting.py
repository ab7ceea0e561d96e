"""Transactions of tests outlast the limits of time that the code sets for itself.

A test that computes, or is held up by a busy machine, for longer than such a limit would lose its session, or what it
waits for. Processes that a test starts have the limits of the site, unless they lift them too.
"""

import re
from collections.abc import Callable
from typing import Any

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

__all__ = ["lift_limits", "lift_limits_of_all_sessions"]

_LIMIT = "idle_in_transaction_session_timeout"
_LIFT = f"SELECT set_config('{_LIMIT}', '0', true)"
# As `set_config('lock_timeout', '5s', true)` and `SET LOCAL lock_timeout = '5s'` give them, or a value by its name.
_GIVEN = re.compile(
    r"\b((?:idle_in_transaction_session|statement|lock)_timeout)(', | = )(?:'\d+s'|%\(idle\)s)"
)
_LONGER = {"lock_timeout": "120s"}  # who hangs is told so


def lift_limits(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
    """Execute a statement (an `execute_wrapper`) without the limits of time that it would set.

    They are taken out of its text: it may wait for a lock itself, and after it they would be in force already.
    """
    if _LIMIT not in str(sql):  # it may be composed of parts
        return execute(sql, *arguments)
    lifted = _GIVEN.sub(_longer, sql) if isinstance(sql, str) else sql
    result = execute(lifted, *arguments)
    if lifted == sql:  # its limit is a parameter
        connection.connection.execute(_LIFT)
    return result


def _longer(given: re.Match[str]) -> str:
    return f"{given[1]}{given[2]}'{_LONGER.get(given[1], '0')}'"


def lift_limits_of_all_sessions() -> None:
    """Do so in every session of this process from now on, those of threads included."""
    connection_created.connect(_lift_limits_of, dispatch_uid="tests.lasting")


def _lift_limits_of(connection: BaseDatabaseWrapper, **_more: Any) -> None:
    if lift_limits not in connection.execute_wrappers:
        # Before those of a test: each takes the last one away when it ends.
        connection.execute_wrappers.insert(0, lift_limits)
