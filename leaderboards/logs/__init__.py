"""Matches as game servers tell them: scoreboard, who fragged whom, streaks, every event; and the servers themselves."""
