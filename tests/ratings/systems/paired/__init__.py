"""Contests of teams in the systems of one against one: each team against every other one."""
