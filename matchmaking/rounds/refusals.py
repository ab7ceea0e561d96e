"""What the rules of rounds do not allow."""

from django.utils.translation import gettext_lazy as _

from foundation.refusals import RefusedError

__all__ = ["RoundOverError"]


class RoundOverError(RefusedError):
    """The round has begun, or was cancelled: nobody joins or leaves it any more."""

    code = "round_over"

    def __init__(self, round_id: int, state: str) -> None:
        words = _("This round has begun or was cancelled. Nobody can join or leave it any more.")
        super().__init__(words, round=round_id, state=str(state))
