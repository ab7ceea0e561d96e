"""What the rules of matchmaking do not allow."""

from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from foundation.refusals import RefusedError

__all__ = [
    "AlreadyMatchedError",
    "AlreadySearchingError",
    "NoOfferError",
    "NotPairedError",
    "OfferOverError",
    "QueueClosedError",
    "TicketOverError",
    "WrongGameError",
]


class QueueClosedError(RefusedError):
    """The queue takes no new tickets."""

    code = "queue_closed"

    def __init__(self, queue: str) -> None:
        super().__init__(_("This queue is closed. Choose another one."), queue=queue)


class NotPairedError(RefusedError):
    """The queue belongs to a ladder whose matches are not one player against one."""

    code = "queue_not_paired"

    def __init__(self, queue: str) -> None:
        super().__init__(
            _("This queue has matches of teams, which are not found yet."), queue=queue
        )


class WrongGameError(RefusedError):
    """The player belongs to another game than the queue."""

    code = "wrong_game"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, player: int) -> None:
        detail = _("This player belongs to another game than the queue.")
        super().__init__(detail, player=player)


class AlreadySearchingError(RefusedError):
    """The player has a live ticket. `extra` names it."""

    code = "already_searching"

    def __init__(self, ticket: int) -> None:
        super().__init__(_("A search is running already. Leave it first."), ticket=ticket)


class AlreadyMatchedError(RefusedError):
    """It is too late to cancel: the match has begun. `extra` names it."""

    code = "already_matched"

    def __init__(self, match: int) -> None:
        super().__init__(_("The match has begun already."), match=match)


class TicketOverError(RefusedError):
    """The search has ended already. `extra` names its state."""

    code = "ticket_over"

    def __init__(self, state: str) -> None:
        super().__init__(_("This search has ended already. Nothing was changed."), state=state)


class NoOfferError(RefusedError):
    """No match is offered to this ticket."""

    code = "no_offer"

    def __init__(self, ticket: int) -> None:
        super().__init__(_("No match is offered at the moment."), ticket=ticket)


class OfferOverError(RefusedError):
    """The offer has expired, was declined, or is not the present one. `extra` names it."""

    code = "offer_over"

    def __init__(self, offer: int) -> None:
        super().__init__(_("This offer is over."), offer=offer)
