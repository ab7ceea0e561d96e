"""Challenges that nothing can come of any more: of an archived ladder, of players who were merged or deleted."""

from django.db.models import Q
from django.utils.translation import gettext as _

from challenges.held import end_held, hold
from challenges.models import LIVE, Challenge, ChallengeState
from foundation.archiving import Archivable
from foundation.postgresql.transactions import after_commit, briefly
from ratings.merging.merge import Followed
from ratings.models import Game, Ladder, Player

__all__ = ["end_of", "end_stranded", "find_of", "follow_archiving", "follow_merge"]

_STRANDED = (
    Q(ladder__archived_at__isnull=False)
    | Q(ladder__game__archived_at__isnull=False)
    | Q(challenger__merged_into__isnull=False)
    | Q(challenged__merged_into__isnull=False)
)


def follow_archiving(thing: Archivable) -> None:
    """End the live challenges of a ladder, or a game, that was archived."""
    if isinstance(thing, Game | Ladder):
        end_stranded()


def follow_merge(followed: Followed) -> None:
    """End the live challenges of a player who counts for another now: whoever asked, asked somebody else."""
    if not followed.is_undone:
        after_commit(end_stranded)


def end_stranded() -> int:
    """End what is stranded; returns how many. One query where there is none."""
    live = Challenge.objects.filter(_STRANDED, state__in=LIVE)
    return _end(list(live.order_by("pk").values_list("pk", flat=True)))


def find_of(player: Player) -> list[str]:
    """The live challenges of a player, in words. One query."""
    return [_("challenge %(number)d") % {"number": pk} for pk in _of(player)]


def end_of(player: Player) -> None:
    """End the live challenges of a player."""
    _end(_of(player))


def _of(player: Player) -> list[int]:
    own = Q(challenger=player) | Q(challenged=player)
    live = Challenge.objects.filter(own, state__in=LIVE)
    return list(live.order_by("pk").values_list("pk", flat=True))


def _end(ids: list[int]) -> int:
    ended = 0
    for pk in ids:
        with briefly():
            challenge = hold(pk)
            if challenge.state == ChallengeState.OPEN:
                end_held(challenge, ChallengeState.EXPIRED)
                ended += 1
            elif challenge.state == ChallengeState.ACCEPTED:
                end_held(challenge, ChallengeState.CANCELLED)
                ended += 1
    return ended
