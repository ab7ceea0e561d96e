"""How long a challenge may wait, and how many."""

from datetime import timedelta

__all__ = [
    "AHEAD_AT_LEAST",
    "AHEAD_AT_MOST",
    "CALLED_BEFORE",
    "COUNTS_AS_HERE",
    "LATE_BY",
    "LONGEST",
    "REMATCH_FOR",
    "REMINDED_BEFORE",
    "SHORTEST",
    "USUAL",
    "WAITS_FOR_BOTH",
]

# How long a challenge may be accepted.
SHORTEST, USUAL, LONGEST = timedelta(minutes=1), timedelta(minutes=10), timedelta(days=7)
# For so long after a match its two may ask for another, and may accept that.
REMATCH_FOR = timedelta(minutes=10)
# Whoever was seen so lately is there: nobody has to be asked.
COUNTS_AS_HERE = timedelta(minutes=1)
# How long whoever accepted waits for the challenger.
WAITS_FOR_BOTH = timedelta(minutes=3)
# How far ahead an appointment is made.
AHEAD_AT_LEAST, AHEAD_AT_MOST = timedelta(minutes=10), timedelta(days=60)
# So long before its time both are reminded, and may say that they are there; so late they may be.
REMINDED_BEFORE, CALLED_BEFORE, LATE_BY = (
    timedelta(hours=1),
    timedelta(minutes=5),
    timedelta(minutes=10),
)
