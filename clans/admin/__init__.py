"""Clans in the administration."""

from clans.admin import clans, rules

__all__ = ["clans", "rules"]
