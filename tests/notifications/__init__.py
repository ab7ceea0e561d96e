"""Notices: who is told what, by which way, and when."""
