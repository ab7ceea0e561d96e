"""Pages of matches: what they are, what their servers told, what is done with them, and disputes."""
