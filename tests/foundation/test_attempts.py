"""What failed is tried later and later; how the condition is used, the tests of mails and of push say."""

from datetime import timedelta

from foundation.timekeeping.attempts import Attempts


def test_each_pause_is_twice_as_long_until_the_longest() -> None:
    attempts = Attempts(timedelta(seconds=30), timedelta(hours=1))
    pauses = [attempts.pause_after(number).total_seconds() for number in (1, 2, 3, 7, 8, 10_000)]
    assert pauses == [30, 60, 120, 1920, 3600, 3600]
