"""Rounds at set times: announced, joined beforehand, and begun by all who are there at once."""
