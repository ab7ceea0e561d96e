"""The operator's page of challenges."""

from challenges.admin import challenges

__all__ = ["challenges"]
