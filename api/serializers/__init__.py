"""How things look in answers: for each a shape, which the description shows, and a function that makes it.

A test holds every answer against the description. Words are stable English names; shares are 0 to 1; times are UTC.
"""
