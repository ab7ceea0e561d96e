"""Alerts: telling players who want to know that somebody searches."""
