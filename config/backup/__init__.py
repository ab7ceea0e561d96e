"""Backups: the whole database in one checked file, and the way back, also into another PostgreSQL."""
