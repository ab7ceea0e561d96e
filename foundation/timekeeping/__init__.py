"""Whether time is steady: nothing that ends by time alone is ended by a clock that jumped."""

from foundation.timekeeping.begun_ahead import Begun, begin_anew
from foundation.timekeeping.clock_jumps import closing_time, is_steady, pause, trust
from foundation.timekeeping.deadlines import AHEAD, Deadlines, deadlines

__all__ = [
    "AHEAD",
    "Begun",
    "Deadlines",
    "begin_anew",
    "closing_time",
    "deadlines",
    "is_steady",
    "pause",
    "trust",
]
