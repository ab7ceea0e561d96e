"""The plumbing in the admin: subscribers that failed, and the clock."""

from config.admin import clock, subscriptions

__all__ = ["clock", "subscriptions"]
