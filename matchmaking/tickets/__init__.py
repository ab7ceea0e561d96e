"""Tickets: searches, from beginning to end."""
