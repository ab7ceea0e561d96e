"""Reporting a line: an app above has the page on which players report each other, and hands in its address."""

from collections.abc import Callable

from talk.models import Line

__all__ = ["report_address", "report_with"]

_addresses: list[Callable[[Line], str]] = []


def report_with(address: Callable[[Line], str]) -> None:
    """Let an app above say where a line is reported. Called from its `ready()`."""
    _addresses[:] = [address]


def report_address(line: Line) -> str:
    """Where a line is reported; empty where nobody takes reports."""
    return _addresses[0](line) if _addresses else ""
