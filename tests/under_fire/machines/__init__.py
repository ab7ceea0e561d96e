"""A site on several machines whose network is cut, slowed, or lets through one way only, and what is left of it."""
