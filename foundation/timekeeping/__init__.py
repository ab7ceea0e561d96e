"""Whether time is steady: nothing that ends by time alone is ended by a clock that jumped."""

from foundation.timekeeping.observing import closing_time, is_steady, pause, trust

__all__ = ["closing_time", "is_steady", "pause", "trust"]
