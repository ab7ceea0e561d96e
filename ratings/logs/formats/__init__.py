"""Logs that game servers write, read as events: a module for each format."""
