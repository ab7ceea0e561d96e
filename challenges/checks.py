"""Who may challenge whom on which ladder. What the other's lists, sanctions and choices say has one answer for all."""

from collections.abc import Callable, Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from challenges.refusals import (
    CannotChallengeError,
    ChallengesItselfError,
    WrongChallengeError,
)
from foundation import clock
from matchmaking.conduct.refusals import CoolingOffError
from matchmaking.conduct.standing import cooling_until
from matchmaking.refusals import TooManyDisputesError
from people import blocks
from people.may import may_challenge
from ratings.archiving import ArchivedError
from ratings.disputes import kept_out
from ratings.matches.refusals import check_by_results
from ratings.models import Ladder, Mode, Player, SuspendedFrom
from ratings.players.site_ids import is_deleted
from ratings.sanctions import SuspendedError, suspended

__all__ = [
    "check_asking",
    "check_elsewhere",
    "check_ladder",
    "check_pair",
    "check_self",
    "check_with",
    "is_duel",
]

# Called with who asks, 0 for nobody, and with both.
_checks: list[Callable[[int, Sequence[int]], object]] = []


def check_with(check: Callable[[int, Sequence[int]], object]) -> None:
    """Let an app above refuse matches of players who have a place elsewhere; it raises RefusedError.

    Called from an app's `ready()`.
    """
    _checks.append(check)


def is_duel(ladder: Ladder) -> bool:
    """Whether two players meet on it, one on each side."""
    return ladder.team_count == 2 and ladder.team_size == 1


def check_ladder(ladder: Ladder, player: Player) -> None:
    """Raise ArchivedError or WrongChallengeError unless two of the player's game can meet there."""
    if ladder.is_archived:
        raise ArchivedError(ladder, ladder=ladder.slug)
    if ladder.game_id != player.game_id:
        words = _("The ladder “%(ladder)s” belongs to another game than the player.")
        raise WrongChallengeError(words % {"ladder": ladder.slug}, field="ladder")
    check_by_results(ladder)
    if not is_duel(ladder):
        words = _(
            "On the ladder “%(ladder)s” %(teams)d teams of %(size)d meet; challenges need one of two players."
        )
        values = {"ladder": ladder.slug, "teams": ladder.team_count, "size": ladder.team_size}
        raise WrongChallengeError(words % values, field="ladder")


def check_self(player: Player, ladder: Ladder, *, rated: bool, at: datetime | None = None) -> None:
    """Raise SuspendedError, CoolingOffError or TooManyDisputesError where the player itself may not play now.

    `at`: when it is to be played; whoever has cooled off by then may agree to it.
    """
    until = cooling_until(player.pk)
    if until is not None and (at is None or until > at):
        raise CoolingOffError(player.pk, until, clock.now())
    for sanction in suspended([player.pk], SuspendedFrom.SEARCHING).values():
        raise SuspendedError(sanction)
    if rated and ladder.mode == Mode.RANKED:
        disputed = kept_out(ladder.game, [player.pk])
        if player.pk in disputed:
            raise TooManyDisputesError(disputed[player.pk], ladder.game.disputes_at_most)


def check_pair(player: Player, other: Player) -> None:
    """Raise ChallengesItselfError, WrongChallengeError or CannotChallengeError unless the two may meet."""
    if player.pk == other.pk:
        raise ChallengesItselfError(player.pk)
    if player.game_id != other.game_id:
        words = _("This player belongs to another game. Challenge somebody of the same one.")
        raise WrongChallengeError(words, field="challenged")
    if not _may_meet(player, other):
        raise CannotChallengeError(other.pk)


def check_asking(player: Player, other: Player) -> None:
    """Raise CannotChallengeError unless the other lets the player ask."""
    if not may_challenge(player.pk, other.pk):
        raise CannotChallengeError(other.pk)


def check_elsewhere(asked_by: int, players: Sequence[int]) -> None:
    """Raise what apps above do where one of them has a place elsewhere."""
    for check in _checks:
        check(asked_by, players)


def _may_meet(player: Player, other: Player) -> bool:
    # Nor by what keeps the other from playing just now, suspended or cooling off: a challenge may wait for the end of
    # it, and a refusal would tell everybody. When the match is to begin each is asked (`check_self`).
    if other.merged_into_id is not None or other.archived_at is not None or is_deleted(other):
        return False
    # Not by the list of avoided players, which is for sweeps: who is refused, and could still ask to be friends, would
    # know of it.
    return not blocks.between(player.pk, other.pk)
