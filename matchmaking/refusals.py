"""What the rules of matchmaking do not allow."""

from collections.abc import Sequence
from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from foundation.refusals import RefusedError
from matchmaking.tickets.preferences import Wrong

__all__ = [
    "AlreadyInPartyError",
    "AlreadyMatchedError",
    "AlreadySearchingError",
    "AvoidsItselfError",
    "AvoidsTooManyError",
    "MemberDisputesError",
    "MemberPlayingError",
    "MemberSearchingError",
    "NoOfferError",
    "NoTeamsError",
    "NotInPartyError",
    "NotLeaderError",
    "NotPlayedTogetherError",
    "OfferOverError",
    "PartyFullError",
    "PartyOverError",
    "PartyTooLargeError",
    "QueueClosedError",
    "TicketOverError",
    "TooManyDisputesError",
    "UnknownPartyError",
    "UnknownQueueError",
    "WrongGameError",
    "WrongPreferencesError",
]


class UnknownQueueError(RefusedError):
    """There is no queue with this short name, or no longer."""

    code = "unknown_queue"
    status = HTTPStatus.NOT_FOUND

    def __init__(self, queue: str) -> None:
        super().__init__(_("There is no queue “%(queue)s”.") % {"queue": queue})


class QueueClosedError(RefusedError):
    """The queue takes no new tickets."""

    code = "queue_closed"

    def __init__(self, queue: str) -> None:
        super().__init__(_("This queue is closed. Choose another one."), queue=queue)


class PartyTooLargeError(RefusedError):
    """The party has more players than a team of the queue. `extra` says how many both have."""

    code = "party_too_large"

    def __init__(self, players: int, team_size: int) -> None:
        detail = _(
            "Your party has %(players)d players, a team of this queue %(size)d. Choose another queue."
        )
        words = {"players": players, "size": team_size}
        super().__init__(detail % words, players=players, team_size=team_size)


class MemberSearchingError(RefusedError):
    """Somebody of the party searches elsewhere. `extra` names the player and the ticket."""

    code = "member_searching"

    def __init__(self, name: str, player: int, ticket: int) -> None:
        detail = _("%(name)s from your party is already searching. That search has to end first.")
        super().__init__(detail % {"name": name}, player=player, ticket=ticket)


class MemberPlayingError(RefusedError):
    """Somebody of the party is in a match. `extra` names the player and the match."""

    code = "member_playing"

    def __init__(self, name: str, player: int, match: int) -> None:
        detail = _("%(name)s from your party is in a match. Its result has to be reported first.")
        super().__init__(detail % {"name": name}, player=player, match=match)


class TooManyDisputesError(RefusedError):
    """Disputes of the player that wait for a decision are as many as the game allows. `extra` names the matches."""

    code = "too_many_disputes"

    def __init__(self, matches: Sequence[int], limit: int) -> None:
        detail = _(
            "You can't search for ranked matches now: too many of yours are disputed. They wait for a"
            " decision, or for you to change your report: %(matches)s."
        )
        words = {"matches": ", ".join(str(match) for match in matches)}
        super().__init__(detail % words, matches=list(matches), limit=limit)


class MemberDisputesError(RefusedError):
    """Somebody of the party has too many open disputes. `extra` names the player and the matches."""

    code = "member_disputes"

    def __init__(self, name: str, player: int, matches: Sequence[int], limit: int) -> None:
        detail = _(
            "%(name)s from your party can't search for ranked matches now: too many of them are disputed"
            " and wait for a decision (%(matches)s)."
        )
        words = {"name": name, "matches": ", ".join(str(match) for match in matches)}
        super().__init__(detail % words, player=player, matches=list(matches), limit=limit)


class WrongPreferencesError(RefusedError):
    """Something that was asked for cannot be had in this queue. `errors` in `extra` names each thing."""

    code = "wrong_wishes"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, wrong: Sequence[Wrong]) -> None:
        errors = [{"pointer": one.pointer, "code": "invalid", "detail": one.words} for one in wrong]
        super().__init__(" ".join(one.words for one in wrong[:3]), errors=errors)


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
        super().__init__(_("You're already searching. Cancel that search first."), ticket=ticket)


class AlreadyMatchedError(RefusedError):
    """It is too late to cancel: the match has begun. `extra` names it."""

    code = "already_matched"

    def __init__(self, match: int) -> None:
        super().__init__(_("The match has already begun."), match=match)


class TicketOverError(RefusedError):
    """The search has ended already. `extra` names its state."""

    code = "ticket_over"

    def __init__(self, state: str) -> None:
        super().__init__(_("This search has already ended. Nothing was changed."), state=state)


class NoOfferError(RefusedError):
    """No match is offered to this ticket."""

    code = "no_offer"

    def __init__(self, ticket: int) -> None:
        super().__init__(_("There is no match to accept right now."), ticket=ticket)


class OfferOverError(RefusedError):
    """The offer has expired, was declined, or is not the present one. `extra` names it."""

    code = "offer_over"

    def __init__(self, offer: int) -> None:
        super().__init__(_("This offer is over."), offer=offer)


class NoTeamsError(RefusedError):
    """No ladder of the game is played in teams, so there is nothing for a party to search."""

    code = "no_teams"

    def __init__(self, game: str) -> None:
        super().__init__(_("This game has no matches in teams, so no parties either."), game=game)


class PartyFullError(RefusedError):
    """The party has as many members as the largest team of the game. `extra` says how many."""

    code = "party_full"

    def __init__(self, largest: int) -> None:
        super().__init__(
            _("This party is full: no team of this game has more players."), largest=largest
        )


class PartyOfferedError(RefusedError):
    """The party is asked whether it accepts a match: a member more would end that, and nobody would have declined."""

    code = "party_offered"

    def __init__(self) -> None:
        super().__init__(_("A match is being offered to this party. Try again in a minute."))


class UnknownPartyError(RefusedError):
    """No live party has this invitation code."""

    code = "unknown_party"
    status = HTTPStatus.NOT_FOUND

    def __init__(self) -> None:
        super().__init__(_("No party has this code. It may have ended, or have a new code."))


class PartyOverError(RefusedError):
    """The party has ended. `extra` names it."""

    code = "party_over"

    def __init__(self, party: int) -> None:
        super().__init__(_("This party has ended."), party=party)


class AlreadyInPartyError(RefusedError):
    """The player is in a live party already. `extra` names it."""

    code = "already_in_party"

    def __init__(self, party: int) -> None:
        super().__init__(_("You're already in a party. Leave it first."), party=party)


class NotInPartyError(RefusedError):
    """Somebody who is no live member is to act in a party, or to be acted upon. `extra` names the player."""

    code = "not_in_party"

    def __init__(self, player: int) -> None:
        super().__init__(_("This player is not in the party."), player=player)


class NotLeaderError(RefusedError):
    """Only the leader may do this. `extra` names the leader."""

    code = "not_leader"
    status = HTTPStatus.FORBIDDEN

    def __init__(self, leader: int) -> None:
        super().__init__(_("Only the leader of the party can do this."), leader=leader)


class AvoidsTooManyError(RefusedError):
    """The avoid list is full. `extra` says how many it holds."""

    code = "avoids_too_many"

    def __init__(self, most: int) -> None:
        detail = _("Your avoid list is full. Remove somebody first.")
        super().__init__(detail, most=most)


class AvoidsItselfError(RefusedError):
    """A player is to avoid itself."""

    code = "avoids_itself"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, player: int) -> None:
        super().__init__(_("You can't avoid yourself."), player=player)


class NotPlayedTogetherError(RefusedError):
    """Feedback on somebody with whom the author has finished no match."""

    code = "not_played_together"

    def __init__(self, player_id: int) -> None:
        words = _(
            "You can only say how you liked playing with somebody after a match together, and you have finished none"
            " with this player."
        )
        super().__init__(words, player=player_id)
