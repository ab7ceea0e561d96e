"""Sending notices by mail, and ending that with one press."""
