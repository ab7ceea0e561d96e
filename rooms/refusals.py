"""What the rules of rooms do not allow."""

from collections.abc import Sequence
from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from foundation.refusals import RefusedError
from matchmaking.tickets.preferences import Wrong

__all__ = [
    "AlreadyInRoomError",
    "CannotPickError",
    "InRoomError",
    "LobbyClosedError",
    "LobbyFullError",
    "NoVoteError",
    "NotHostError",
    "NotInRoomError",
    "NotReadyError",
    "NotYourTurnError",
    "PartyJoinsWholeError",
    "RemovedFromRoomError",
    "RoomFullError",
    "RoomNotOpenError",
    "RoomOverError",
    "RoomRefusesError",
    "SeatTakenError",
    "UnknownRoomError",
    "WrongCaptainsError",
    "WrongRoomError",
]


class UnknownRoomError(RefusedError):
    """No live room has this number or code, as far as the player may know."""

    code = "unknown_room"
    status = HTTPStatus.NOT_FOUND

    def __init__(self) -> None:
        super().__init__(_("There is no such room. It may have started or closed."))


class RoomOverError(RefusedError):
    """The room has started or closed. `extra` names it, its state and the match."""

    code = "room_over"

    def __init__(self, room: int, state: str, match: int | None = None) -> None:
        detail = _("This room is no longer open: its match has begun, or it was closed.")
        extra = {} if match is None else {"match": match}
        super().__init__(detail, room=room, state=state, **extra)


class RoomNotOpenError(RefusedError):
    """Captains pick, or strike out maps: until that is over the room stays as it is. `extra` names the state."""

    code = "room_not_open"

    def __init__(self, room: int, state: str) -> None:
        super().__init__(
            _("This room is starting: nobody can come or change it now."), room=room, state=state
        )


class LobbyClosedError(RefusedError):
    """The operator takes no new rooms in this game."""

    code = "rooms_closed"

    def __init__(self, game: str) -> None:
        super().__init__(_("No rooms can be opened in this game now."), game=game)


class LobbyFullError(RefusedError):
    """The game has as many rooms as its operator allows. `extra` says how many."""

    code = "too_many_rooms"

    def __init__(self, most: int) -> None:
        detail = _("There are as many rooms as this game may have. Join one, or try again later.")
        super().__init__(detail, most=most)


class WrongRoomError(RefusedError):
    """Something that the room is to be like is not possible. `errors` in `extra` names each thing."""

    code = "wrong_room"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, wrong: Sequence[Wrong]) -> None:
        self.errors = [
            {"pointer": one.pointer, "code": "invalid", "detail": one.words} for one in wrong
        ]
        super().__init__(" ".join(one.words for one in wrong[:3]), errors=self.errors)
        self.wrong = tuple(wrong)


class NotInRoomError(RefusedError):
    """Somebody who is not in the room is to act in it, or to be acted upon. `extra` names the player."""

    code = "not_in_room"

    def __init__(self, player: int) -> None:
        super().__init__(_("This player is not in the room."), player=player)


class NotHostError(RefusedError):
    """Only the host may do this. `extra` names the host."""

    code = "not_host"
    status = HTTPStatus.FORBIDDEN

    def __init__(self, host: int) -> None:
        super().__init__(_("Only the host of the room can do this."), host=host)


class AlreadyInRoomError(RefusedError):
    """The player, or one of the party, is in a live room. `extra` names player and room."""

    code = "already_in_room"

    def __init__(self, player: int, room: int, *, is_own: bool = True) -> None:
        words = (
            _("You're already in a room. Leave it first.")
            if is_own
            else _("Somebody from your party is already in a room.")
        )
        super().__init__(words, player=player, room=room)


class InRoomError(RefusedError):
    """A search is to begin for somebody who has a seat in a room. `extra` names player and room."""

    code = "in_room"

    def __init__(self, player: int, room: int, *, is_own: bool = True) -> None:
        words = (
            _("You have a seat in a room. Leave it before you search.")
            if is_own
            else _("Somebody from your party has a seat in a room, so the party can't search now.")
        )
        super().__init__(words, player=player, room=room)


class PartyJoinsWholeError(RefusedError):
    """Of a party only its leader takes seats, and for all. `extra` names the party and its leader."""

    code = "party_joins_whole"

    def __init__(self, party: int, leader: int) -> None:
        detail = _(
            "Your party joins rooms together: its leader takes seats for all. Or leave the party first."
        )
        super().__init__(detail, party=party, leader=leader)


class RemovedFromRoomError(RefusedError):
    """The host has removed the player from this room for good. `extra` names the room."""

    code = "removed_from_room"
    status = HTTPStatus.FORBIDDEN

    def __init__(self, room: int) -> None:
        super().__init__(
            _("The host removed you from this room, so you can't come back."), room=room
        )


class RoomFullError(RefusedError):
    """No seat is free, or no team has enough for a party. `extra` says how many seats the room has."""

    code = "room_full"

    def __init__(self, seats: int) -> None:
        super().__init__(_("This room has not enough free seats."), seats=seats)


class SeatTakenError(RefusedError):
    """Somebody sits there, or the room has no such seat. `extra` names it."""

    code = "seat_taken"

    def __init__(self, seat: int) -> None:
        super().__init__(
            _("This seat is taken, or not in this room. Choose another one."), seat=seat
        )


class RoomRefusesError(RefusedError):
    """The room's filters, or who is in it, keep the player out. `extra` has the reason, `closed_to_you` where others
    are not to know it.
    """

    code = "room_refuses"
    status = HTTPStatus.FORBIDDEN

    def __init__(self, reason: str, words: str) -> None:
        super().__init__(words, reason=reason)


class NotReadyError(RefusedError):
    """The match cannot begin yet: seats are free, or players not ready. `extra` counts both."""

    code = "room_not_ready"

    def __init__(self, free: int, waiting: int) -> None:
        detail = _("The match can't begin yet: seats are free, or players are not ready.")
        super().__init__(detail, free=free, not_ready=waiting)


class NotYourTurnError(RefusedError):
    """Another captain picks or strikes out now, or nobody does. `extra` names whose turn it is."""

    code = "not_your_turn"

    def __init__(self, player: int | None) -> None:
        extra = {} if player is None else {"player": player}
        super().__init__(_("It's not your turn now."), **extra)


class CannotPickError(RefusedError):
    """The player or the map cannot be picked: it is taken already, or not there; or the player may not be host now, of
    which nobody is told why. `extra` repeats it, and names the maps that are there.
    """

    code = "cannot_pick"

    def __init__(self, picked: object, maps: Sequence[str] = (), *, as_host: bool = False) -> None:
        if as_host:
            words = _("This member can't be the host just now. Choose another one.")
            super().__init__(words, picked=picked)
        elif maps:
            words = _("“%(picked)s” can't be picked. Choose one of: %(names)s.")
            given = {"picked": str(picked)[:60], "names": ", ".join(maps)}
            super().__init__(words % given, picked=picked, maps=list(maps))
        else:
            words = _("This can't be picked. Choose one that is still free.")
            super().__init__(words, picked=picked)


class WrongCaptainsError(CannotPickError):
    """Not one captain for each team, of those who sit in the room."""

    def __init__(self, picked: Sequence[int], teams: int) -> None:
        words = _("Choose %(teams)d captains of those who sit here, one for each team, or none.")
        RefusedError.__init__(self, words % {"teams": teams}, picked=picked)


class NoVoteError(RefusedError):
    """The map of the room is not voted on, or the player has no seat."""

    code = "no_vote"

    def __init__(self) -> None:
        super().__init__(_("Only players with a seat vote, in rooms whose map is voted on."))
