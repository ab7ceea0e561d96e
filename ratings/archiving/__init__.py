"""Archiving and restoring games, ladders, queues and rating tracks: out of use, with all of their history kept."""

from ratings.archiving.archive import (
    AlreadyArchivedError,
    ArchivedError,
    NotArchivedError,
    TrackIsShownError,
    archive,
    follow_with,
    restore,
)

__all__ = [
    "AlreadyArchivedError",
    "ArchivedError",
    "NotArchivedError",
    "TrackIsShownError",
    "archive",
    "follow_with",
    "restore",
]
