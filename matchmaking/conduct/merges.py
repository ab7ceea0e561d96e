"""Two players who are one person answer for what both have done."""

from foundation import clock
from matchmaking.conduct.charge import reckon
from ratings.merging.merge import Followed

__all__ = ["follow_merge"]


def follow_merge(followed: Followed) -> None:
    """Reckon anew where both stand: the one that counts answers for the other while they are merged."""
    reckon({followed.merge.merged_id, followed.merge.into_id}, clock.now())
