"""What must not reach the logs."""

import logging
import sys

import pytest

from config.monitoring.logs import configure_logs


def format_failure(typed: str) -> str:
    """A log line of a function that fails with what somebody typed in a local variable."""
    formatter = next(
        h.formatter for h in logging.getLogger().handlers if type(h) is logging.StreamHandler
    )
    assert formatter is not None
    try:
        raise ValueError(len(typed))
    except ValueError:
        record = logging.LogRecord("x", 40, __file__, 1, "failed", None, sys.exc_info())
    return formatter.format(record)


@pytest.mark.parametrize("as_json", [False, True])
def test_a_traceback_shows_no_local_variables(as_json: bool) -> None:
    configure_logs(level="INFO", as_json=as_json)
    try:
        line = format_failure("correct horse battery")
    finally:
        configure_logs(level="INFO", as_json=False)
    assert "ValueError: 21" in line
    assert "correct horse" not in line
