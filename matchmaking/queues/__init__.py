"""Queues: their settings, and how well they do."""
