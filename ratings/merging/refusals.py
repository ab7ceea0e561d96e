"""Why players cannot be merged, or unmerged."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from foundation.refusals import RefusedError

__all__ = ["CannotMergeError", "GameBusyError", "RunningError", "SharedMatchesError"]


class CannotMergeError(RefusedError):
    """These two cannot become one player, or not in this way."""

    code = "cannot_merge"


class GameBusyError(CannotMergeError):
    """Others hold what merging takes, for longer than those should wait who wait for it meanwhile.

    has_ended  what the player was doing has ended for the merge by then
    """

    is_busy = True

    def __init__(self, *, has_ended: bool = False) -> None:
        words = _(
            "The game is busy right now: an import or a rating run is writing. The players stay as they were. Try "
            "again in a moment."
        )
        if has_ended:
            words = _(
                "The game is busy right now: an import or a rating run is writing. What the player was doing has "
                "ended, but the two are not merged. Try again in a moment."
            )
        super().__init__(words)


class RunningError(CannotMergeError):
    """The player who would be merged searches, is in a party, or plays. `extra` lists what, in words."""

    def __init__(self, running: Sequence[str]) -> None:
        words = _("The player is busy: %(what)s. End this first, or let the merge end it.")
        super().__init__(words % {"what": ", ".join(running)}, running=list(running))


class SharedMatchesError(CannotMergeError):
    """Both took part in the same matches. `extra` lists them."""

    def __init__(self, matches: Sequence[int]) -> None:
        words = _(
            "Both took part in the same matches (%(matches)s), and nobody plays with or against oneself. Annul these "
            "in the same step, or merge matches from a later moment on only."
        )
        super().__init__(
            words % {"matches": ", ".join(map(str, matches[:20]))}, matches=list(matches)
        )
