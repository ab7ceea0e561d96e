"""What the rules of talk do not allow."""

from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from foundation.refusals import RefusedError
from talk.models import LONGEST_LINE

__all__ = [
    "EmptyLineError",
    "LineTooLongError",
    "MutesItselfError",
    "MutesTooManyError",
    "NoSuchPlaceError",
    "TalkOffError",
    "TalkOverError",
    "TalksTooFastError",
]


class NoSuchPlaceError(RefusedError):
    """There is no such place, or the player is not in it: the same for both."""

    code = "no_such_talk"
    status = HTTPStatus.NOT_FOUND

    def __init__(self) -> None:
        super().__init__(_("There is no talk here that you take part in."))


class TalkOffError(RefusedError):
    """The game has no talk."""

    code = "talk_off"

    def __init__(self, game: str) -> None:
        super().__init__(_("Players don't write to each other in this game."), game=game)


class TalkOverError(RefusedError):
    """The party, or the time after the match, is over."""

    code = "talk_over"

    def __init__(self) -> None:
        super().__init__(_("This talk is over. What was said can still be read for a while."))


class EmptyLineError(RefusedError):
    """Nothing is left that could be seen."""

    code = "empty_line"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self) -> None:
        super().__init__(_("Write something: this line has nothing that could be seen."))


class LineTooLongError(RefusedError):
    """More than a line has room for."""

    code = "line_too_long"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, length: int) -> None:
        words = _("A line has at most %(most)d characters; this one has %(length)d.")
        given = {"most": LONGEST_LINE, "length": length}
        super().__init__(words % given, length=length, most=LONGEST_LINE)


class TalksTooFastError(RefusedError):
    """So many lines in the last minute. `extra` says after how many seconds the next one is taken."""

    code = "talks_too_fast"
    status = HTTPStatus.TOO_MANY_REQUESTS

    def __init__(self, seconds: int) -> None:
        words = _("That was fast. You can write again in %(seconds)d s.")
        super().__init__(words % {"seconds": seconds}, retry_after=seconds)
        self.retry_after = seconds  # the header of programs


class MutesItselfError(RefusedError):
    """Nobody mutes themselves."""

    code = "mutes_itself"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self) -> None:
        super().__init__(_("You can't mute yourself."))


class MutesTooManyError(RefusedError):
    """The list is full."""

    code = "mutes_too_many"

    def __init__(self, most: int) -> None:
        words = _("You can mute %(most)d players. Unmute one first.")
        super().__init__(words % {"most": most}, most=most)
