"""The transaction of a test outlasts those of the code within it, and so would the limits that they set for themselves.

A test that computes, or is held up by a busy machine, for longer than such a limit would lose its session.
"""

from collections.abc import Callable
from typing import Any

from django.db import connection

__all__ = ["lift_limits", "lift_limits_of_test"]

_LIMIT = "idle_in_transaction_session_timeout"
_LIFT = f"SELECT set_config('{_LIMIT}', '0', true), set_config('statement_timeout', '0', true)"


def lift_limits(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
    """Execute a statement (an `execute_wrapper`), and lift the limits of time that it has set."""
    result = execute(sql, *arguments)
    if _LIMIT in str(sql):  # it may be composed of parts
        connection.connection.execute(_LIFT)
    return result


def lift_limits_of_test(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
    """Do so where the test runs in one transaction; in those that commit the limits end as they do in the site."""
    blocks = connection.atomic_blocks
    if blocks and getattr(blocks[0], "_from_testcase", False):
        return lift_limits(execute, sql, *arguments)
    return execute(sql, *arguments)
