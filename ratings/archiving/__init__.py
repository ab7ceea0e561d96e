"""Archiving and restoring games, ladders, queues and rating tracks: out of use, with all of their history kept."""

from ratings.archiving.archive import (
    AlreadyArchivedError,
    ArchivedError,
    NotArchivedError,
    TrackIsShownError,
    archive,
    archived_above,
    follow_with,
    restore,
    say_restored,
)

__all__ = [
    "AlreadyArchivedError",
    "ArchivedError",
    "NotArchivedError",
    "TrackIsShownError",
    "archive",
    "archived_above",
    "follow_with",
    "restore",
    "say_restored",
]
