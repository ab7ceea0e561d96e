"""Matches of teams and free-for-all: which tickets meet, and in which teams."""
