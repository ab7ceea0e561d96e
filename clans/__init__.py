"""Clans: public groups of one game that a player is in one of, with a tag beside the name, and with a history."""
