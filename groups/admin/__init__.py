"""Groups in the administration."""

from groups.admin import groups, rules

__all__ = ["groups", "rules"]
