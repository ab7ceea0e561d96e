"""The operator's pages of leaderboards, one noun a file."""

from leaderboards.admin import boards

__all__ = ["boards"]
