"""The operator's pages of people."""

from people.admin import tags

__all__ = ["tags"]
