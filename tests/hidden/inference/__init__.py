"""Whether strengths that are hidden can be rebuilt from what outsiders are told.

A pool plays a ladder; three kinds of outsiders read everything they are given, and whatever stands in it is tried as
a clue: who met whom, what was written beside a name, in which order names stand, how often they come. Elo and
Bradley-Terry are fitted to the clues and compared with the ratings in the database.

    python -m tests.hidden.inference        # prints the correlations that each outsider reaches
"""
