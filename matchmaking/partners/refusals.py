"""What the rules of partners do not allow."""

from django.utils.translation import gettext_lazy as _

from foundation.refusals import RefusedError
from matchmaking.models import PartnerState, Queue

__all__ = ["NoPartnerError", "PartnerRequestOverError"]


class NoPartnerError(RefusedError):
    """The game is never asked for a partner here. `extra` has the queue, and how many players a team has."""

    code = "no_partner"

    def __init__(self, queue: Queue) -> None:
        words = _(
            "No partner of the game can be had for this search: the queue has none, or a search must be of a whole"
            " team of %(size)d."
        )
        size = queue.ladder.team_size
        super().__init__(words % {"size": size}, queue=queue.slug, team_size=size)


class PartnerRequestOverError(RefusedError):
    """The game answers too late, or otherwise than before. `extra` names the request's state."""

    code = "partner_request_over"

    def __init__(self, request_id: int, state: str) -> None:
        words = {
            PartnerState.ACCEPTED: _(
                "This request has been accepted already, and the match has begun."
            ),
            PartnerState.DECLINED: _("This request has been declined already."),
            PartnerState.EXPIRED: _("The time to answer this request is over. The search goes on."),
        }.get(
            PartnerState(state),
            _("This request was withdrawn: no partner is needed any more."),
        )
        super().__init__(words, request=request_id, state=str(state))
