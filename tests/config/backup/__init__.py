"""Backups: written and restored, by themselves, sealed, moved, and what stays deleted."""
